import Gangway
import GangwayClient
import GangwayProtocol

/// A connection to a session in this process.
@MainActor public final class LocalConnection: SessionConnection {
  private let session: Session
  private var eventCount = 0

  /// Starts a session, and waits briefly for the first features to load.
  ///
  /// - Throws: the error of the session's start.
  public init(_ session: Session) async throws {
    self.session = session
    _ = try await session.open()
  }

  /// The current presentation.
  public var presentation: Presentation { session.presentation }
  /// The unfinished work.
  public var pending: [Update.Pending] { session.pending }
  /// The handler of updates that answer no event.
  public var onUpdate: (Update) -> Void {
    get { session.onUpdate }
    set { session.onUpdate = newValue }
  }

  /// Sends an event to the session, and returns after the session has handled it.
  public func send(_ action: Event.Action) async throws -> Update {
    eventCount += 1
    return await session.answer(to: Event(id: eventCount, revision: session.presentation.revision, action: action))
  }

  /// The navigation tree.
  public func tree() async throws -> TreeNode { session.tree }

  /// The commits of the session.
  public func history() async throws -> [String] { session.history.map(\.description) }

  /// Always throws, because nothing can start another host.
  public func restart() async throws {
    throw PlainFailure("restart needs a supervisor: use `gangway run --frontend plain`, which starts a new host.")
  }
  /// Always throws, because a loaded plugin stays loaded.
  public func reload(_ plugin: String?) async throws -> String {
    throw PlainFailure("reload needs a supervisor: use `gangway run --frontend plain`, which starts a new host.")
  }
}
