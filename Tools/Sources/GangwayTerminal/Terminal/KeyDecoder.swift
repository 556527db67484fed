import CNcurses

/// Makes keys of what ncurses reads: characters, its numbers of special keys, and the sequences that it does not know.
///
/// Sequences: ECMA-48, 5.4 "Control sequences"; xterm, "Control Sequences" (bracketed paste, answers to questions).
struct KeyDecoder {
  /// What is read at once.
  enum Unit: Equatable {
    case scalar(UInt32)
    /// A special key, by ncurses' number or one of ``Special``.
    case special(Int32)
    /// What the mouse did.
    case key(Key)
  }

  /// Keys that ncurses has no numbers for: they get these.
  enum Special: Int32, CaseIterable {
    case pasteBegins = 1000
    case pasteEnds, wordLeft, wordRight, altLeft, altRight, selectWordLeft, selectWordRight, deleteWordAfter
    case shiftUp, shiftDown

    /// What terminals send for it.
    var sequence: String {
      switch self {
      case .pasteBegins: "\u{1b}[200~"
      case .pasteEnds: "\u{1b}[201~"
      case .wordLeft: "\u{1b}[1;5D"
      case .wordRight: "\u{1b}[1;5C"
      case .altLeft: "\u{1b}[1;3D"
      case .altRight: "\u{1b}[1;3C"
      case .selectWordLeft: "\u{1b}[1;6D"
      case .selectWordRight: "\u{1b}[1;6C"
      case .deleteWordAfter: "\u{1b}[3;5~"
      case .shiftUp: "\u{1b}[1;2A"
      case .shiftDown: "\u{1b}[1;2B"
      }
    }
  }

  /// A sequence that is longer than this is none.
  private static let longestSequence = 4_096

  /// What has been pasted so far, while its end has not come.
  private var pasted: String.UnicodeScalarView?
  private var pastedCount = 0
  /// Bytes of what is pasted of which the rest has not come.
  private var undecoded: [UInt8] = []
  /// Whether what was pasted last ended in a carriage return, after which a line feed says nothing more.
  private var endsInReturn = false

  /// Whether the end of what is pasted has not come yet.
  var isPasting: Bool { pasted != nil }

  /// The next keys; nil when there is nothing more to read.
  ///
  /// - Parameters:
  ///   - read: the next unit; nil when there is none now.
  ///   - awaitMore: waits a moment for more of a sequence that has begun; false if none comes.
  mutating func next(_ read: () -> Unit?, awaitMore: () -> Bool) -> [Key]? {
    guard let unit = read() else { return nil }
    if pasted != nil { return takePasted(unit) }
    switch unit {
    case .special(Special.pasteBegins.rawValue): return beginPaste()
    case .special(let code): return Self.special(code)
    case .key(let key): return [key]
    case .scalar(27):
      guard let next = read() else { return [.escape] }
      return afterEscape(next, read, awaitMore)
    case .scalar(let code): return Self.plain(code)
    }
  }

  /// Takes bytes of what is pasted: many at once, for nobody types so fast.
  ///
  /// - Returns: the paste, if it has ended, and the bytes that came after its end.
  mutating func takePasted(_ bytes: [UInt8]) -> (keys: [Key], rest: ArraySlice<UInt8>) {
    guard pasted != nil else { return ([], bytes[...]) }
    let all = undecoded + bytes
    undecoded = []
    if let end = all.firstRange(of: Self.pasteEnd) {
      take(all[..<end.lowerBound])
      return (endPaste(), all[end.upperBound...])
    }
    // What may be the beginning of the end, or of a character, is looked at with what comes next.
    let mark = (1..<Self.pasteEnd.count).last { all.suffix($0).elementsEqual(Self.pasteEnd.prefix($0)) } ?? 0
    let text = all.dropLast(mark)
    let cut = text.suffix(3).lastIndex { $0 >= 0xc0 }
    let isWhole = cut.map { text.endIndex - $0 >= (text[$0] >= 0xf0 ? 4 : text[$0] >= 0xe0 ? 3 : 2) } ?? true
    let end = isWhole ? text.endIndex : cut ?? text.endIndex
    take(text[..<end])
    undecoded = Array(all[end...])
    return ([], [])
  }

  private static let pasteEnd = Array(Special.pasteEnds.sequence.utf8)

  private mutating func take(_ bytes: ArraySlice<UInt8>) {
    guard pastedCount <= Key.maximumPaste else { return }
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars { _ = takePasted(.scalar(scalar.value)) }
  }

  /// Ends what is pasted although its end never came: the terminal lost it.
  mutating func endPaste() -> [Key] {
    take(undecoded[...])
    undecoded = []
    guard let pasted else { return [] }
    self.pasted = nil
    return [.paste(String(pasted), isWhole: pastedCount <= Key.maximumPaste)]
  }

  private mutating func beginPaste() -> [Key] {
    (pasted, pastedCount, endsInReturn) = (.init(), 0, false)
    return []
  }

  private mutating func takePasted(_ unit: Unit) -> [Key] {
    guard case .scalar(let code) = unit else {
      return unit == .special(Special.pasteEnds.rawValue) ? endPaste() : []
    }
    // A line ends in what Enter sends; of other control characters nothing is to be had in a text.
    let wasReturn = endsInReturn
    endsInReturn = code == 13
    let scalar: Unicode.Scalar?
    switch code {
    case 10 where wasReturn: return []
    case 10, 13: scalar = "\n"
    case 9: scalar = "\t"
    case 0..<32, 127..<160: return []
    default: scalar = Unicode.Scalar(code)
    }
    guard let scalar else { return [] }
    pastedCount += 1
    if pastedCount <= Key.maximumPaste { pasted?.append(scalar) }
    return []
  }

  /// Alt and a key, or a sequence: never Escape and what comes after it, for a person presses that later.
  private mutating func afterEscape(_ unit: Unit, _ read: () -> Unit?, _ awaitMore: () -> Bool) -> [Key] {
    guard case .scalar(let code) = unit else { return unit == .special(KEY_BACKSPACE) ? [.deleteWordBefore] : [] }
    func following() -> UInt32? {
      guard let unit = read() ?? (awaitMore() ? read() : nil), case .scalar(let code) = unit else { return nil }
      return code
    }
    switch Unicode.Scalar(code) {
    case "[":
      // Parameters and intermediate bytes, then the one that ends it. Alone it is Alt and the bracket.
      var codes: [UInt32] = []
      while let code = following(), codes.count < Self.longestSequence {
        codes.append(code)
        if 0x40...0x7e ~= code { break }
      }
      // One that was read together with the end of another paste.
      if codes.elementsEqual("200~".unicodeScalars.map(\.value)) { return beginPaste() }
      return codes.isEmpty ? [.alt("[")] : []
    case "O":
      return following() == nil ? [.alt("O")] : []
    case "]", "P", "X", "^", "_":
      var text = ""
      var isEscape = false
      while text.utf8.count < Self.longestSequence, let code = following() {
        if code == 7 || isEscape && code == 92 { return Self.answer(text) }
        isEscape = code == 27
        if !isEscape, let scalar = Unicode.Scalar(code) { text.unicodeScalars.append(scalar) }
      }
      return text.isEmpty ? Unicode.Scalar(code).map { [.alt(Character($0))] } ?? [] : []
    default: break
    }
    switch code {
    case 8, 127: return [.deleteWordBefore]
    case 27: return [.escape]
    case 32...: return Unicode.Scalar(code).map { [.alt(Character($0))] } ?? []
    default: return []
    }
  }

  /// What the terminal was asked for: `11;rgb:RRRR/GGGG/BBBB`, each of one to four digits.
  private static func answer(_ text: String) -> [Key] {
    guard text.hasPrefix("11;rgb") else { return [] }
    let parts = text.split(separator: ":").last?.split(separator: "/") ?? []
    let shares = parts.prefix(3).compactMap { part -> Double? in
      guard (1...4).contains(part.count), let number = Int(part, radix: 16) else { return nil }
      return Double(number) / Double((1 << (4 * part.count)) - 1)
    }
    guard shares.count == 3 else { return [] }
    // How light it is (ITU-R BT.601).
    return [.background(isDark: 0.299 * shares[0] + 0.587 * shares[1] + 0.114 * shares[2] < 0.5)]
  }

  private static func plain(_ code: UInt32) -> [Key] {
    switch code {
    case 9: return [.tab]
    case 10, 13: return [.enter]
    case 8, 127: return [.backspace]
    case 31: return [.control("_")]
    // Control and a letter; those that mean Tab, Enter and Backspace are these. The terminal takes Ctrl-C, Ctrl-Z and Ctrl-\\.
    case 1...26: return Unicode.Scalar(code + 96).map { [.control(Character($0))] } ?? []
    case 32...: return Unicode.Scalar(code).map { [.character(Character($0))] } ?? []
    default: return []
    }
  }

  private static func special(_ code: Int32) -> [Key] {
    switch code {
    case KEY_UP, Special.shiftUp.rawValue: return [.up]
    case KEY_DOWN, Special.shiftDown.rawValue: return [.down]
    case KEY_LEFT: return [.left]
    case KEY_RIGHT: return [.right]
    case KEY_HOME: return [.home]
    case KEY_END: return [.end]
    case KEY_PPAGE: return [.pageUp]
    case KEY_NPAGE: return [.pageDown]
    case KEY_BACKSPACE: return [.backspace]
    case KEY_DC: return [.delete]
    case KEY_BTAB: return [.backTab]
    case KEY_SLEFT: return [.selectLeft]
    case KEY_SRIGHT: return [.selectRight]
    case KEY_SHOME: return [.selectHome]
    case KEY_SEND: return [.selectEnd]
    case Special.wordLeft.rawValue, Special.altLeft.rawValue: return [.wordLeft]
    case Special.wordRight.rawValue, Special.altRight.rawValue: return [.wordRight]
    case Special.selectWordLeft.rawValue: return [.selectWordLeft]
    case Special.selectWordRight.rawValue: return [.selectWordRight]
    case Special.deleteWordAfter.rawValue: return [.deleteWordAfter]
    case KEY_F0 + 6: return [.nextPane]
    case KEY_F0 + 1...KEY_F0 + 12: return [.function(Int(code - KEY_F0))]
    case KEY_ENTER: return [.enter]
    default: return []
    }
  }
}
