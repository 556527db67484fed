import GangwayProtocol

/// A session as a front end sees it: in this process, or in another.
@MainActor public protocol SessionConnection: AnyObject {
  /// What the person sees now.
  var presentation: Presentation { get }
  /// Events whose work has not ended.
  var pending: [Update.Pending] { get }
  /// Called with what came by itself: changes and notices.
  var onUpdate: (Update) -> Void { get set }
  /// Sends what a person did and waits until it is handled.
  func send(_ action: Event.Action) async throws -> Update
  /// The navigation tree.
  func tree() async throws -> TreeNode
  /// The commits of the session that are kept, a line each.
  func history() async throws -> [String]
  /// Ends the host at once and restores its session in a new one.
  func restart() async throws
  /// Replaces a plugin by its present file, if that comes up; nil stands for the plugin of the screen in front.
  ///
  /// - Returns: what to tell the person.
  func reload(_ plugin: String?) async throws -> String
}
