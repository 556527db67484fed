/// A name or number of one kind of thing. Messages have it as a bare text or number.
public protocol Identifier: RawRepresentable, Codable, Hashable, Sendable, CustomStringConvertible {
  /// Makes an id from the text or number in messages.
  init(rawValue: RawValue)
}

extension Identifier {
  /// The text or number in messages.
  public var description: String { "\(rawValue)" }
}

extension Identifier where RawValue: Comparable {
  /// Orders ids by their texts or numbers. Of two numbered things, the older one has the lower number.
  public static func < (first: Self, second: Self) -> Bool { first.rawValue < second.rawValue }
}

extension Identifier where RawValue == String {
  /// Makes an id from a literal.
  public init(stringLiteral text: String) { self.init(rawValue: text) }
}

extension Identifier where RawValue == Int {
  /// Makes an id from a literal.
  public init(integerLiteral number: Int) { self.init(rawValue: number) }
  /// Returns a later id.
  @_spi(FrontEnd) public static func + (id: Self, count: Int) -> Self { Self(rawValue: id.rawValue + count) }
  package static func += (id: inout Self, count: Int) { id = id + count }
}

/// The id of a plugin, `[a-z][a-z0-9-]*`, which the plugin chooses.
public struct PluginID: Identifier, Comparable, CodingKeyRepresentable, ExpressibleByStringLiteral {
  /// The text in messages.
  public let rawValue: String
  /// Makes an id from the text in messages.
  public init(rawValue: String) { self.rawValue = rawValue }
}

/// The name of a session of a host. The front end chooses it.
public struct SessionID: Identifier, ExpressibleByStringLiteral {
  /// The text in messages.
  public let rawValue: String
  /// Makes a name from the text in messages.
  public init(rawValue: String) { self.rawValue = rawValue }
}

/// The number of an event within a session. The front end chooses it, and the host answers with it.
public struct EventID: Identifier, Comparable, ExpressibleByIntegerLiteral {
  /// The number in messages.
  public let rawValue: Int
  /// Makes an id from the number in messages.
  public init(rawValue: Int) { self.rawValue = rawValue }
}

/// The number of a node in a session's navigation tree. A session uses each number only once.
public struct NodeID: Identifier, Comparable, ExpressibleByIntegerLiteral {
  /// The number in messages.
  public let rawValue: Int
  /// Makes an id from the number in messages.
  public init(rawValue: Int) { self.rawValue = rawValue }
}

/// The number of a notice that can be undone. No node of the session has the same number.
public struct NoticeID: Identifier, Comparable, ExpressibleByIntegerLiteral {
  /// The number in messages.
  public let rawValue: Int
  /// Makes an id from the number in messages.
  public init(rawValue: Int) { self.rawValue = rawValue }
}

/// The name of an element within its screen.
public struct ElementID: Identifier, Comparable, CodingKeyRepresentable, ExpressibleByStringInterpolation {
  /// The text in messages.
  public let rawValue: String
  /// Makes a name from the text in messages.
  public init(rawValue: String) { self.rawValue = rawValue }
}

/// The number of a presentation of a session, from 1.
public struct Revision: Identifier, Comparable, ExpressibleByIntegerLiteral {
  /// The number in messages.
  public let rawValue: Int
  /// Makes a revision from the number in messages.
  public init(rawValue: Int) { self.rawValue = rawValue }
}

// Without these, a container makes a nested coder for each id, which takes longer than the text or number in it.
// Synthesized coding uses them too.
extension KeyedDecodingContainer {
  package func decode<ID: Identifier>(_ type: ID.Type, forKey key: Key) throws -> ID where ID.RawValue == String {
    ID(rawValue: try decode(String.self, forKey: key))
  }

  package func decode<ID: Identifier>(_ type: ID.Type, forKey key: Key) throws -> ID where ID.RawValue == Int {
    ID(rawValue: try decode(Int.self, forKey: key))
  }

  package func decodeIfPresent<ID: Identifier>(_ type: ID.Type, forKey key: Key) throws -> ID?
  where ID.RawValue == String {
    try decodeIfPresent(String.self, forKey: key).map { ID(rawValue: $0) }
  }

  package func decodeIfPresent<ID: Identifier>(_ type: ID.Type, forKey key: Key) throws -> ID?
  where ID.RawValue == Int {
    try decodeIfPresent(Int.self, forKey: key).map { ID(rawValue: $0) }
  }
}

extension KeyedEncodingContainer {
  package mutating func encode<ID: Identifier>(_ id: ID, forKey key: Key) throws where ID.RawValue == String {
    try encode(id.rawValue, forKey: key)
  }

  package mutating func encode<ID: Identifier>(_ id: ID, forKey key: Key) throws where ID.RawValue == Int {
    try encode(id.rawValue, forKey: key)
  }

  package mutating func encodeIfPresent<ID: Identifier>(_ id: ID?, forKey key: Key) throws where ID.RawValue == String {
    try encodeIfPresent(id?.rawValue, forKey: key)
  }

  package mutating func encodeIfPresent<ID: Identifier>(_ id: ID?, forKey key: Key) throws where ID.RawValue == Int {
    try encodeIfPresent(id?.rawValue, forKey: key)
  }
}
