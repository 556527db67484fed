import GangwayClient
import GangwayProtocol
import Glibc

/// Hosts that follow one another for the same sessions: when one ends, the next gets what the sessions were.
///
/// What follows from what is in ``HostPhase/after(_:)`` alone; this carries it out.
@MainActor final class HostLine: SessionHosting {
  static let maximumFailedStarts = 5

  /// Gone when nobody wants its sessions any more: what is still under way then comes to its end by itself.
  private(set) weak var pool: HostPool?
  let options: SupervisorOptions
  let ledger: PluginLedger
  let folder: LogFolder
  private(set) var phase = HostPhase.idle
  var host: HostProcess?
  /// The sessions, in the order in which they came.
  private(set) var keepers: [SessionKeeper] = []
  private var keepersByID: [SessionID: SessionKeeper] = [:]
  var incident = Incident()
  /// How far the plugins have come in the present host, by id.
  var statuses: [String: HostMessage.PluginStatus] = [:]
  var candidate: Candidate?
  /// Which plugin it is that stops hosts when nothing else says so.
  var search: CulpritSearch
  var startWatch: Task<Void, Never>?
  var loadWatch: Task<Void, Never>?
  /// Why no host is started any more.
  private(set) var failure: SupervisorFailure?
  /// Since when; nil while there are any.
  private(set) var failed: ContinuousClock.Instant?
  /// Who waits for a host to have said which plugins there are; nil when one has.
  private var listWaiters: [CheckedContinuation<Void, Never>]? = []
  /// The host that has ended, or is about to.
  private var departed: (host: HostProcess, reportIsComing: Bool)?
  /// The last host's end in order.
  private var farewell: Task<Void, Never>?
  /// Reports that are being written.
  private var reports: [Int: Task<Void, Never>] = [:]
  private var reportCount = 0
  /// When hosts stopped while they handled a session's events.
  private var stops: [SessionID: [ContinuousClock.Instant]] = [:]

  init(_ pool: HostPool) {
    self.pool = pool
    (options, ledger, folder) = (pool.options, pool.ledger, pool.folder)
    search = CulpritSearch(minimumTrial: pool.options.trial)
  }

  func nextEvent() -> EventID { pool?.nextEvent() ?? 0 }

  /// Whether another host is about to take over.
  var isReplacing: Bool { phase == .replacing }

  /// What would be sent while a host ends would be lost with it.
  var takesEvents: Bool { !isReplacing && phase != .ending && (host != nil || phase != .starting) }

  func keeper(of session: SessionID) -> SessionKeeper? { keepersByID[session] }

  /// Takes a session in, and shows it.
  func add(_ keeper: SessionKeeper) {
    keepers.append(keeper)
    keepersByID[keeper.id] = keeper
    keeper.line = self
    if let failure { return keeper.fail(failure) }
    happen(.start)
    if let host, keeper.phase == .waiting { keeper.open(on: host) }
  }

  /// Lets a session go.
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

  /// Takes note of what happened, and does what follows from it.
  ///
  /// - Returns: whether anything did.
  @discardableResult func happen(_ happening: HostHappening) -> Bool {
    let step = phase.after(happening)
    if let fault = step.fault("'\(happening)' for a host that is \(phase)") { tell(.init(.failure, fault)) }
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
    // Reloading waits for it.
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
      return giveUp("No host can be started: \(error). The session is kept.")
    }
    host.send(.hello(.current, takesPatches: true))
    begin(with: host, [])
  }

  /// Gives a host the sessions.
  ///
  /// - Parameter plugins: how far the plugins have come in it, where it has said so before.
  private func begin(with host: HostProcess, _ plugins: [HostMessage.PluginStatus]) {
    self.host = host
    host.start = .now
    // Those whose persons did something last are shown first; the others follow while these are being made.
    let order = keepers.sorted { $0.lastEvent > $1.lastEvent }
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

  /// How many sessions a host is given before what it says is taken.
  private static let openedAtOnce = 4

  /// Takes what a host says, while it is in charge or is to be.
  func follow(_ host: HostProcess) {
    host.follow { [weak self, unowned host] report in
      guard let self else { return false }
      if let candidate, candidate.host === host {
        take(report, of: candidate)
      } else {
        guard self.host === host else { return false }
        take(report, from: host)
      }
      return true
    }
  }

  /// Counts a host that stopped while it handled a session's events.
  ///
  /// - Returns: whether that was too often within a minute for the others' sake.
  func stopsTooOften(_ keeper: SessionKeeper, at moment: ContinuousClock.Instant = .now) -> Bool {
    let recent = stops[keeper.id, default: []].filter { moment - $0 < CrashTally.span } + [moment]
    stops[keeper.id] = recent
    return recent.count >= 2
  }

  /// Takes note of a host's end.
  func hasEnded(_ host: HostProcess, reportIsComing: Bool) {
    guard self.host === host else { return }
    departed = (host, reportIsComing)
    happen(.died)
  }

  /// Ends the host; the next one goes on.
  func restart() {
    // Between two hosts there is none to end: the next one begins with what is known now.
    guard host != nil else { return }
    incident.isWanted = true
    happen(.end)
  }

  /// Ends the host because it gave no answer.
  ///
  /// - Parameter byUser: whether the user decided that, which is evidence against nobody.
  func endHung(after limit: Duration, byUser: Bool = false) {
    guard let host else { return }
    incident.isHung = limit
    // A library that waits because something else holds the system's loader is not part of the process.
    if let file = incident.loading, let process = host.processID {
      incident.isLoadedCodeRunning = !byUser && MappedFiles.contains(file, process: process)
    }
    happen(.end)
  }

  /// Starts no host any more.
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
      // The report of a crash that has just been told is there when the app has ended.
      for report in reports { await report.value }
      // Sessions know their line, and it them.
      self.host = nil
      (keepers, keepersByID) = ([], [:])
    }
  }

  /// Keeps a report that is being written until it is.
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

  /// Lets a host end by itself, within a second.
  static func retire(_ host: HostProcess) async {
    host.send(.quit)
    let impatience = Task {
      try await Task.sleep(for: .seconds(1))
      host.kill()
    }
    _ = await host.status()
    impatience.cancel()
  }

  /// Waits until it is known which plugins there are: a host's first screen may come before.
  func listed() async {
    guard listWaiters != nil, phase != .stopped, phase != .failed else { return }
    await withCheckedContinuation { listWaiters?.append($0) }
  }

  /// Lets go on who waits for the plugins.
  func endListing() {
    for waiter in listWaiters ?? [] { waiter.resume() }
    listWaiters = nil
  }

  /// Tells everybody something.
  func tell(_ notice: Update.Notice) {
    for keeper in keepers { keeper.tell(notice) }
  }
}
