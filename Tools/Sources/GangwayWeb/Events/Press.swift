@_spi(FrontEnd) import GangwayProtocol

/// The message that a page sends for a user action: words separated by spaces.
///
/// The first word names the action. Each word is percent-encoded (RFC 3986), so that it can contain any text. In the
/// page's form, the message is the value of a button or the name of an input.
struct Press: Hashable {
  /// The message.
  let text: String

  /// Creates the message of an event.
  init(_ action: Event.Action) {
    func words(_ name: String, _ target: Event.ElementReference, _ rest: String...) -> String {
      ([name, "\(target.node)", Self.encoded(target.element.rawValue)] + rest).joined(separator: " ")
    }
    text =
      switch action {
      case .tap(let target): words("tap", target)
      case .edit(let target, _): words("edit", target)
      case .toggle(let target, let isOn): words("toggle", target, isOn ? "on" : "off")
      case .choose(let target, let option): words("choose", target, Self.encoded(option))
      case .cell(let target, let row, let column): words("cell", target, "\(row)", "\(column)")
      case .expand(let target, let isExpanded): words("expand", target, isExpanded ? "on" : "off")
      case .select(let target, let keys): ([words("select", target)] + keys.map(Self.encoded)).joined(separator: " ")
      case .sort(let target, let column, let order): words("sort", target, order.rawValue, Self.encoded(column))
      case .submit(let target): words("submit", target)
      // The page sends the file itself in a request of its own.
      case .file(let target, _): words("file", target)
      case .window(let target, let first, let count): words("window", target, "\(first)", "\(count)")
      case .tab(let node): "tab \(node)"
      case .back: "back"
      case .backTo(let node): "backTo \(node)"
      case .dismiss: "dismiss"
      case .focus(let node, let element): "focus \(node)" + (element.map { " " + Self.encoded($0.rawValue) } ?? "")
      case .scroll(let node, let lines): "scroll \(node) \(lines)"
      case .open(let url): "open " + Self.encoded(url)
      case .undo: "undo"
      case .redo: "redo"
      case .undoNotice(let notice): "undoNotice \(notice)"
      @unknown default: ""
      }
  }

  /// Creates the name of an input: the words of its event, without the content.
  init(input name: String, _ node: NodeID, _ element: ElementID) {
    text = "\(name) \(node) \(Self.encoded(element.rawValue))"
  }

  /// Returns the element of a message about a file; nil if the message is another one.
  static func fileTarget(_ text: String) -> Event.ElementReference? {
    let words = text.split(separator: " ").map { decoded($0) }
    guard words.count == 3, words[0] == "file", let node = words[1].flatMap({ Int($0) }), let element = words[2]
    else { return nil }
    return .init(node: NodeID(rawValue: node), element: ElementID(rawValue: element))
  }

  /// Returns the event of a message; nil if the message is not valid.
  ///
  /// - Parameter content: the text of an edit.
  static func action(_ text: String, content: String? = nil) -> Event.Action? {
    guard text.utf8.count <= 65_536 else { return nil }
    var words = text.split(separator: " ", omittingEmptySubsequences: false).map { decoded($0) }[...]
    func word() -> String? { words.popFirst() ?? nil }
    func number() -> Int? { word().flatMap { Int($0) } }
    func node() -> NodeID? { number().map(NodeID.init(rawValue:)) }
    func target() -> Event.ElementReference? {
      guard let node = node(), let element = word() else { return nil }
      return Event.ElementReference(node: node, element: ElementID(rawValue: element))
    }
    func isOn() -> Bool? {
      switch word() {
      case "on": true
      case "off": false
      default: nil
      }
    }
    func read() -> Event.Action? {
      switch word() {
      case "tap": target().map { .tap($0) }
      case "edit": content.flatMap { content in target().map { .edit($0, text: content) } }
      case "toggle": target().flatMap { target in isOn().map { .toggle(target, isOn: $0) } }
      case "choose": target().flatMap { target in word().map { .choose(target, option: $0) } }
      case "cell":
        target().flatMap { target in
          number().flatMap { row in number().map { .cell(target, row: row, column: $0) } }
        }
      case "expand": target().flatMap { target in isOn().map { .expand(target, isExpanded: $0) } }
      case "select": target().flatMap { target in keys().map { .select(target, keys: $0) } }
      case "sort":
        target().flatMap { target in
          word().flatMap { Element.Column.Order(rawValue: $0) }.flatMap { order in
            word().map { .sort(target, column: $0, order: order) }
          }
        }
      case "submit": target().map { .submit($0) }
      case "window":
        target().flatMap { target in
          number().flatMap { first in number().map { .window(target, first: first, count: $0) } }
        }
      case "tab": node().map { .tab($0) }
      case "back": .back
      case "backTo": node().map { .backTo($0) }
      case "dismiss": .dismiss
      case "focus": node().map { .focus($0, words.isEmpty ? nil : word().map(ElementID.init(rawValue:))) }
      case "scroll": node().flatMap { node in number().map { .scroll(node, lines: $0) } }
      case "open": word().map { .open($0) }
      case "undo": .undo
      case "redo": .redo
      case "undoNotice": number().map { .undoNotice(NoticeID(rawValue: $0)) }
      default: nil
      }
    }
    func keys() -> [String]? {
      let rest = Array(words)
      words = []
      let keys = rest.compactMap(\.self)
      return keys.count == rest.count ? keys : nil
    }
    let action = read()
    return words.isEmpty ? action : nil
  }

  /// Returns a text as one word; unreserved characters (RFC 3986, 2.3) stay as they are.
  static func encoded(_ text: String) -> String {
    if text.utf8.allSatisfy(isPlain) { return text }
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      if isPlain(byte) {
        bytes.append(byte)
      } else {
        bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static let digits = Array("0123456789ABCDEF".utf8)

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
      UInt8(ascii: "~"):
      true
    default: false
    }
  }

  /// Returns the text of a word; nil if its encoding is not valid.
  static func decoded(_ word: some StringProtocol) -> String? {
    var bytes: [UInt8] = []
    var rest = Substring(word).utf8[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.popFirst().flatMap(value), let low = rest.popFirst().flatMap(value) else { return nil }
      bytes.append(high << 4 | low)
    }
    return String(validating: bytes, as: UTF8.self)
  }

  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
