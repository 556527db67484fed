import GangwayClient
import GangwayProtocol

/// An app of one session: a keeper on a pool of its own, with a place where the session is stored between runs.
@MainActor public final class Supervisor: SessionConnection {
  /// The name of the session.
  static let session: SessionID = "main"

  /// The hosts.
  public let pool: HostPool
  /// The session.
  public let keeper: SessionKeeper
  private var isStopped = false

  /// Prepares a supervisor; ``start()`` starts the host.
  ///
  /// - Throws: ``SupervisorFailure`` if its log cannot be written.
  public init(_ options: SupervisorOptions) throws {
    pool = try HostPool(options)
    let recorder = try options.recording.map { try Recorder(file: $0) }
    let opening = try options.stateFile.map { try SessionStore.open($0, isFresh: options.isFresh) }
    keeper = pool.keep(
      Self.session, from: opening?.checkpoint ?? options.checkpoint,
      isFromFile: opening?.checkpoint != nil || options.asksGuards)
    keeper.recorder = recorder
    keeper.store = opening?.store
    if let file = keeper.store?.file { KeptSession(of: file.path).remove() }
    if let notice = opening?.notice { keeper.tell(.init(.information, notice)) }
    keeper.store?.current = { [weak keeper] in keeper?.checkpoint }
    keeper.store?.didFail = { [weak keeper] in keeper?.tell(.init(.failure, $0)) }
  }

  /// Starts the host and waits for the first presentation.
  ///
  /// - Returns: what to tell the person about the start.
  /// - Throws: ``SupervisorFailure`` if no host stays up.
  public func start() async throws -> [Update.Notice] { try await keeper.start() }

  /// Ends the host in order and stores the session.
  public func stop() async {
    guard !isStopped else { return }
    isStopped = true
    await keeper.close(keepingHost: true)
    await pool.stop()
    shared.close()
    keeper.finishWaiters(SupervisorFailure("The host has ended."))
  }

  // MARK: The session

  /// The session, for as many front ends as there are.
  private lazy var shared = SharedSession(keeper)

  /// A connection for a front end: what is done on one of them, all see.
  ///
  /// - Parameter isReadOnly: whether what is done there changes nothing.
  public func connect(isReadOnly: Bool = false) -> SessionSeat { shared.connect(isReadOnly: isReadOnly) }

  public var presentation: Presentation { keeper.presentation }
  public var pending: [Update.Pending] { keeper.pending }
  public var onUpdate: (Update) -> Void {
    get { keeper.onUpdate }
    set { keeper.onUpdate = newValue }
  }
  /// Called when no host can be kept running.
  public var onFailure: (SupervisorFailure) -> Void {
    get { keeper.onFailure }
    set { keeper.onFailure = newValue }
  }
  /// What the session would be restored from now.
  public var checkpoint: Checkpoint { keeper.checkpoint }
  /// The process of the present host.
  public var hostProcessID: Int32? { keeper.hostProcessID }
  /// How far the plugins have come, by id.
  public var statuses: [String: HostMessage.PluginStatus] { keeper.statuses }
  /// What the present host began with.
  var restored: Checkpoint { keeper.restored }
  /// Plugins, or files, that are set aside, each with the reason.
  var quarantined: [String: String] { pool.ledger.quarantined }

  public func send(_ action: Event.Action) async throws -> Update { try await keeper.send(action) }
  public func tree() async throws -> TreeNode { try await keeper.tree() }
  public func history() async throws -> [String] { try await keeper.history() }
  public func restart() async throws { try await keeper.restart() }
  public func reload(_ plugin: String? = nil) async throws -> String { try await keeper.reload(plugin) }

  /// Waits until it is known which plugins there are: a host's first screen may come before.
  public func listed() async { await keeper.listed() }

  /// The same, but no longer than a time: what is known then is what there is to know.
  public func listed(within limit: Duration) async {
    let (ends, end) = AsyncStream.makeStream(of: Never.self)
    let clock = Task {
      try? await Task.sleep(for: limit)
      end.finish()
    }
    // Nobody ends what waits for a host but the host.
    Task {
      await listed()
      end.finish()
    }
    for await _ in ends {}
    clock.cancel()
  }

  /// Does something that ends the host, and waits for the first update of the next one.
  public func nextStart(after action: () -> Void) async { await keeper.nextStart(after: action) }

  /// Puts lines on top of all screens of a plugin, or takes them away; nil stands for all screens there are.
  public func setBanner(_ plugin: String?, _ lines: [String]) { keeper.setBanner(plugin, lines) }

  /// Shows on all screens of a plugin how far something is, or no longer.
  public func setProgress(_ plugin: String?, _ progress: WorkProgress?) { keeper.setProgress(plugin, progress) }

  /// Tells the person something.
  public func say(_ text: String, plugin: String?) { keeper.say(text, plugin: plugin) }
}
