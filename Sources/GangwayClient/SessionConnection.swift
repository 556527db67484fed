@_spi(FrontEnd) import GangwayProtocol

/// A front end's connection to a session, in this process or another.
@_spi(FrontEnd) @MainActor public protocol SessionConnection: AnyObject {
  /// The presentation that the user sees now.
  var presentation: Presentation { get }
  /// The events with unfinished work.
  var pending: [Update.Pending] { get }
  /// Whether the newest changes are not stored, so that a crash of the supervisor would lose them.
  var isUnstored: Bool { get }
  /// Called with updates that no event caused: changes and notifications.
  var onUpdate: (Update) -> Void { get set }
  /// Sends a user's action and waits until the session has handled it.
  func send(_ action: Event.Action) async throws -> Update
  /// Sends a user's action whose work is meant to go on, so that nothing waits for its end.
  func start(_ action: Event.Action) async throws -> Update
  /// The navigation tree.
  func tree() async throws -> TreeNode
  /// Returns the commits in the session's history, one line each.
  func history() async throws -> [String]
  /// Ends the host at once and restores its session in a new one.
  func restart() async throws
  /// Replaces a plugin with its present file, if that file loads; nil stands for the plugin of the screen in front.
  ///
  /// - Returns: the message for the user.
  func reload(_ plugin: PluginID?) async throws -> String
}

extension SessionConnection {
  /// Sends the action: outside of tests, no step of a session waits for work.
  public func start(_ action: Event.Action) async throws -> Update { try await send(action) }
  /// False: a session without storage has nothing to store.
  public var isUnstored: Bool { false }
}
