/// The name of a session of a host. The front end chooses it.
public struct SessionID: RawRepresentable, Codable, Hashable, Sendable, ExpressibleByStringLiteral,
  CustomStringConvertible
{
  /// The text in messages.
  public let rawValue: String
  /// Makes a name from the text in messages.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// Makes a name from a literal.
  public init(stringLiteral text: String) { rawValue = text }
  /// The text in messages.
  public var description: String { rawValue }
}

/// The number of an event within a session. The front end chooses it, and the host answers with it.
public typealias EventID = Int
/// The number of a node in a session's navigation tree. A session uses each number only once.
public struct NodeID: RawRepresentable, Codable, Hashable, Comparable, Sendable, ExpressibleByIntegerLiteral,
  CustomStringConvertible
{
  /// The number in messages.
  public let rawValue: Int
  /// Makes an id from the number in messages.
  public init(rawValue: Int) { self.rawValue = rawValue }
  /// Makes an id from a literal.
  public init(integerLiteral number: Int) { rawValue = number }
  /// Orders nodes by their age.
  public static func < (first: NodeID, second: NodeID) -> Bool { first.rawValue < second.rawValue }
  /// The number in messages.
  public var description: String { "\(rawValue)" }

  /// Returns the id of a node that a session makes later.
  @_spi(FrontEnd) public static func + (id: NodeID, count: Int) -> NodeID { NodeID(rawValue: id.rawValue + count) }
  package static func += (id: inout NodeID, count: Int) { id = id + count }
}

/// The number of a notice that can be undone. No node of the session has the same number.
public typealias NoticeID = Int
/// The name of an element within its screen.
public typealias ElementID = String
/// The number of a presentation of a session, from 1.
public typealias Revision = Int
