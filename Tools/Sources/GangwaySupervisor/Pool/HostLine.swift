@_spi(FrontEnd) import GangwayClient
@_spi(FrontEnd) import GangwayProtocol
import Glibc

/// A line of hosts, each of which takes over the same sessions when the previous one ends.
///
/// ``HostPhase/after(_:)`` makes all decisions; this class carries them out.
@MainActor final class HostLine: SessionHosting {
  static let maximumFailedStarts = 5

  /// The pool that owns the line.
  ///
  /// The pool is released when its sessions are no longer needed; work in progress then finishes by itself.
  private(set) weak var pool: HostPool?
  let options: SupervisorOptions
  let ledger: PluginLedger
  let folder: LogFolder
  private(set) var phase = HostPhase.idle
  var host: RunningHost?
  /// The sessions, in the order in which they were added.
  private(set) var keepers: [SessionKeeper] = []
  private var keepersByID: [SessionID: SessionKeeper] = [:]
  var incident = Incident()
  let plugins = PluginList()
  var candidate: Candidate?
  /// The search for a plugin that stops hosts without evidence.
  var search: CulpritSearch
  var openingWatch: Task<Void, Never>?
  var loadWatch: Task<Void, Never>?
  /// The reason why no further host is started, and since when.
  private(set) var failed: (reason: SupervisorFailure, moment: ContinuousClock.Instant)?
  /// The host that has ended or is crashing.
  private var departed: (host: RunningHost, reportIsComing: Bool)?
  /// The task that ends the last host in order.
  private var farewell: Task<Void, Never>?
  let reports = PendingReports()
  var stops = StopTally()

  init(_ pool: HostPool) {
    self.pool = pool
    (options, ledger, folder) = (pool.options, pool.ledger, pool.folder)
    search = CulpritSearch(minimumTrial: pool.options.trial)
  }

  func nextEvent() -> EventID { pool?.nextEvent() ?? 0 }
  var clock: any SupervisorClock { options.clock }
  var statuses: [PluginID: HostMessage.PluginStatus] { plugins.statuses }
  var failure: SupervisorFailure? { failed?.reason }

  /// Whether another host is about to take over.
  var isReplacing: Bool { phase == .replacing }

  /// Whether the host accepts events; an event sent to an ending host would be lost.
  var takesEvents: Bool { !isReplacing && phase != .ending && (host != nil || phase != .starting) }

  func keeper(of session: SessionID) -> SessionKeeper? { keepersByID[session] }

  /// Adds a session and opens it in the host.
  func add(_ keeper: SessionKeeper) {
    keepers.append(keeper)
    keepersByID[keeper.id] = keeper
    keeper.line = self
    if let failure { return keeper.fail(failure) }
    happen(.start)
    guard let host, keeper.phase == .waiting else { return }
    keeper.open(on: host)
    watchOpening()
  }

  /// Removes a session.
  func remove(_ keeper: SessionKeeper) {
    keepers.removeAll { $0 === keeper }
    if keepersByID[keeper.id] === keeper { keepersByID[keeper.id] = nil }
    stops.forget(keeper.id)
    guard keepers.isEmpty, let pool, self !== pool.shared else { return }
    Task {
      await stop()
      pool.drop(self)
    }
  }

  /// Moves to the next phase and performs its actions.
  ///
  /// - Returns: whether the happening has an effect.
  @discardableResult func happen(_ happening: HostHappening) -> Bool {
    let step = phase.after(happening)
    if let fault = step.fault(Words.Fault.host("\(happening)", phase: "\(phase)")) { tell(.init(.failure, fault)) }
    guard case .to(let next, let actions) = step else { return false }
    phase = next
    for action in actions { perform(action) }
    return true
  }

  private func perform(_ action: HostAction) {
    switch action {
    case .launch: launch()
    case .recover:
      guard let (host, reportIsComing) = departed else { return }
      departed = nil
      Task.immediate { await recover(from: host, reportIsComing: reportIsComing) }
    case .kill: host?.channel.kill()
    case .quit: quit()
    // `reload(_:)` starts the candidate itself, because it waits for the result.
    case .startCandidate: break
    case .dropCandidate: dropCandidate()
    case .swap: swap()
    case .fail: tellFailure()
    }
  }

  /// Starts a host and gives it the sessions.
  func launch() {
    incident = Incident(restoreDeaths: incident.restoreDeaths, failedStarts: incident.failedStarts)
    guard let pool else { return }
    if let spare = pool.takeSpare() { return begin(with: spare.host, spare.plugins ?? []) }
    let host: RunningHost
    do {
      host = try pool.startHost()
    } catch {
      return giveUp(Words.Host.appNotStarted(reason: "\(error)"))
    }
    host.channel.send(.hello(.current, takesPatches: true))
    begin(with: host, [])
  }

  /// Gives a host the sessions.
  ///
  /// - Parameter plugins: the states of the plugins, if the host has already reported them.
  private func begin(with host: RunningHost, _ plugins: [HostMessage.PluginStatus]) {
    self.host = host
    host.start = clock.now
    noteTrial(of: host)
    // The most recently used sessions come first; the rest follow while the host restores these.
    let order = keepers.sorted { $0.events.last > $1.events.last }
    for keeper in order.prefix(Self.openedAtOnce) { keeper.open(on: host) }
    follow(host)
    for plugin in plugins { note(plugin) }
    // A spare host has already sent its list.
    if host.isReady { self.plugins.end() }
    watchOpening()
    guard order.count > Self.openedAtOnce else { return }
    Task {
      for keeper in order.dropFirst(Self.openedAtOnce) {
        guard self.host === host else { return }
        if keeper.line === self, keeper.phase == .waiting { keeper.open(on: host) }
        await Task.yield()
      }
    }
  }

  /// The number of sessions to give to a host before its messages are read.
  private static let openedAtOnce = 4

  /// Handles the messages of a host that is in charge or will be.
  func follow(_ host: RunningHost) {
    host.channel.follow { [weak self, weak host] report in
      guard let self, let host else { return false }
      if let candidate, candidate.host === host {
        take(report, of: candidate)
      } else {
        guard self.host === host else { return false }
        take(report, from: host)
      }
      return true
    }
  }

  /// Handles the end of a host.
  func hasEnded(_ host: RunningHost, reportIsComing: Bool) {
    guard self.host === host else { return }
    departed = (host, reportIsComing)
    happen(.died)
  }

  /// Ends the host; the next one takes over the sessions.
  func restart() {
    // Without a running host there is nothing to end; the next host starts with the current settings.
    guard host != nil else { return }
    incident.isWanted = true
    happen(.end)
  }

  /// Ends the host because it did not answer.
  ///
  /// - Parameters:
  ///   - limit: the time that the host had to answer.
  ///   - byUser: whether the user made the decision, in which case no plugin is to blame.
  func endHung(after limit: Duration, byUser: Bool = false) {
    guard let host else { return }
    incident.isHung = limit
    // A library that waits for the system's loader is not mapped yet.
    if let file = incident.loading, let process = host.channel.processID {
      incident.isLoadedCodeRunning = !byUser && MappedFiles.contains(file, process: process)
    }
    happen(.end)
  }

  /// Stops starting hosts and fails all sessions.
  func giveUp(_ text: String) {
    if failed == nil { failed = (SupervisorFailure(text), clock.now) }
    happen(.giveUp)
  }

  private func tellFailure() {
    guard let failure else { return }
    endOpeningWatch()
    loadWatch?.cancel()
    plugins.end()
    for keeper in keepers { keeper.fail(failure) }
  }

  /// Ends the host in order.
  func stop() async {
    happen(.stop)
    await farewell?.value
  }

  private func quit() {
    endOpeningWatch()
    loadWatch?.cancel()
    plugins.end()
    let host = host
    farewell = Task {
      await host?.channel.retire(clock)
      // The report of a crash that was just announced must exist when the app ends.
      await reports.written()
      // This breaks the reference cycle between the sessions and their line.
      self.host = nil
      (keepers, keepersByID) = ([], [:])
    }
  }

  /// Waits for the host's list of plugins, which may arrive after its first screen.
  func listed() async {
    guard phase != .stopped, phase != .failed else { return }
    await plugins.arrived()
  }

  /// Shows a notification in all sessions.
  func tell(_ notice: Update.Notice) {
    for keeper in keepers { keeper.tell(notice) }
  }
}
