/// A decoder that reads a payload from the parameters of a URL.
///
/// A structure takes the parameters by name. A single value takes the only parameter of the path. The decoder reads:
///
/// - numbers, strings, raw-valued enums and optionals;
/// - `Bool` as `true`, `false`, `1` or `0`;
/// - URLs, decimals, dates and data in the forms of ``LinkText``;
/// - lists of these, from a repeated name.
///
/// The last parameter counts if a name repeats and the value is not a list. A parameter of the path hides query
/// parameters with the same name. Unknown names are ignored.
struct LinkDecoder: Decoder {
  let values: LinkValues
  private let use: Use?
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// The container that a payload asked for.
  private final class Use {
    var isSingleValue = false
  }

  init(values: LinkValues) { self.init(values, nil) }

  private init(_ values: LinkValues, _ use: Use?) {
    self.values = values
    self.use = use
  }

  /// Decodes a payload.
  ///
  /// - Throws: `DecodingError` that names the parameter, its text, and the type.
  static func decode<Payload: Decodable>(_ type: Payload.Type, from values: LinkValues) throws -> Payload {
    do {
      let only = values.path.count == 1 ? values.path.first : nil
      if let (name, text) = only, let value = try LinkText.value(type, from: text, [Name(name)]) { return value }
      do {
        return try Payload(from: LinkDecoder(values: values))
      } catch {
        guard let (name, text) = only else { throw error }
        // Only a URL with a mistake is read twice.
        let use = Use()
        _ = try? Payload(from: LinkDecoder(values, use))
        guard use.isSingleValue else { throw error }
        throw LinkMistake.wrap(error, text, type, [Name(name)])
      }
    } catch let error as DecodingError {
      throw LinkMistake.naming(error, values)
    }
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(Fields<Key>(values: values))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    throw Self.mistake([], "a payload cannot be a list: use a structure with a property for the list")
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    guard values.path.count == 1 else {
      throw Self.mistake(
        [],
        "a payload without fields, such as an Int, needs exactly one parameter in the pattern's path; this path has "
          + "\(values.path.count)")
    }
    use?.isSingleValue = true
    return Scalar(values.path[0].value, codingPath: [Name(values.path[0].name)])
  }

  static func mistake(_ path: [any CodingKey], _ description: String) -> DecodingError {
    DecodingError.dataCorrupted(.init(codingPath: path, debugDescription: description))
  }

  struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
  }

  private struct Fields<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let values: LinkValues
    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] {
      var seen: Set<String> = []
      return (values.path + values.query).compactMap { seen.insert($0.name).inserted ? Key(stringValue: $0.name) : nil }
    }

    func contains(_ key: Key) -> Bool { values.value(key.stringValue) != nil }
    func decodeNil(forKey key: Key) -> Bool { !contains(key) }

    private func scalar(_ key: Key) throws -> Scalar {
      guard let text = values.value(key.stringValue) else {
        throw DecodingError.keyNotFound(
          key, .init(codingPath: [], debugDescription: "the parameter '\(key.stringValue)' is missing"))
      }
      return Scalar(text, codingPath: [key])
    }

    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try scalar(key).decode(type) }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try scalar(key).decode(String.self) }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try scalar(key).finite() }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try scalar(key).finite() }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try scalar(key).lossless() }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try scalar(key).lossless() }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try scalar(key).lossless() }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try scalar(key).lossless() }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try scalar(key).lossless() }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try scalar(key).lossless() }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try scalar(key).lossless() }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try scalar(key).lossless() }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try scalar(key).lossless() }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try scalar(key).lossless() }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
      if let text = values.value(key.stringValue), let value = try LinkText.value(type, from: text, [key]) {
        return value
      }
      return try LinkMistake.wrapping(type, values.value(key.stringValue), [key]) {
        try T(from: FieldDecoder(texts: values.all(key.stringValue), key: key))
      }
    }

    func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
      throw LinkDecoder.mistake([key], "a URL cannot contain structures within structures")
    }
    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
      List(texts: values.all(key.stringValue), key: key)
    }
    func superDecoder() throws -> any Decoder { LinkDecoder(values: values) }
    func superDecoder(forKey key: Key) throws -> any Decoder { LinkDecoder(values: values) }
  }

  /// A decoder of one parameter, or of all parameters with the same name as a list.
  private struct FieldDecoder: Decoder {
    let texts: [String]
    let key: any CodingKey
    var codingPath: [any CodingKey] { [key] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
      throw LinkDecoder.mistake(codingPath, "a URL cannot contain structures within structures")
    }
    func unkeyedContainer() -> any UnkeyedDecodingContainer { List(texts: texts, key: key) }
    func singleValueContainer() throws -> any SingleValueDecodingContainer {
      Scalar(texts.last, codingPath: codingPath)
    }
  }

  private struct Scalar: SingleValueDecodingContainer {
    /// The text of the parameter; nil if the parameter is absent, which an optional value may be.
    private let given: String?
    let codingPath: [any CodingKey]

    init(_ text: String?, codingPath: [any CodingKey]) {
      given = text
      self.codingPath = codingPath
    }

    private func text() throws -> String {
      guard let given else {
        let key = codingPath.last ?? Name("")
        throw DecodingError.keyNotFound(
          key, .init(codingPath: [], debugDescription: "the parameter '\(key.stringValue)' is missing"))
      }
      return given
    }

    func lossless<Value: LosslessStringConvertible>() throws -> Value {
      let text = try text()
      guard let value = Value(text) else { throw LinkMistake.error(text, isNot: Value.self, codingPath) }
      return value
    }

    /// Decodes a number that is neither infinite nor NaN.
    func finite<Value: LosslessStringConvertible & BinaryFloatingPoint>() throws -> Value {
      let value: Value = try lossless()
      guard value.isFinite else { throw LinkMistake.error(given ?? "", isNot: Value.self, codingPath) }
      return value
    }

    func decodeNil() -> Bool { given == nil }
    func decode(_ type: Bool.Type) throws -> Bool {
      switch try text() {
      case "true", "1": true
      case "false", "0": false
      default: try lossless()
      }
    }
    func decode(_ type: String.Type) throws -> String { try text() }
    func decode(_ type: Double.Type) throws -> Double { try finite() }
    func decode(_ type: Float.Type) throws -> Float { try finite() }
    func decode(_ type: Int.Type) throws -> Int { try lossless() }
    func decode(_ type: Int8.Type) throws -> Int8 { try lossless() }
    func decode(_ type: Int16.Type) throws -> Int16 { try lossless() }
    func decode(_ type: Int32.Type) throws -> Int32 { try lossless() }
    func decode(_ type: Int64.Type) throws -> Int64 { try lossless() }
    func decode(_ type: UInt.Type) throws -> UInt { try lossless() }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try lossless() }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try lossless() }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try lossless() }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try lossless() }
    func decode<T: Decodable>(_ type: T.Type) throws -> T {
      if let given, let value = try LinkText.value(type, from: given, codingPath) { return value }
      return try LinkMistake.wrapping(type, given, codingPath) {
        try T(from: FieldDecoder(texts: given.map { [$0] } ?? [], key: codingPath.last ?? Name("")))
      }
    }
  }

  private struct List: UnkeyedDecodingContainer {
    let texts: [String]
    let key: any CodingKey
    var codingPath: [any CodingKey] { [key] }
    var count: Int? { texts.count }
    var isAtEnd: Bool { currentIndex >= texts.count }
    var currentIndex = 0

    init(texts: [String], key: any CodingKey) {
      self.texts = texts
      self.key = key
    }

    mutating func decodeNil() -> Bool { false }
    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
      guard !isAtEnd else {
        throw LinkDecoder.mistake(
          codingPath,
          "the list has only \(texts.count) \(texts.count == 1 ? "value" : "values"), but the type needs more")
      }
      defer { currentIndex += 1 }
      if let value = try LinkText.value(type, from: texts[currentIndex], codingPath) { return value }
      return try LinkMistake.wrapping(type, texts[currentIndex], codingPath) {
        try T(from: FieldDecoder(texts: [texts[currentIndex]], key: key))
      }
    }
    func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
      throw LinkDecoder.mistake(codingPath, "a URL cannot contain structures within lists")
    }
    func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
      throw LinkDecoder.mistake(codingPath, "a URL cannot contain lists within lists")
    }
    func superDecoder() throws -> any Decoder { FieldDecoder(texts: texts, key: key) }
  }
}
