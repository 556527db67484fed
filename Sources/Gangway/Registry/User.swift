/// The signed-in user of a session.
public struct User: Hashable, Identifiable, Sendable {
  /// The id of the user, which stays the same when the name changes.
  public let id: String
  /// The name for display.
  public let name: String

  /// Creates a user, such as for a test.
  public init(id: String, name: String) {
    self.id = id
    self.name = name
  }
}
