/// Text of HTML (WHATWG, HTML Living Standard), written from its beginning to its end: what comes from outside is escaped, always.
struct HTML: Equatable {
  private(set) var text = ""

  init() {}

  /// Makes what a function writes.
  init(_ content: (inout HTML) -> Void) { content(&self) }

  /// The name of an element.
  typealias Name = String

  /// An attribute of an element: nil leaves it out, and `.present` is one without a value.
  enum Value: ExpressibleByStringLiteral, ExpressibleByStringInterpolation, ExpressibleByBooleanLiteral {
    case text(String)
    case present
    case absent

    init(stringLiteral value: String) { self = .text(value) }
    init(booleanLiteral value: Bool) { self = value ? .present : .absent }
    init(_ text: String?) { self = text.map { .text($0) } ?? .absent }
    init(_ isPresent: Bool) { self = isPresent ? .present : .absent }
  }

  /// The attributes of an element, in the order in which they are written.
  struct Attributes: ExpressibleByDictionaryLiteral {
    var pairs: [(String, Value)]
    init(dictionaryLiteral elements: (String, Value)...) { pairs = elements }
    static func + (first: Attributes, second: Attributes) -> Attributes {
      var sum = first
      sum.pairs += second.pairs
      return sum
    }
  }

  /// Begins an element, writes what is in it, and ends it.
  mutating func element(_ name: String, _ attributes: Attributes = [:], _ content: (inout HTML) -> Void) {
    open(name, attributes)
    content(&self)
    text += "</\(name)>"
  }

  /// An element with nothing in it.
  mutating func element(_ name: Name, _ attributes: Attributes = [:]) { element(name, attributes) { _ in } }

  /// An element with a text alone.
  mutating func element(_ name: String, _ attributes: Attributes = [:], text content: String) {
    element(name, attributes) { $0.add(content) }
  }

  /// Begins an element that is not ended, such as `input`.
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

  /// Ends an element that was begun.
  mutating func close(_ name: String) { text += "</\(name)>" }

  /// Adds text as it is to be read.
  mutating func add(_ content: String) { escape(content) }

  /// Adds what is part of the page's own, such as its first line.
  mutating func raw(_ content: StaticString) { text += content.description }

  /// Adds what is HTML already.
  mutating func add(_ other: HTML) { text += other.text }

  private mutating func escape(_ content: String) {
    for scalar in content.unicodeScalars {
      switch scalar {
      case "&": text += "&amp;"
      case "<": text += "&lt;"
      case ">": text += "&gt;"
      case "\"": text += "&quot;"
      case "'": text += "&#39;"
      // Which no document may have, and what turns the direction of writing for all that follows.
      case "\u{0}"..."\u{8}", "\u{b}"..."\u{1f}", "\u{7f}"..."\u{9f}", "\u{202a}"..."\u{202e}",
        "\u{2066}"..."\u{2069}":
        text += "\u{fffd}"
      default: text.unicodeScalars.append(scalar)
      }
    }
  }
}
