import Gangway
import GangwayClient
import GangwayProtocol

/// A session in this process.
@MainActor public final class LocalConnection: SessionConnection {
  private let session: Session
  private var eventCount = 0

  /// Starts a session, and waits a moment for what is seen first to be loaded.
  ///
  /// - Throws: as the session's start.
  public init(_ session: Session) async throws {
    self.session = session
    _ = try await session.open()
  }

  /// What the person sees now.
  public var presentation: Presentation { session.presentation }
  /// Events whose work has not ended.
  public var pending: [Update.Pending] { session.pending }
  /// Called with what came by itself.
  public var onUpdate: (Update) -> Void {
    get { session.onUpdate }
    set { session.onUpdate = newValue }
  }

  /// Hands an event to the session; it is handled when this returns.
  public func send(_ action: Event.Action) async throws -> Update {
    eventCount += 1
    return await session.answer(to: Event(id: eventCount, revision: session.presentation.revision, action: action))
  }

  /// The navigation tree.
  public func tree() async throws -> TreeNode { session.tree }

  /// The commits of the session.
  public func history() async throws -> [String] { session.history.map(\.description) }

  /// Always throws: there is nothing that could start another host.
  public func restart() async throws {
    throw PlainFailure("restart needs a supervisor: use `gangway run --frontend plain`, which starts a new host.")
  }
  /// Always throws: what is loaded stays loaded.
  public func reload(_ plugin: String?) async throws -> String {
    throw PlainFailure("reload needs a supervisor: use `gangway run --frontend plain`, which starts a new host.")
  }
}
