@_spi(FrontEnd) import GangwayClient
@_spi(FrontEnd) import GangwayProtocol

/// An app with one session, which has its own pool and is stored between runs.
@_spi(FrontEnd) @MainActor public final class Supervisor: SessionConnection {
  /// The name of the session.
  static let session: SessionID = "main"

  /// The app's pool of hosts.
  public let pool: HostPool
  /// The keeper of the session.
  public let keeper: SessionKeeper
  private var isStopped = false

  /// Prepares a supervisor; ``start()`` starts the host.
  ///
  /// - Throws: ``SupervisorFailure`` if the log cannot be written.
  public init(_ options: SupervisorOptions) throws {
    pool = try HostPool(options)
    let recorder = try options.recording.map { try Recorder(file: $0) }
    let opening = try options.stateFile.map {
      try SessionStore.open($0, isFresh: options.isFresh, options.system.disk())
    }
    keeper = pool.keep(
      Self.session, from: opening?.checkpoint ?? options.checkpoint,
      isFromFile: opening?.checkpoint != nil || options.asksGuards)
    keeper.memory.recorder = recorder
    if let store = opening?.store { keeper.follow(store) }
    // The copy of the last run; without a store, another app may need it.
    if let file = options.stateFile, opening?.store != nil { KeptSession(of: file).remove() }
    if let notice = opening?.notice {
      let isWanted = options.isFresh && opening?.store != nil
      keeper.tell(
        .init(.information, isWanted ? Words.Session.begunAgain : Words.Session.restoredPartly, detail: notice))
    }
  }

  /// Starts the host and waits for the first presentation.
  ///
  /// - Returns: the notifications for the user.
  /// - Throws: ``SupervisorFailure`` if no host stays up.
  public func start() async throws -> [Update.Notice] { try await keeper.start() }

  /// Ends the host in order and stores the session.
  public func stop() async {
    guard !isStopped else { return }
    isStopped = true
    await keeper.close(keepingHost: true)
    await pool.stop()
    shared.close()
    keeper.finishWaiters(SupervisorFailure(Words.Host.ended))
  }

  // MARK: The session

  /// The session, shared by any number of front ends.
  private lazy var shared = SharedSession(keeper.connection)

  /// The number of connected front ends.
  var frontEnds: Int { shared.count }

  /// Returns a connection for another front end; all front ends see each other's actions.
  ///
  /// - Parameter isReadOnly: whether actions of the front end change nothing.
  public func connect(isReadOnly: Bool = false) -> FrontEndConnection { shared.connect(isReadOnly: isReadOnly) }

  public var presentation: Presentation { keeper.presentation }
  public var pending: [Update.Pending] { keeper.pending }
  public var onUpdate: (Update) -> Void {
    get { keeper.onUpdate }
    set { keeper.onUpdate = newValue }
  }
  /// Called when no host stays up.
  public var onFailure: (SupervisorFailure) -> Void {
    get { keeper.onFailure }
    set { keeper.onFailure = newValue }
  }
  /// The checkpoint from which the session would be restored now.
  public var checkpoint: Checkpoint { keeper.checkpoint }
  /// The process ID of the current host.
  public var hostProcessID: Int32? { keeper.hostProcessID }
  /// The states of the plugins, by id.
  public var statuses: [PluginID: HostMessage.PluginStatus] { keeper.line.statuses }
  /// The checkpoint with which the current host began.
  var restored: Checkpoint { keeper.memory.restored }
  /// The quarantined plugins or files, with the reasons.
  var quarantined: [String: String] { pool.ledger.quarantined }

  public func send(_ action: Event.Action) async throws -> Update { try await keeper.connection.send(action) }
  public func tree() async throws -> TreeNode { try await keeper.connection.tree() }
  public func history() async throws -> [String] { try await keeper.connection.history() }
  public func restart() async throws { try await keeper.connection.restart() }
  public func reload(_ plugin: PluginID? = nil) async throws -> String { try await keeper.connection.reload(plugin) }

  /// Waits for the host's list of plugins, which may arrive after its first screen.
  public func listed() async { await keeper.line.listed() }

  /// Waits for the host's list of plugins, up to a time limit.
  ///
  /// After the limit, the caller has to use the states known so far.
  public func listed(within limit: Duration) async {
    let (ends, end) = AsyncStream.makeStream(of: Never.self)
    let clock = Task {
      try? await Task.sleep(for: limit)
      end.finish()
    }
    // This task may outlive the limit, because only the host can end the wait.
    Task {
      await listed()
      end.finish()
    }
    for await _ in ends {}
    clock.cancel()
  }

  /// Performs an action that ends the host, and waits for the first update of the next host.
  public func nextStart(after action: () -> Void) async { await keeper.nextStart(after: action) }

  /// Sets the banner lines on all screens of a plugin.
  ///
  /// Without lines, the banner is removed. A nil plugin stands for all screens.
  public func setBanner(_ plugin: PluginID?, _ lines: [String]) { keeper.setBanner(plugin, lines) }

  /// Sets the progress that all screens of a plugin show; nil removes it.
  public func setProgress(_ plugin: PluginID?, _ progress: WorkProgress?) { keeper.setProgress(plugin, progress) }

  /// Shows a notification to the user.
  public func say(_ text: String, plugin: PluginID?) { keeper.say(text, plugin: plugin) }
}
