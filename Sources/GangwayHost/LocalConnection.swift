@_spi(FrontEnd) import Gangway
@_spi(FrontEnd) import GangwayClient
@_spi(FrontEnd) import GangwayProtocol

/// A connection to a session in this process.
@MainActor package final class LocalConnection: SessionConnection {
  private let session: Session
  private var lastEvent: EventID = 0
  /// The notifications of the session's start.
  let notices: [Update.Notice]

  /// Starts a session, and waits briefly for the first features to load.
  ///
  /// - Throws: the error of the session's start.
  package init(_ session: Session) async throws {
    self.session = session
    notices = try await session.open().notices
  }

  /// Connects to a session that has started.
  package init(started session: Session) { (self.session, notices) = (session, []) }

  /// The current presentation.
  package var presentation: Presentation { session.presentation }
  /// The unfinished work, and work whose messages the next update brings.
  package var pending: [Update.Pending] { session.unreported }
  /// The handler of updates that answer no event.
  package var onUpdate: (Update) -> Void {
    get { session.onUpdate }
    set { session.onUpdate = newValue }
  }

  /// Sends an event to the session, and returns after the session has handled it.
  package func send(_ action: Event.Action) async throws -> Update {
    lastEvent += 1
    return await session.answer(to: Event(id: lastEvent, revision: session.presentation.revision, action: action))
  }

  /// The navigation tree.
  package func tree() async throws -> TreeNode { session.tree }

  /// The commits of the session.
  package func history() async throws -> [String] { session.history.map(\.description) }

  /// Always throws, because nothing can start another host.
  package func restart() async throws {
    throw PlainFailure("restart needs a supervisor: use `gangway run --frontend plain`, which starts a new host.")
  }
  /// Always throws, because a loaded plugin stays loaded.
  package func reload(_ plugin: PluginID?) async throws -> String {
    throw PlainFailure("reload needs a supervisor: use `gangway run --frontend plain`, which starts a new host.")
  }
}
