import GangwayClient
import GangwayProtocol
import Glibc

/// Hosts for any number of sessions: starts them, watches them, finds out which plugin stopped one, and starts the next.
///
/// Sessions share a host. One whose events stopped two hosts within a minute gets a host of its own, so that the others are
/// left alone.
@MainActor public final class HostPool {
  let options: SupervisorOptions
  let folder: LogFolder
  let ledger: PluginLedger
  /// The lines of hosts: the first is for everybody, the others for a session each.
  private(set) var lines: [HostLine] = []
  /// How many hosts have been started.
  private var generation = 0
  /// Numbers events over all sessions, so that it is known which was sent first.
  private var eventCount = 0
  private let log: HostLog
  /// What the hosts' features start.
  let processes: FeatureProcesses
  /// Whether no other pool has hosts among those processes.
  private let ownsProcesses: Bool
  /// Hosts that are no longer wanted and end in order.
  private var retirements: [ObjectIdentifier: Task<Void, Never>] = [:]
  /// The host that takes over from the one that dies next.
  var spare: SpareHost?
  var spareWait: Task<Void, Never>?
  /// How often in a row a spare did not stay up.
  var spareFailures = 0
  private(set) var isStopped = false

  /// Prepares a pool; the first session starts its host.
  ///
  /// - Throws: ``SupervisorFailure`` if its log cannot be written.
  public convenience init(_ options: SupervisorOptions) throws { try self.init(options, nil) }

  /// Prepares a pool.
  ///
  /// - Parameter processes: what several pools have in common; nil for one that is alone.
  init(_ options: SupervisorOptions, _ processes: FeatureProcesses?) throws {
    self.options = options
    ownsProcesses = processes == nil
    self.processes = processes ?? FeatureProcesses(options)
    signal(SIGPIPE, SIG_IGN)
    folder = LogFolder(options.logFolder)
    log = try folder.openLog()
    ledger = PluginLedger(isSafe: options.isSafe)
    lines = [HostLine(self)]
  }

  /// Keeps a session, which its ``SessionKeeper/start()`` gives to a host.
  ///
  /// - Parameters:
  ///   - id: its name, which no other session of the pool has.
  ///   - checkpoint: what it goes on from; nil for a fresh one.
  ///   - isFromFile: whether guards are to be asked about what is in the checkpoint: another run had it.
  ///   - profile: whose it is, where there are several people: at most 64 letters, digits, `-` and `_`. Sessions of one profile share what
  ///     features keep.
  ///   - isAlone: whether it gets a host of its own.
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

  /// How many sessions there are.
  public var sessionCount: Int { lines.reduce(0) { $0 + $1.keepers.count } }

  /// The processes of the hosts that run.
  public var hostProcessIDs: [Int32] { lines.compactMap { $0.host?.processID } }

  /// Ends all hosts in order, and then what their features left behind.
  public func stop() async {
    isStopped = true
    spareWait?.cancel()
    dropSpare()
    for line in lines { await line.stop() }
    for retirement in Array(retirements.values) { await retirement.value }
    if ownsProcesses { await processes.end() }
  }

  /// Lets a host end by itself, within a second, while the app goes on.
  func retire(_ host: HostProcess) {
    let key = ObjectIdentifier(host)
    retirements[key] = Task {
      await HostLine.retire(host)
      retirements[key] = nil
    }
  }

  /// The line that a new session gets.
  var shared: HostLine { lines[0] }

  /// Has another line for everybody where no host stayed up on the last one, which may be otherwise by now.
  private func renewShared() {
    let last = shared
    guard !isStopped, let failed = last.failed, .now - failed >= options.retryDelay else { return }
    spareFailures = 0
    lines[0] = HostLine(self)
    Task { await last.stop() }
  }

  /// A line for one session.
  func ownLine() -> HostLine {
    let line = HostLine(self)
    lines.append(line)
    return line
  }

  /// Forgets a line without sessions; the first stays.
  func drop(_ line: HostLine) {
    guard line !== lines[0] else { return }
    lines.removeAll { $0 === line }
  }

  func nextEvent() -> EventID {
    eventCount += 1
    return eventCount
  }

  /// Starts a host.
  ///
  /// - Parameter plugins: those that it loads at once, whether they are needed or not.
  /// - Throws: the system's error if there are no pipes to be had.
  func startHost(loading plugins: [String] = []) throws -> HostProcess {
    generation += 1
    options.counts?.hostStarted()
    var arguments = ["--serve"]
    for plugin in options.plugins { arguments += ["--plugin", plugin] }
    for plugin in options.without { arguments += ["--without", plugin] }
    for (plugin, reason) in ledger.quarantined.sorted(by: { $0.key < $1.key }) {
      arguments += ["--quarantine", plugin, "--because", reason]
    }
    for folder in options.pluginFolders { arguments += ["--plugins-dir", folder] }
    if let configuration = options.configuration { arguments += ["--config", configuration] }
    if options.isSafe {
      arguments.append("--safe-mode")
      for plugin in ledger.allowed.union(plugins).sorted() { arguments += ["--allow", plugin] }
    }
    if options.waitsForDebugger { arguments.append("--wait-for-debugger") }
    // Once is enough: what was found out by the first host is known to those after it.
    if options.rescans, generation == 1 { arguments.append("--rescan") }
    // The host knows what its library waits for: for its own code, or for somebody else who holds the system's loader.
    arguments += ["--load-timeout", "\(options.loadPatience / .seconds(1))"]
    if let deadline = options.probeTimeout { arguments += ["--probe-timeout", "\(deadline)"] }
    if let limit = options.memoryLimit { arguments += ["--memory-limit", "\(limit)"] }
    if let limit = options.fileLimit { arguments += ["--file-limit", "\(limit)"] }
    if let limit = options.processLimit { arguments += ["--process-limit", "\(limit)"] }
    for plugin in plugins { arguments += ["--load", plugin] }
    let membership = processes.addHost()
    return try HostProcess(
      executable: options.host, arguments: arguments + membership.arguments, environment: options.environment,
      orphans: membership.orphans, log: log, crashReport: folder.report(process: getpid(), generation: generation))
  }
}
