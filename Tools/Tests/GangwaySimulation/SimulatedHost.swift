@_spi(FrontEnd) import GangwayProtocol
import Glibc

@_spi(FrontEnd) import GangwaySupervisor

/// A host without a process. It has three features with text fields, and fails as the simulation decides.
@MainActor final class SimulatedHost: HostChannel {
  /// The kind of a host's end.
  enum End: CaseIterable {
    /// A crash in the code of a feature, which the call stack names at once.
    case crashInFeature
    /// The same, but only the report names the feature.
    case crashWithReport
    /// A crash that nothing explains.
    case crash
    /// An exit that nothing requested.
    case exit
    /// A signal from outside.
    case kill
    /// The channel closes, but the process goes on.
    case cutOff
  }

  nonisolated static let features: [PluginID] = ["a", "b", "c"]
  nonisolated static func file(of plugin: PluginID) -> String { "/features/lib\(plugin).so" }

  let processID: pid_t? = nil
  let startFailure: String? = nil
  private(set) var isGone = false
  private(set) var isCutOff = false
  let crashReport: String
  private(set) var crashFrames: CrashFrames?
  let number: Int

  private let simulation: Simulation
  private let settings: HostLaunch
  private var taker: (@MainActor (HostOutput.Report) -> Bool)?
  private var early: [HostOutput.Report] = []
  private var status_: HostEnd?
  private var observers: [CheckedContinuation<Void, Never>] = []
  private var sessions: [SessionID: SimulatedSession] = [:]
  private var ahead: [Checkpoint.Record] = []
  private var loaded: Set<PluginID> = []
  private var hasListed = false
  /// The plugin of the last restored entry, and the moment at which the session's first update arrives, if it was sent.
  ///
  /// Until then, an end of the host is an end while it restores this plugin's entry.
  private var restoring: (plugin: PluginID, until: ContinuousClock.Instant?)?
  /// Whether the host does nothing any more, and has not ended.
  var isSilent = false
  /// The feature that the report on the end names.
  private var reported: PluginID?
  /// The moment of the last message on its way, which no later message overtakes.
  private var lastArrival: ContinuousClock.Instant

  init(_ simulation: Simulation, _ settings: HostLaunch, number: Int) {
    (self.simulation, self.settings, self.number) = (simulation, settings, number)
    crashReport = "\(simulation.folder)/crashes/\(number).log"
    lastArrival = simulation.clock.now
  }

  /// The plugin whose entry the host restores; nil if it restores none.
  private var restoredNow: PluginID? {
    guard let restoring, restoring.until.map({ simulation.clock.now <= $0 }) ?? true else { return nil }
    return restoring.plugin
  }

  /// The state in words, for a report.
  var state: String {
    "host \(number), gone \(isGone), silent \(isSilent), sessions \(sessions.keys.map(\.rawValue).sorted())"
  }

  // MARK: The channel

  func follow(_ take: @escaping @MainActor (HostOutput.Report) -> Bool) {
    taker = take
    let waiting = early
    early = []
    for report in waiting { deliver(report) }
  }

  private func deliver(_ report: HostOutput.Report) {
    guard let taker else { return early.append(report) }
    if !taker(report) { self.taker = nil }
  }

  /// Sends a report after the earlier ones.
  private func emit(_ report: HostOutput.Report, after delay: Duration = .milliseconds(1)) {
    lastArrival = max(lastArrival, simulation.clock.now + delay)
    simulation.clock.after(lastArrival - simulation.clock.now) { [self] in deliver(report) }
  }

  private func emit(_ message: HostMessage, after delay: Duration = .milliseconds(1)) {
    emit(.message(message), after: delay)
  }

  func send(_ message: ClientMessage) -> Int? {
    // The message needs some time, and a dead host reads nothing.
    simulation.clock.after(.milliseconds(1)) { [self] in
      guard !isGone, !isSilent else { return }
      handle(message)
    }
    return nil
  }

  func kill() {
    // The supervisor ends a host that does not finish a restoration.
    if !isGone, let plugin = restoredNow { simulation.evidence.noteRestore(plugin, isKill: false) }
    end(.signaled(SIGKILL))
  }

  func status() async -> HostEnd? {
    if status_ == nil { await withCheckedContinuation { observers.append($0) } }
    return status_
  }

  func statusWithoutChannel() async -> HostEnd? {
    simulation.clock.after(.milliseconds(200)) { [self] in
      guard !isGone else { return }
      isCutOff = true
      kill()
    }
    return await status()
  }

  func write(_ report: IncidentReport) async -> (plugin: PluginID, call: String)? {
    _ = await status()
    try? await simulation.clock.sleep(for: .milliseconds(simulation.random(0...3_000)))
    return reported.map { ($0, "Screen.body") }
  }

  // MARK: The end

  private func end(_ status: HostEnd) {
    guard !isGone else { return }
    isGone = true
    status_ = status
    for observer in observers { observer.resume() }
    observers = []
    emit(.closed)
  }

  /// Ends the host with its supervisor, which hears nothing of it.
  func vanish() {
    taker = { _ in false }
    end(.signaled(SIGKILL))
  }

  /// Ends the host with a fault.
  ///
  /// - Parameter isLoading: whether the host loads a plugin, whose load is then the cause, unless the call stack names
  ///   the plugin whose entry was restored last.
  func end(by kind: End, isLoading: Bool = false) {
    guard !isGone, !isSilent else { return }
    simulation.noteFault("host \(number): \(kind)")
    let feature = simulation.pick(Self.features)
    if let plugin = restoredNow {
      let isNamed = [.crashInFeature, .crashWithReport].contains(kind) && plugin == feature
      if !isLoading || isNamed { simulation.evidence.noteRestore(plugin, isKill: kind == .kill) }
    }
    switch kind {
    case .crashInFeature where loaded.contains(feature):
      simulation.evidence.noteFrame(feature)
      crashFrames = CrashFrames(libraries: ["libGangway.so", "lib\(feature).so"])
      emit(.dying)
      end(.signaled(SIGSEGV))
    case .crashWithReport where loaded.contains(feature):
      simulation.evidence.noteFrame(feature)
      reported = feature
      emit(.dying)
      end(.signaled(SIGILL))
    case .crash, .crashInFeature, .crashWithReport:
      simulation.evidence.noteUnexplained()
      emit(.dying)
      end(.signaled(SIGABRT))
    case .exit:
      simulation.evidence.noteUnexplained()
      end(.exited(3))
    case .kill:
      end(.signaled(SIGKILL))
    case .cutOff:
      simulation.evidence.noteUnexplained()
      isSilent = true
      emit(.closed)
    }
  }

  /// Ends the host, or lets it say something impossible, if the simulation decides so.
  ///
  /// - Returns: whether the host goes on.
  private func goesOn() -> Bool {
    guard !isGone, !isSilent else { return false }
    guard simulation.happens(.death) else { return true }
    end(by: simulation.pick(End.allCases))
    return false
  }

  // MARK: Messages

  private func handle(_ message: ClientMessage) {
    guard goesOn() else { return }
    switch message {
    case .hello: greet()
    case .records(_, let records): ahead += records
    case .open(let session, let checkpoint, _, _): open(session, checkpoint)
    case .event(let session, let event): handle(event, session)
    case .resync(let session): update(session, nil)
    case .tree, .history: break
    case .close(let session):
      sessions[session] = nil
      emit(.closed(session: session))
    case .quit: end(.exited(0))
    @unknown default: break
    }
  }

  private func greet() {
    if simulation.happens(.silence) {
      isSilent = true
      simulation.noteFault("host \(number): silent from the start")
      return
    }
    simulation.note("host \(number) greets")
    emit(.hello(.current, processID: number))
    for plugin in settings.loaded where !load(plugin) { return }
    simulation.clock.after(.milliseconds(simulation.random(1...400))) { [self] in
      guard goesOn() else { return }
      hasListed = true
      emit(.ready(Self.features.map(status)))
    }
  }

  private func status(of plugin: PluginID) -> HostMessage.PluginStatus {
    let isQuarantined = isQuarantined(plugin)
    return .init(
      isQuarantined ? .quarantined : loaded.contains(plugin) ? .active : .registered, id: plugin, version: "1",
      file: Self.file(of: plugin))
  }

  private func isQuarantined(_ plugin: PluginID) -> Bool {
    settings.quarantined[plugin.rawValue] != nil || settings.quarantined[Self.file(of: plugin)] != nil
  }

  /// Loads a feature; returns false if the host did not survive it.
  private func load(_ plugin: PluginID) -> Bool {
    guard !loaded.contains(plugin), !isQuarantined(plugin) else { return true }
    emit(.loading(file: Self.file(of: plugin)))
    if simulation.happens(.silence) {
      simulation.noteFault("host \(number): the load of \(plugin) does not end")
      simulation.evidence.noteLoad(plugin, isKill: false)
      isSilent = true
      return false
    }
    if simulation.happens(.death) {
      let end = simulation.pick(End.allCases)
      simulation.evidence.noteLoad(plugin, isKill: end == .kill)
      self.end(by: end, isLoading: true)
      return false
    }
    loaded.insert(plugin)
    emit(.plugin(status(of: plugin)))
    return true
  }

  private func open(_ id: SessionID, _ checkpoint: Checkpoint?) {
    var checkpoint = checkpoint
    for record in ahead { checkpoint?.records[record.id] = record }
    ahead = []
    simulation.check(opened: checkpoint, id)
    var session = SimulatedSession(checkpoint, host: number)
    for record in session.checkpoint.records.values.sorted(by: { $0.id < $1.id }) {
      guard let plugin = record.plugin else { continue }
      guard load(plugin) else { return }
      emit(.restoring(session: id, node: record.id, plugin: plugin))
      restoring = (plugin, nil)
      if simulation.happens(.death) { return end(by: simulation.pick(End.allCases)) }
    }
    session.isNew = checkpoint == nil
    sessions[id] = session
    update(id, nil, change: session.wholeChange)
    restoring?.until = lastArrival
  }

  private func handle(_ event: Event, _ id: SessionID) {
    guard var session = sessions[id] else { return }
    let fault = simulation.eventFault()
    if fault == .dieBefore { return end(by: simulation.pick(End.allCases)) }
    if fault == .neverAnswer {
      simulation.noteFault("host \(number): no answer to \(event.name)")
      isSilent = true
      return
    }
    let change = session.handle(event.action)
    sessions[id] = session
    if fault == .dieAfter { return end(by: simulation.pick(End.allCases)) }
    var delay = Duration.milliseconds(simulation.random(1...20))
    if fault == .late {
      simulation.noteFault("host \(number): a late answer")
      delay = .seconds(simulation.random(1...40))
    }
    if fault == .lie { return lie(id, event) }
    update(id, event.id, change: change, after: delay, isFlood: fault == .flood)
    if fault == .twice {
      simulation.noteFault("host \(number): two answers")
      update(id, event.id, change: change, after: delay)
    }
    if fault == .dieAnswered {
      let end = simulation.pick(End.allCases)
      simulation.clock.after(delay + .milliseconds(simulation.random(0...3))) { [self] in self.end(by: end) }
    }
  }

  private func update(
    _ id: SessionID, _ event: EventID?, change: Checkpoint.Change? = nil, after delay: Duration = .milliseconds(2),
    isFlood: Bool = false
  ) {
    guard var session = sessions[id] else { return }
    session.revision = session.revision + 1
    sessions[id] = session
    let notices = isFlood ? (0..<300).map { Update.Notice(.information, "notice \($0)") } : []
    if isFlood { simulation.noteFault("host \(number): a flood") }
    emit(
      .update(
        session: id,
        Update(
          event: event, revision: session.revision, presentation: session.presentation, checkpoint: change,
          notices: notices)), after: delay)
  }

  /// Sends an impossible message, for which the supervisor must end the host.
  private func lie(_ id: SessionID, _ event: Event) {
    simulation.noteFault("host \(number): an impossible message")
    guard let session = sessions[id] else { return }
    func update(_ revision: Revision, _ change: Checkpoint.Change?) -> HostMessage {
      var shown = session.presentation
      shown.revision = revision
      return .update(
        session: id, Update(event: event.id, revision: revision, presentation: shown, checkpoint: change))
    }
    switch simulation.random(0...4) {
    case 0: emit(update(0, nil))
    case 1:
      let orphan = Checkpoint.Record(id: 900, parent: 800, position: 0, style: "push")
      emit(update(session.revision + 1, .init(changed: [orphan], removed: [], nextNode: 901)))
    case 2: emit(.garbled("no message"))
    case 3: emit(.hello(.current, processID: number))
    default: emit(update(session.revision + 1, .init(changed: [], removed: [1], nextNode: 2)))
    }
  }
}
