import CNcurses

/// A decoder of ncurses input: characters, ncurses' special keys, and escape sequences that ncurses does not know.
///
/// Sources: ECMA-48, 5.4 "Control sequences"; xterm, "Control Sequences" (bracketed paste, answers to queries).
struct KeyDecoder {
  /// A unit of input from ncurses.
  enum Unit: Equatable {
    case scalar(UInt32)
    /// A special key, by ncurses' number or one of ``Special``.
    case special(Int32)
    /// A mouse action.
    case key(Key)
  }

  /// Key numbers for sequences that ncurses has no numbers for.
  enum Special: Int32, CaseIterable {
    case pasteBegins = 1000
    case pasteEnds, wordLeft, wordRight, altLeft, altRight, selectWordLeft, selectWordRight, deleteWordAfter
    case shiftUp, shiftDown

    /// The sequence that terminals send for the key.
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

  /// The longest escape sequence that is read to its end.
  private static let longestSequence = 4_096

  /// The text of an unfinished paste; nil outside of a paste.
  private var pasted: String.UnicodeScalarView?
  private var pastedCount = 0
  /// Pasted bytes whose character or end mark is incomplete.
  private var undecoded: [UInt8] = []
  /// Whether the pasted text ends in a carriage return so far; a line feed after it is dropped.
  private var endsInReturn = false

  /// Whether a paste has begun and its end has not arrived.
  var isPasting: Bool { pasted != nil }

  /// Returns the next keys; nil if there is nothing more to read.
  ///
  /// - Parameters:
  ///   - read: returns the next unit; nil if there is none now.
  ///   - awaitMore: waits a moment for the rest of a sequence; returns false if nothing arrives.
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

  /// Takes many bytes of a paste at once, because pastes arrive far faster than typed keys.
  ///
  /// - Returns: the paste if it has ended, and the bytes after its end.
  mutating func takePasted(_ bytes: [UInt8]) -> (keys: [Key], rest: ArraySlice<UInt8>) {
    guard pasted != nil else { return ([], bytes[...]) }
    let all = undecoded + bytes
    undecoded = []
    if let end = all.firstRange(of: Self.pasteEnd) {
      take(all[..<end.lowerBound])
      return (endPaste(), all[end.upperBound...])
    }
    // Bytes that may begin the end mark, or a character, wait for the next bytes.
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

  /// Ends a paste whose end mark never arrived, because the terminal lost it.
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
    // A pasted line ends in a carriage return, as Enter sends it. Other control characters have no place in text.
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

  /// Returns the key of an escape sequence, or of Alt with a key.
  ///
  /// Escape followed by a key is never read as two keys, because a user presses the second one later.
  private mutating func afterEscape(_ unit: Unit, _ read: () -> Unit?, _ awaitMore: () -> Bool) -> [Key] {
    guard case .scalar(let code) = unit else { return unit == .special(KEY_BACKSPACE) ? [.deleteWordBefore] : [] }
    func following() -> UInt32? {
      guard let unit = read() ?? (awaitMore() ? read() : nil), case .scalar(let code) = unit else { return nil }
      return code
    }
    switch Unicode.Scalar(code) {
    case "[":
      // A sequence has parameters and intermediate bytes, then a final byte. A bracket alone is Alt with the bracket.
      var codes: [UInt32] = []
      while let code = following(), codes.count < Self.longestSequence {
        codes.append(code)
        if 0x40...0x7e ~= code { break }
      }
      // The mark of a new paste, read together with the end of another.
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

  /// Returns the key of the terminal's answer to a query: `11;rgb:RRRR/GGGG/BBBB`, with one to four digits each.
  private static func answer(_ text: String) -> [Key] {
    guard text.hasPrefix("11;rgb") else { return [] }
    let parts = text.split(separator: ":").last?.split(separator: "/") ?? []
    let shares = parts.prefix(3).compactMap { part -> Double? in
      guard (1...4).contains(part.count), let number = Int(part, radix: 16) else { return nil }
      return Double(number) / Double((1 << (4 * part.count)) - 1)
    }
    guard shares.count == 3 else { return [] }
    // The luma of the color (ITU-R BT.601).
    return [.background(isDark: 0.299 * shares[0] + 0.587 * shares[1] + 0.114 * shares[2] < 0.5)]
  }

  private static func plain(_ code: UInt32) -> [Key] {
    switch code {
    case 9: return [.tab]
    case 10, 13: return [.enter]
    case 8, 127: return [.backspace]
    case 31: return [.control("_")]
    // A letter with Control; Tab, Enter and Backspace are above. The terminal itself handles Ctrl-C, Ctrl-Z and
    // Ctrl-\\.
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
