@_spi(FrontEnd) import GangwayClient
@_spi(FrontEnd) import GangwayProtocol

/// A session that several front ends show; all of them see each other's actions.
@_spi(FrontEnd) @MainActor public final class SharedSession {
  private struct WeakConnection { weak var frontEnd: FrontEndConnection? }

  private let session: any SessionConnection
  private var frontEnds: [WeakConnection] = []
  private var isFollowed = false

  /// Shares a session, and takes its updates as soon as a front end listens.
  ///
  /// - Parameter session: the session, which this object keeps alive.
  init(_ session: any SessionConnection) { self.session = session }

  /// The number of connected front ends.
  var count: Int { frontEnds.count { $0.frontEnd != nil } }

  /// Returns a connection for another front end.
  ///
  /// - Parameter isReadOnly: whether actions of the front end change nothing.
  func connect(isReadOnly: Bool = false) -> FrontEndConnection {
    let frontEnd = FrontEndConnection(session, self, isReadOnly: isReadOnly)
    frontEnds.append(.init(frontEnd: frontEnd))
    return frontEnd
  }

  /// Ends the connections of front ends in other processes.
  func close() { for frontEnd in frontEnds.compactMap(\.frontEnd) { frontEnd.onClose() } }

  /// Starts to take the session's updates, including those that arrived earlier.
  fileprivate func follow() {
    guard !isFollowed else { return }
    isFollowed = true
    session.onUpdate = { [weak self] update in self?.tell(update, except: nil) }
  }

  /// Sends an update to all front ends except the one that caused it.
  fileprivate func tell(_ update: Update, except teller: FrontEndConnection?) {
    frontEnds.removeAll { $0.frontEnd == nil }
    for frontEnd in frontEnds.compactMap(\.frontEnd) where frontEnd !== teller { frontEnd.onUpdate(update) }
  }
}

/// A session as one of its front ends sees it.
@_spi(FrontEnd) @MainActor public final class FrontEndConnection: SessionConnection {
  private let session: any SessionConnection
  private let shared: SharedSession
  /// Whether actions of this front end change nothing.
  public let isReadOnly: Bool

  fileprivate init(_ session: any SessionConnection, _ shared: SharedSession, isReadOnly: Bool) {
    (self.session, self.shared, self.isReadOnly) = (session, shared, isReadOnly)
  }

  public var presentation: Presentation { session.presentation }
  public var pending: [Update.Pending] { session.pending }
  public var isUnstored: Bool { session.isUnstored }
  public var onUpdate: (Update) -> Void = { _ in } {
    didSet { shared.follow() }
  }

  /// Called when the session is closed.
  var onClose: () -> Void = {}

  /// The reason for refusing an action.
  static let refusal = Words.Control.readOnly

  public func send(_ action: Event.Action) async throws -> Update {
    if isReadOnly {
      switch action {
      // A read-only front end may load more rows to look at.
      case .window: break
      case .focus, .scroll: return say([])
      default: return say([.init(.refusal, Self.refusal)])
      }
    }
    let answer = try await session.send(action)
    var told = answer
    told.event = nil
    // The focus moves only where the user acted.
    told.focus = nil
    // The reason for a refusal concerns only the front end that sent the action.
    told.notices.removeAll { $0.kind == .refusal }
    shared.tell(told, except: self)
    return answer
  }

  private func say(_ notices: [Update.Notice]) -> Update {
    // Without an event, the sender would take the action for lost, and repeat it.
    Update(
      event: 0, revision: presentation.revision, presentation: nil, checkpoint: nil, pending: pending,
      notices: notices)
  }

  public func tree() async throws -> TreeNode { try await session.tree() }
  public func history() async throws -> [String] { try await session.history() }

  public func restart() async throws {
    guard !isReadOnly else { throw SupervisorFailure(Self.refusal) }
    try await session.restart()
  }

  public func reload(_ plugin: PluginID?) async throws -> String {
    guard !isReadOnly else { throw SupervisorFailure(Self.refusal) }
    return try await session.reload(plugin)
  }
}
