/// Reads a payload from the parameters of a URL.
///
/// A structure takes them by name; a single value takes the only parameter of the path. Numbers, texts, `Bool` (`true`,
/// `false`, `1`, `0`), raw-valued enums, optionals and, for a repeated name, lists of these are read; of a repeated
/// name that is no list the last one counts. Unknown names are passed over.
struct LinkDecoder: Decoder {
  let values: LinkValues
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(Fields<Key>(values: values))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    throw Self.mistake([], "a list needs a name in the URL")
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    guard values.path.count == 1 else {
      throw Self.mistake(
        [], "a single value needs exactly one parameter in the pattern's path, which has \(values.path.count)")
    }
    return Scalar(text: values.path[0].value, codingPath: [Name(values.path[0].name)])
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
    var allKeys: [Key] { (values.path + values.query).compactMap { Key(stringValue: $0.name) } }

    func contains(_ key: Key) -> Bool { values.value(key.stringValue) != nil }
    func decodeNil(forKey key: Key) -> Bool { !contains(key) }

    private func scalar(_ key: Key) throws -> Scalar {
      guard let text = values.value(key.stringValue) else {
        throw DecodingError.keyNotFound(
          key, .init(codingPath: [], debugDescription: "the parameter '\(key.stringValue)' is missing"))
      }
      return Scalar(text: text, codingPath: [key])
    }

    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try scalar(key).decode(type) }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try scalar(key).text }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try scalar(key).lossless() }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try scalar(key).lossless() }
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
      try T(from: FieldDecoder(texts: values.all(key.stringValue), key: key))
    }

    func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
      throw LinkDecoder.mistake([key], "a URL holds no structures within structures")
    }
    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
      List(texts: values.all(key.stringValue), key: key)
    }
    func superDecoder() throws -> any Decoder { LinkDecoder(values: values) }
    func superDecoder(forKey key: Key) throws -> any Decoder { LinkDecoder(values: values) }
  }

  /// Reads one parameter, or a list of those of one name.
  private struct FieldDecoder: Decoder {
    let texts: [String]
    let key: any CodingKey
    var codingPath: [any CodingKey] { [key] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
      throw LinkDecoder.mistake(codingPath, "a URL holds no structures within structures")
    }
    func unkeyedContainer() -> any UnkeyedDecodingContainer { List(texts: texts, key: key) }
    func singleValueContainer() throws -> any SingleValueDecodingContainer {
      guard let text = texts.last else {
        throw DecodingError.keyNotFound(
          key, .init(codingPath: [], debugDescription: "the parameter '\(key.stringValue)' is missing"))
      }
      return Scalar(text: text, codingPath: codingPath)
    }
  }

  private struct Scalar: SingleValueDecodingContainer {
    let text: String
    let codingPath: [any CodingKey]

    func lossless<Value: LosslessStringConvertible>() throws -> Value {
      guard let value = Value(text) else {
        let name = codingPath.last?.stringValue ?? ""
        throw LinkDecoder.mistake(codingPath, "'\(name)' is no \(Value.self): '\(text.prefix(80))'")
      }
      return value
    }

    func decodeNil() -> Bool { false }
    func decode(_ type: Bool.Type) throws -> Bool {
      switch text {
      case "true", "1": true
      case "false", "0": false
      default: try lossless()
      }
    }
    func decode(_ type: String.Type) -> String { text }
    func decode(_ type: Double.Type) throws -> Double { try lossless() }
    func decode(_ type: Float.Type) throws -> Float { try lossless() }
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
      try T(from: FieldDecoder(texts: [text], key: codingPath.last ?? Name("")))
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
      guard !isAtEnd else { throw LinkDecoder.mistake(codingPath, "there are only \(texts.count)") }
      defer { currentIndex += 1 }
      return try T(from: FieldDecoder(texts: [texts[currentIndex]], key: key))
    }
    func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
      throw LinkDecoder.mistake(codingPath, "a URL holds no structures within lists")
    }
    func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
      throw LinkDecoder.mistake(codingPath, "a URL holds no lists within lists")
    }
    func superDecoder() throws -> any Decoder { FieldDecoder(texts: texts, key: key) }
  }
}
