/// HTML text (WHATWG, HTML Living Standard), written from start to end; content from outside is always escaped.
struct HTML: Equatable {
  private(set) var text = ""

  init() {}

  /// Creates the HTML that a function writes.
  init(_ content: (inout HTML) -> Void) { content(&self) }

  /// The name of an element.
  typealias Name = String

  /// The value of an attribute: a text, `.present` for no value, or `.absent` to leave out the attribute.
  enum Value: ExpressibleByStringLiteral, ExpressibleByStringInterpolation, ExpressibleByBooleanLiteral {
    case text(String)
    case present
    case absent

    init(stringLiteral value: String) { self = .text(value) }
    init(booleanLiteral value: Bool) { self = value ? .present : .absent }
    init(_ text: String?) { self = text.map { .text($0) } ?? .absent }
    init(_ isPresent: Bool) { self = isPresent ? .present : .absent }
  }

  /// The attributes of an element, in writing order.
  struct Attributes: ExpressibleByDictionaryLiteral {
    var pairs: [(String, Value)]
    init(dictionaryLiteral elements: (String, Value)...) { pairs = elements }
    static func + (first: Attributes, second: Attributes) -> Attributes {
      var sum = first
      sum.pairs += second.pairs
      return sum
    }
  }

  /// Writes an element with its content.
  mutating func element(_ name: String, _ attributes: Attributes = [:], _ content: (inout HTML) -> Void) {
    open(name, attributes)
    content(&self)
    text += "</\(name)>"
  }

  /// Writes an empty element.
  mutating func element(_ name: Name, _ attributes: Attributes = [:]) { element(name, attributes) { _ in } }

  /// Writes an element that contains only text.
  mutating func element(_ name: String, _ attributes: Attributes = [:], text content: String) {
    element(name, attributes) { $0.add(content) }
  }

  /// Writes the start tag of an element, such as `input`, which has no end tag.
  mutating func open(_ name: String, _ attributes: Attributes = [:]) {
    text += "<\(name)"
    for (key, value) in attributes.pairs {
      switch value {
      case .absent: break
      case .present: text += " \(key)"
      case .text(let value):
        text += " \(key)=\""
        escape(value)
        text += "\""
      }
    }
    text += ">"
  }

  /// Writes an end tag.
  mutating func close(_ name: String) { text += "</\(name)>" }

  /// Writes text, escaped.
  mutating func add(_ content: String) { escape(content) }

  /// Writes a constant as it is, such as the first line of a page.
  mutating func raw(_ content: StaticString) { text += content.description }

  /// Writes HTML as it is.
  mutating func add(_ other: HTML) { text += other.text }

  private mutating func escape(_ content: String) {
    for scalar in content.unicodeScalars {
      switch scalar {
      case "&": text += "&amp;"
      case "<": text += "&lt;"
      case ">": text += "&gt;"
      case "\"": text += "&quot;"
      case "'": text += "&#39;"
      // Control characters are not allowed in a document, and direction overrides would affect all later text.
      case "\u{0}"..."\u{8}", "\u{b}"..."\u{1f}", "\u{7f}"..."\u{9f}", "\u{202a}"..."\u{202e}",
        "\u{2066}"..."\u{2069}":
        text += "\u{fffd}"
      default: text.unicodeScalars.append(scalar)
      }
    }
  }
}
