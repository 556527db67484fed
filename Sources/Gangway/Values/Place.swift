#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A place in another feature: a stable id and a payload.
///
/// Neither feature needs the other at compile time, because the payload travels as JSON.
public struct Place: Hashable, Sendable {
  /// The registered id, `plugin.name`.
  public let id: ContributionID
  /// The payload as JSON text.
  public let payload: String
  /// The version that encoded the payload; 0 stands for the version of the plugin that shows the place.
  let schema: Int

  /// Creates a place.
  ///
  /// - Parameters:
  ///   - id: the id under which the other feature registered a coordinator, such as `todos.detail`.
  ///   - payload: a value of the type that the coordinator's initializer takes, or of one that encodes alike.
  /// - Throws: ``NavigationError`` with the code `payload` if the payload does not encode.
  public init(_ id: ContributionID, with payload: some Encodable & Sendable) throws {
    self.id = id
    schema = 0
    do {
      self.payload = try StoredValue.encode(payload)
    } catch {
      throw NavigationError(.payloadDoesNotEncode(place: id, why: "\(error)"))
    }
  }

  /// Creates a place that takes no payload.
  public init(_ id: ContributionID) {
    self.id = id
    schema = 0
    self.payload = "{}"
  }

  init(id: ContributionID, payload: String, schema: Int = 0) {
    self.id = id
    self.payload = payload
    self.schema = schema
  }
}

/// The payload of a place that takes none.
public struct NoPayload: Codable, Hashable, Sendable {
  /// Creates the empty payload.
  public init() {}
}

/// Conversion of values to and from the JSON text of checkpoints.
enum StoredValue {
  private static let encoder: JSONEncoder = {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return encoder
  }()
  private static let decoder = JSONDecoder()

  /// Returns the value as JSON with sorted keys, so that equal values have equal text.
  static func encode(_ value: some Encodable) throws -> String {
    String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  static func decode<Value: Decodable>(_ type: Value.Type, from text: String) throws -> Value {
    try decoder.decode(type, from: Data(text.utf8))
  }
}
