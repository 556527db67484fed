/// An encoder that writes a payload as the parameters of a URL: the inverse of ``LinkDecoder``.
struct LinkEncoder: Encoder {
  private final class Sink {
    var values: [(name: String, value: String)] = []
  }

  private let sink = Sink()
  /// The name for a single value: the only parameter of the pattern's path.
  private let single: String?
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  private init(single: String?) { self.single = single }

  /// Returns the parameters that represent a payload.
  ///
  /// - Throws: `EncodingError` if the payload holds a value that a URL cannot represent.
  static func values(of payload: some Encodable, single: String?) throws -> [(name: String, value: String)] {
    let encoder = LinkEncoder(single: single)
    if let single, let text = LinkText.text(of: payload) { return [(single, text)] }
    try payload.encode(to: encoder)
    return encoder.sink.values
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(Fields<Key>(sink: sink))
  }
  func unkeyedContainer() -> any UnkeyedEncodingContainer { Items(sink: sink, name: single) }
  func singleValueContainer() -> any SingleValueEncodingContainer { Items(sink: sink, name: single) }

  private struct Nested: Encoder {
    let sink: Sink
    let name: String?
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }
    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
      KeyedEncodingContainer(Refusing<Key>())
    }
    func unkeyedContainer() -> any UnkeyedEncodingContainer { Items(sink: sink, name: name) }
    func singleValueContainer() -> any SingleValueEncodingContainer { Items(sink: sink, name: name) }
  }

  static func refusal(_ value: Any) -> EncodingError {
    EncodingError.invalidValue(
      value, .init(codingPath: [], debugDescription: "a URL can contain only names with plain values or lists of them"))
  }

  /// A container for the values of one name: a single value, or the elements of a list.
  private struct Items: SingleValueEncodingContainer, UnkeyedEncodingContainer {
    let sink: Sink
    let name: String?
    var codingPath: [any CodingKey] { [] }
    private(set) var count = 0

    init(sink: Sink, name: String?) {
      self.sink = sink
      self.name = name
    }

    private func add(_ text: String) throws {
      guard let name else { throw LinkEncoder.refusal(text) }
      sink.values.append((name, text))
    }

    private func addFinite(_ value: some BinaryFloatingPoint & CustomStringConvertible) throws {
      guard value.isFinite else { throw LinkEncoder.refusal(value) }
      try add(value.description)
    }

    func encodeNil() throws {}
    func encode(_ value: Bool) throws { try add("\(value)") }
    func encode(_ value: String) throws { try add(value) }
    func encode(_ value: Double) throws { try addFinite(value) }
    func encode(_ value: Float) throws { try addFinite(value) }
    func encode(_ value: Int) throws { try add("\(value)") }
    func encode(_ value: Int8) throws { try add("\(value)") }
    func encode(_ value: Int16) throws { try add("\(value)") }
    func encode(_ value: Int32) throws { try add("\(value)") }
    func encode(_ value: Int64) throws { try add("\(value)") }
    func encode(_ value: UInt) throws { try add("\(value)") }
    func encode(_ value: UInt8) throws { try add("\(value)") }
    func encode(_ value: UInt16) throws { try add("\(value)") }
    func encode(_ value: UInt32) throws { try add("\(value)") }
    func encode(_ value: UInt64) throws { try add("\(value)") }
    func encode<T: Encodable>(_ value: T) throws {
      if let text = LinkText.text(of: value) { return try add(text) }
      try value.encode(to: Nested(sink: sink, name: name))
    }

    func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
      KeyedEncodingContainer(Refusing<Key>())
    }
    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { Items(sink: sink, name: nil) }
    func superEncoder() -> any Encoder { Nested(sink: sink, name: nil) }
  }

  private struct Fields<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let sink: Sink
    var codingPath: [any CodingKey] { [] }
    func encodeNil(forKey key: Key) throws {}
    func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
      try Items(sink: sink, name: key.stringValue).encode(value)
    }
    func nestedContainer<NestedKey: CodingKey>(
      keyedBy type: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> { KeyedEncodingContainer(Refusing<NestedKey>()) }
    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
      Items(sink: sink, name: key.stringValue)
    }
    func superEncoder() -> any Encoder { Nested(sink: sink, name: nil) }
    func superEncoder(forKey key: Key) -> any Encoder { Nested(sink: sink, name: key.stringValue) }
  }

  /// A container for structures within structures, which a URL cannot represent; encoding a value throws.
  private struct Refusing<Key: CodingKey>: KeyedEncodingContainerProtocol {
    var codingPath: [any CodingKey] { [] }
    func encodeNil(forKey key: Key) throws { throw LinkEncoder.refusal(key.stringValue) }
    func encode<T: Encodable>(_ value: T, forKey key: Key) throws { throw LinkEncoder.refusal(value) }
    func nestedContainer<NestedKey: CodingKey>(
      keyedBy type: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> { KeyedEncodingContainer(Refusing<NestedKey>()) }
    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { Items(sink: Sink(), name: nil) }
    func superEncoder() -> any Encoder { Nested(sink: Sink(), name: nil) }
    func superEncoder(forKey key: Key) -> any Encoder { Nested(sink: Sink(), name: nil) }
  }
}
