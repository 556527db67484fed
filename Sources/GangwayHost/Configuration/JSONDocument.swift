@_spi(FrontEnd) import GangwayProtocol

/// A JSON text (RFC 8259), read with the place of every value.
///
/// So an error in a hand-written file names its line and column.
struct JSONDocument {
  /// A place in the text. Line and column count from 1, and columns count characters.
  struct Place: Hashable, CustomStringConvertible {
    let line: Int
    let column: Int
    var description: String { "line \(line), column \(column)" }
  }

  /// A value, with the place where it begins.
  struct Value {
    enum Content {
      case object([(name: String, place: Place, value: Value)])
      case list([Value])
      case text(String)
      case number(String)
      case bool(Bool)
      case null
    }
    let content: Content
    let place: Place

    var kind: String {
      switch content {
      case .object: "an object"
      case .list: "a list"
      case .text: "a text"
      case .number: "a number"
      case .bool: "true or false"
      case .null: "null"
      }
    }
  }

  /// A mistake in the text, with its place.
  struct Mistake: Error, Hashable, CustomStringConvertible {
    let place: Place
    let reason: String
    var description: String { "\(place): \(reason)" }
  }

  /// The deepest nesting of values.
  static let maximumDepth = 64

  private let characters: [Character]
  private var position = 0
  private var line = 1
  private var column = 1

  private init(_ text: String) { characters = Array(text) }

  /// Reads a text.
  ///
  /// - Throws: the first ``Mistake``.
  static func read(_ text: String) throws(Mistake) -> Value {
    var document = JSONDocument(text)
    let value = try document.value(depth: 0)
    document.skipBlanks()
    if let next = document.next { throw document.mistake("unexpected text after the end: '\(next)'") }
    return value
  }

  private var place: Place { Place(line: line, column: column) }
  private var next: Character? { position < characters.count ? characters[position] : nil }

  private func mistake(_ reason: String) -> Mistake { Mistake(place: place, reason: reason) }

  @discardableResult private mutating func take() -> Character? {
    guard let character = next else { return nil }
    position += 1
    if character.isNewline {
      line += 1
      column = 1
    } else {
      column += 1
    }
    return character
  }

  private mutating func skipBlanks() {
    while let character = next, character == " " || character == "\t" || character.isNewline { take() }
  }

  private mutating func expect(_ wanted: Character, _ where: String) throws(Mistake) {
    guard next == wanted else {
      let end = next.map { "; found '\($0)' instead" } ?? " at the end of the text"
      throw mistake("'\(wanted)' is missing \(`where`)" + end)
    }
    take()
  }

  private mutating func value(depth: Int) throws(Mistake) -> Value {
    skipBlanks()
    let start = place
    guard depth < Self.maximumDepth else { throw mistake("values are nested deeper than \(Self.maximumDepth)") }
    switch next {
    case "{": return Value(content: .object(try object(depth)), place: start)
    case "[": return Value(content: .list(try list(depth)), place: start)
    case "\"": return Value(content: .text(try text()), place: start)
    case nil: throw mistake("a value is missing at the end of the text")
    default: return Value(content: try word(), place: start)
    }
  }

  private mutating func object(_ depth: Int) throws(Mistake) -> [(name: String, place: Place, value: Value)] {
    var fields: [(name: String, place: Place, value: Value)] = []
    take()
    skipBlanks()
    if next == "}" {
      take()
      return fields
    }
    while true {
      skipBlanks()
      let start = place
      guard next == "\"" else {
        throw mistake("a name in quotes is missing" + (next.map { "; found '\($0)' instead" } ?? ""))
      }
      let name = try text()
      if fields.contains(where: { $0.name == name }) {
        throw Mistake(place: start, reason: "'\(name)' occurs twice")
      }
      skipBlanks()
      try expect(":", "after the name '\(name)'")
      fields.append((name, start, try value(depth: depth + 1)))
      skipBlanks()
      if next == "}" { break }
      try expect(",", "before the next field, or '}' after the last field")
    }
    take()
    return fields
  }

  private mutating func list(_ depth: Int) throws(Mistake) -> [Value] {
    var values: [Value] = []
    take()
    skipBlanks()
    if next == "]" {
      take()
      return values
    }
    while true {
      values.append(try value(depth: depth + 1))
      skipBlanks()
      if next == "]" { break }
      try expect(",", "between two values, or ']' after the last value")
    }
    take()
    return values
  }

  private mutating func text() throws(Mistake) -> String {
    var text = ""
    take()
    while let character = next {
      switch character {
      case "\"":
        take()
        return text
      case "\\": text += try escape()
      case _ where character.isNewline: throw mistake("a '\"' is missing at the end of the line")
      default:
        text.append(character)
        take()
      }
    }
    throw mistake("a '\"' is missing at the end of the text")
  }

  private mutating func escape() throws(Mistake) -> String {
    let start = mistake("this is not an escape: '\\' must be followed by one of \" \\ / b f n r t u")
    take()
    switch take() {
    case "\"": return "\""
    case "\\": return "\\"
    case "/": return "/"
    case "b": return "\u{8}"
    case "f": return "\u{c}"
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "u":
      var unit = try hexadecimal(start)
      if (0xD800..<0xDC00).contains(unit), next == "\\" {
        take()
        guard take() == "u" else { throw start }
        unit = 0x10000 + (unit - 0xD800) << 10 + (try hexadecimal(start)) - 0xDC00
      }
      guard let scalar = Unicode.Scalar(unit) else { throw start }
      return String(Character(scalar))
    default: throw start
    }
  }

  private mutating func hexadecimal(_ mistake: Mistake) throws(Mistake) -> UInt32 {
    var digits = ""
    for _ in 0..<4 { take().map { digits.append($0) } }
    guard digits.count == 4, let value = UInt32(digits, radix: 16) else { throw mistake }
    return value
  }

  private mutating func word() throws(Mistake) -> Value.Content {
    let start = mistake("")
    var word = ""
    while let character = next, character.isLetter || character.isNumber || "+-.".contains(character) {
      word.append(character)
      take()
    }
    switch word {
    case "true": return .bool(true)
    case "false": return .bool(false)
    case "null": return .null
    default:
      guard let first = word.first, first == "-" || first.isNumber, Double(word) != nil else {
        let found = word.isEmpty ? next.map { String($0) } ?? "" : word
        throw Mistake(place: start.place, reason: "'\(found)' is not a value")
      }
      return .number(word)
    }
  }
}

extension JSONDocument.Value {
  /// The value as JSON text (RFC 8259), on one line.
  var json: String {
    switch content {
    case .object(let fields): "{\(fields.map { "\(Self.quoted($0.name)):\($0.value.json)" }.joined(separator: ","))}"
    case .list(let values): "[\(values.map(\.json).joined(separator: ","))]"
    case .text(let text): Self.quoted(text)
    case .number(let number): number
    case .bool(let isTrue): "\(isTrue)"
    case .null: "null"
    }
  }

  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": quoted += "\\\(scalar)"
      case _ where scalar.value < 0x20:
        quoted += "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}

/// The reading of a value as the type that is needed; otherwise the mistake names both.
extension JSONDocument.Value {
  private func mistake(_ wanted: String) -> JSONDocument.Mistake {
    JSONDocument.Mistake(place: place, reason: "\(wanted) is needed here, not \(kind)")
  }

  func fields() throws(JSONDocument.Mistake) -> [(name: String, place: JSONDocument.Place, value: Self)] {
    guard case .object(let fields) = content else { throw mistake("an object") }
    return fields
  }

  func values() throws(JSONDocument.Mistake) -> [Self] {
    guard case .list(let values) = content else { throw mistake("a list") }
    return values
  }

  func string() throws(JSONDocument.Mistake) -> String {
    guard case .text(let text) = content else { throw mistake("a text") }
    return text
  }

  func bool() throws(JSONDocument.Mistake) -> Bool {
    guard case .bool(let isTrue) = content else { throw mistake("true or false") }
    return isTrue
  }

  func strings() throws(JSONDocument.Mistake) -> [String] {
    var texts: [String] = []
    for value in try values() { texts.append(try value.string()) }
    return texts
  }
}

extension JSONDocument {
  /// Returns the mistake of a field that the format does not have.
  static func unknownField(_ name: String, _ place: Place, _ known: [String]) -> Mistake {
    Mistake(
      place: place,
      reason: "there is no field '\(name)' here.\(suggestion(for: name, among: known)) Fields: "
        + known.joined(separator: ", "))
  }

  /// Returns the question that follows a message about an unknown name; empty without a similar name.
  static func suggestion(for name: String, among known: [String]) -> String {
    NearestMatch.of(name, among: known).map { " Did you mean '\($0)'?" } ?? ""
  }
}
