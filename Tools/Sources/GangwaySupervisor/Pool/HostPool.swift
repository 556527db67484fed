@_spi(FrontEnd) import GangwayClient
@_spi(FrontEnd) import GangwayProtocol

/// A pool that starts and watches hosts for any number of sessions.
///
/// When a host crashes, the pool finds the plugin to blame and starts the next host. Sessions share a host. A session
/// whose events stopped two hosts within a minute gets a host of its own, so that it does not disturb the others.
@_spi(FrontEnd) @MainActor public final class HostPool {
  let options: SupervisorOptions
  let folder: LogFolder
  let ledger: PluginLedger
  /// The host lines: the first is shared, each of the others has one session.
  private(set) var lines: [HostLine] = []
  /// The number of hosts started so far.
  private var generation = 0
  /// The last event of all sessions, whose events have a common order.
  private var lastEvent: EventID = 0
  private let launcher: any HostLauncher
  /// The processes that the hosts' features start, if this pool alone owns them.
  let processes: FeatureProcesses?
  /// The tasks that end hosts in order once they are no longer needed.
  private var retirements: [ObjectIdentifier: Task<Void, Never>] = [:]
  /// The host that takes over from the next one that dies.
  var spare: SpareHost?
  var spareWait: Task<Void, Never>?
  /// The number of spare hosts in a row that did not stay up.
  var spareFailures = 0
  private(set) var isStopped = false

  /// Prepares a pool; the first session starts its host.
  ///
  /// - Throws: ``SupervisorFailure`` if the log cannot be written.
  public convenience init(_ options: SupervisorOptions) throws { try self.init(options, nil) }

  /// Prepares a pool.
  ///
  /// - Parameter shared: the feature processes that several pools share; nil for a pool with processes of its own.
  init(_ options: SupervisorOptions, _ shared: FeatureProcesses?) throws {
    self.options = options
    folder = LogFolder(options.logFolder)
    let processes = shared ?? FeatureProcesses(options)
    launcher = try options.system.launcher(options, folder, processes)
    self.processes = shared == nil ? processes : nil
    ledger = PluginLedger(isSafe: options.launch.isSafe)
    lines = [HostLine(self)]
  }

  /// Adds a session, which its ``SessionKeeper/start()`` gives to a host.
  ///
  /// - Parameters:
  ///   - id: the session's name, which must be unique in the pool.
  ///   - checkpoint: the checkpoint to restore; nil for a new session.
  ///   - isFromFile: whether guards check the checkpoint again, because another run made it.
  ///   - profile: the profile of the session's user if there are several users: at most 64 letters, digits, `-` and
  ///     `_`. Sessions of one profile share the data that features store.
  ///   - isAlone: whether the session gets a host of its own.
  public func keep(
    _ id: SessionID, from checkpoint: Checkpoint? = nil, isFromFile: Bool = false, profile: String? = nil,
    isAlone: Bool = false
  ) -> SessionKeeper {
    renewShared()
    let keeper = SessionKeeper(
      id, on: isAlone ? ownLine() : shared, from: checkpoint ?? Checkpoint(),
      isFromFile: isFromFile && checkpoint != nil)
    keeper.profile = profile
    return keeper
  }

  /// The number of sessions.
  public var sessionCount: Int { lines.reduce(0) { $0 + $1.keepers.count } }

  /// The process IDs of the running hosts.
  public var hostProcessIDs: [Int32] { lines.compactMap { $0.host?.channel.processID } }

  /// Ends all hosts in order, and then the processes that their features left behind.
  public func stop() async {
    isStopped = true
    spareWait?.cancel()
    dropSpare()
    for line in lines { await line.stop() }
    for retirement in Array(retirements.values) { await retirement.value }
    await processes?.end()
  }

  /// Asks a host to end and kills it after a second, while the app continues.
  func retire(_ host: RunningHost) {
    let key = ObjectIdentifier(host)
    retirements[key] = Task {
      await host.channel.retire(options.clock)
      retirements[key] = nil
    }
  }

  /// The line for new sessions.
  var shared: HostLine { lines[0] }

  /// Replaces a failed shared line after a delay, because the cause may be gone by then.
  private func renewShared() {
    let last = shared
    guard !isStopped, let failed = last.failed,
      options.clock.now - failed.moment >= options.retryDelay
    else { return }
    spareFailures = 0
    lines[0] = HostLine(self)
    Task { await last.stop() }
  }

  /// Creates a line for one session.
  func ownLine() -> HostLine {
    let line = HostLine(self)
    lines.append(line)
    return line
  }

  /// Removes a line without sessions, unless it is the shared one.
  func drop(_ line: HostLine) {
    guard line !== lines[0] else { return }
    lines.removeAll { $0 === line }
  }

  func nextEvent() -> EventID {
    lastEvent = lastEvent + 1
    return lastEvent
  }

  /// Starts a host.
  ///
  /// - Parameter plugins: the plugins that the host loads at once, even if no screen needs them yet.
  /// - Throws: the system's error if the channels cannot be opened.
  func startHost(loading plugins: [PluginID] = []) throws -> RunningHost {
    generation += 1
    options.counts?.hostStarted()
    var settings = options.launch
    settings.quarantined = ledger.quarantined
    if settings.isSafe { settings.allowed = ledger.allowed.union(plugins) }
    // One scan is enough, because later hosts know the first host's results.
    settings.rescans = settings.rescans && generation == 1
    settings.loaded = plugins
    return RunningHost(try launcher.start(settings, number: generation), at: options.clock.now)
  }
}
