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
  var host: HostProcess?
  /// The sessions, in the order in which they were added.
  private(set) var keepers: [SessionKeeper] = []
  private var keepersByID: [SessionID: SessionKeeper] = [:]
  var incident = Incident()
  /// The state of each plugin in the current host, by id.
  var statuses: [PluginID: HostMessage.PluginStatus] = [:]
  var candidate: Candidate?
  /// The search for a plugin that stops hosts without evidence.
  var search: CulpritSearch
  var startWatch: Task<Void, Never>?
  var loadWatch: Task<Void, Never>?
  /// The reason why no further host is started.
  private(set) var failure: SupervisorFailure?
  /// The time of the failure; nil if there was none.
  private(set) var failed: ContinuousClock.Instant?
  /// The continuations that wait for the first list of plugins; nil once it has arrived.
  private var listWaiters: [CheckedContinuation<Void, Never>]? = []
  /// The host that has ended or is crashing.
  private var departed: (host: HostProcess, reportIsComing: Bool)?
  /// The task that ends the last host in order.
  private var farewell: Task<Void, Never>?
  /// The tasks that write reports.
  private var reports: [Int: Task<Void, Never>] = [:]
  private var reportCount = 0
  /// The times at which a host stopped while it handled a session's event.
  private var stops: [SessionID: [ContinuousClock.Instant]] = [:]

  init(_ pool: HostPool) {
    self.pool = pool
    (options, ledger, folder) = (pool.options, pool.ledger, pool.folder)
    search = CulpritSearch(minimumTrial: pool.options.trial)
  }

  func nextEvent() -> EventID { pool?.nextEvent() ?? 0 }

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
    if let host, keeper.phase == .waiting { keeper.open(on: host) }
  }

  /// Removes a session.
  func remove(_ keeper: SessionKeeper) {
    keepers.removeAll { $0 === keeper }
    if keepersByID[keeper.id] === keeper { keepersByID[keeper.id] = nil }
    stops[keeper.id] = nil
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
    case .kill: host?.kill()
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
    let host: HostProcess
    do {
      host = try pool.startHost()
    } catch {
      return giveUp(Words.Host.appNotStarted(reason: "\(error)"))
    }
    host.input.send(.hello(.current, takesPatches: true))
    begin(with: host, [])
  }

  /// Gives a host the sessions.
  ///
  /// - Parameter plugins: the states of the plugins, if the host has already reported them.
  private func begin(with host: HostProcess, _ plugins: [HostMessage.PluginStatus]) {
    self.host = host
    host.start = .now
    noteTrial(of: host)
    // The most recently used sessions come first; the rest follow while the host restores these.
    let order = keepers.sorted { $0.events.last > $1.events.last }
    for keeper in order.prefix(Self.openedAtOnce) { keeper.open(on: host) }
    follow(host)
    for plugin in plugins { note(plugin) }
    watchStart(of: host)
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
  func follow(_ host: HostProcess) {
    host.output.follow(host.input) { [weak self, weak host] report in
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

  /// Counts a host that stopped while it handled a session's event.
  ///
  /// - Returns: whether the session stops hosts too often to share one: twice within a minute.
  func stopsTooOften(_ keeper: SessionKeeper, at moment: ContinuousClock.Instant = .now) -> Bool {
    let recent = stops[keeper.id, default: []].filter { moment - $0 < CrashTally.span } + [moment]
    stops[keeper.id] = recent
    return recent.count >= 2
  }

  /// Handles the end of a host.
  func hasEnded(_ host: HostProcess, reportIsComing: Bool) {
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
    if let file = incident.loading, let process = host.processID {
      incident.isLoadedCodeRunning = !byUser && MappedFiles.contains(file, process: process)
    }
    happen(.end)
  }

  /// Stops starting hosts and fails all sessions.
  func giveUp(_ text: String) {
    if failure == nil { (failure, failed) = (SupervisorFailure(text), .now) }
    happen(.giveUp)
  }

  private func tellFailure() {
    guard let failure else { return }
    startWatch?.cancel()
    loadWatch?.cancel()
    endListing()
    for keeper in keepers { keeper.fail(failure) }
  }

  /// Ends the host in order.
  func stop() async {
    happen(.stop)
    await farewell?.value
  }

  private func quit() {
    startWatch?.cancel()
    loadWatch?.cancel()
    endListing()
    let (host, reports) = (host, Array(reports.values))
    farewell = Task {
      if let host { await Self.retire(host) }
      // The report of a crash that was just announced must exist when the app ends.
      for report in reports { await report.value }
      // This breaks the reference cycle between the sessions and their line.
      self.host = nil
      (keepers, keepersByID) = ([], [:])
    }
  }

  /// Keeps the task that writes a report until the task is done.
  func note(report: Task<Void, Never>) {
    reportCount += 1
    let number = reportCount
    reports[number] = report
    Task {
      await report.value
      reports[number] = nil
    }
  }

  /// Waits for the reports that are being written now.
  func reportsWritten() async {
    for report in Array(reports.values) { await report.value }
  }

  /// Asks a host to end and kills it after a second.
  static func retire(_ host: HostProcess) async {
    host.input.send(.quit)
    let impatience = Task {
      try await Task.sleep(for: .seconds(1))
      host.kill()
    }
    _ = await host.status()
    impatience.cancel()
  }

  /// Waits for the host's list of plugins, which may arrive after its first screen.
  func listed() async {
    guard listWaiters != nil, phase != .stopped, phase != .failed else { return }
    await withCheckedContinuation { listWaiters?.append($0) }
  }

  /// Resumes the tasks that wait for the list of plugins.
  func endListing() {
    for waiter in listWaiters ?? [] { waiter.resume() }
    listWaiters = nil
  }

  /// Shows a notification in all sessions.
  func tell(_ notice: Update.Notice) {
    for keeper in keepers { keeper.tell(notice) }
  }
}
