import FoundationEssentials
import GangwayHost
import GangwayProtocol
import Glibc
import Subprocess
import SystemPackage

/// Keeps a session alive over the deaths of its host: holds the checkpoint, starts a host, starts it again.
///
/// Crash recovery, restart and upgrade are this one mechanism. An event in flight when a host died is named, never
/// repeated.
@MainActor public final class Supervisor: SessionConnection {
  /// What the person sees now, with what the supervisor has to say.
  public var presentation: Presentation { overlay.applied(to: shown) { [checkpoint] in checkpoint.records[$0]?.plugin } }
  /// What the host shows.
  var shown = Presentation(revision: 0, tabBars: [], path: [], canGoBack: false, layers: [])
  public internal(set) var pending: [Update.Pending] = []
  /// Called with what came by itself: changes, and what happened to hosts.
  public var onUpdate: (Update) -> Void = { _ in }
  /// What the session would be restored from now.
  public internal(set) var checkpoint: Checkpoint
  /// The process of the present host.
  public var hostProcessID: Int32? { host?.processID }
  /// Called when no host can be kept running.
  public var onFailure: (SupervisorFailure) -> Void = { _ in }

  static let session: SessionID = "main"
  static let maximumFailedStarts = 5

  let options: SupervisorOptions
  var stateFile: StateFile?
  private let folder: LogFolder
  private let log: FileDescriptor
  var host: HostProcess?
  var generation = 0
  private var eventCount = 0
  var incident = Incident()
  /// Plugins, or files, that are not loaded before the person wants them again, each with the reason.
  var quarantined: [String: String] = [:]
  var tally = CrashTally()
  /// In safe mode, the plugins that the person wanted all the same.
  private var allowed: Set<String> = []
  /// How far the plugins have come, by id.
  public internal(set) var statuses: [String: HostMessage.PluginStatus] = [:]
  var overlay = Overlay()
  var watchdog: Task<Void, Never>?
  var startWatch: Task<Void, Never>?
  /// How long the event in flight has been overdue when the person was asked last.
  var overdue: Duration?
  var candidate: Candidate?
  var isReloading = false
  private var toldRefusals: Set<String> = []
  var inFlight: InFlight?
  var treeWaiters: [CheckedContinuation<TreeNode, any Error>] = []
  var historyWaiters: [CheckedContinuation<[String], any Error>] = []
  /// Whether the checkpoint is that of an earlier run: no host has had it yet.
  private var isFromFile = false
  let recorder: Recorder?
  private var hasToldRecorderFailure = false
  var startWaiters: [CheckedContinuation<Void, any Error>] = []
  var startObservers: [CheckedContinuation<Void, Never>] = []
  var queue: [CheckedContinuation<Bool, Never>] = []
  /// The write that is coming or under way.
  var writing: Task<Void, Never>?
  var needsSaving = false
  var isStopped = false
  var failure: SupervisorFailure?
  /// What is to be told when the host is up.
  var startNotices: [Update.Notice] = []

  /// Events that were answered and whose work went on, by what was done: should the host die now, it was in that.
  var working: [EventID: String] = [:]

  /// An event that a host has been given and has not answered.
  struct InFlight {
    let id: EventID
    let name: String
    let plugin: String?
    /// Who waits for the answer; nobody any more where the person was asked about it.
    var reply: CheckedContinuation<Update, any Error>?
  }

  /// Whether something is under way that the next event has to wait for.
  var isBusy: Bool { inFlight != nil || isReloading }

  /// Prepares a supervisor; ``start()`` starts the host.
  ///
  /// - Throws: ``SupervisorFailure`` if its log cannot be written.
  public init(_ options: SupervisorOptions) throws {
    self.options = options
    signal(SIGPIPE, SIG_IGN)
    folder = LogFolder(options.logFolder)
    log = try folder.openLog()
    checkpoint = options.checkpoint ?? Checkpoint()
    isFromFile = options.checkpoint != nil
    recorder = try options.recording.map { try Recorder(file: $0) }
    guard let path = options.stateFile else { return }
    let file = StateFile(path: path)
    stateFile = file
    switch options.isFresh && access(path, F_OK) == 0 ? file.setAside("a fresh one was asked for") : file.read() {
    case .nothing: break
    case .checkpoint(let stored):
      checkpoint = stored
      isFromFile = true
    case .setAside(let notice):
      startNotices.append(.init(.information, notice))
      // What could be neither read nor moved is somebody else's: it is not written over.
      if access(path, F_OK) == 0 { stateFile = nil }
    }
  }

  /// Starts the host and waits for the first presentation.
  ///
  /// - Returns: what to tell the person about the start.
  /// - Throws: ``SupervisorFailure`` if no host stays up.
  public func start() async throws -> [Update.Notice] {
    try launch()
    try await withCheckedThrowingContinuation { startWaiters.append($0) }
    defer { startNotices = [] }
    return startNotices
  }

  /// Does something that ends the host, and waits for the first update of the next one.
  public func nextStart(after action: () -> Void) async {
    await withCheckedContinuation { waiter in
      startObservers.append(waiter)
      action()
    }
  }

  /// Ends the host in order and stores the session.
  public func stop() async {
    guard !isStopped else { return }
    isStopped = true
    endWatch()
    startWatch?.cancel()
    candidate?.host.kill()
    await saveAtLast()
    guard let host else { return }
    host.send(.quit)
    let impatience = Task {
      try await Task.sleep(for: .seconds(1))
      host.kill()
    }
    _ = await host.status()
    impatience.cancel()
    finishWaiters(SupervisorFailure("The host has ended."))
  }

  // MARK: The person

  /// Sends an event when those before it are answered.
  ///
  /// - Returns: the update that answers it, or one that says why there is none: the host died, which is told in a notice.
  /// - Throws: ``SupervisorFailure`` when no host can be kept running.
  public func send(_ action: Event.Action) async throws -> Update {
    if let answer = answerQuestion(action) { return answer }
    while isBusy {
      let isStillWanted = await withCheckedContinuation { queue.append($0) }
      guard isStillWanted else {
        return note(.refusal, "It was not done: the host stopped while something before it was being handled.")
      }
    }
    if let failure { throw failure }
    guard let host, !isStopped else { throw SupervisorFailure("The host has ended.") }
    eventCount += 1
    let event = Event(id: eventCount, revision: presentation.revision, action: action)
    record(event)
    defer { next() }
    return try await withCheckedThrowingContinuation { reply in
      if let patience = options.patience { watch(event.id, for: patience) }
      inFlight = InFlight(id: event.id, name: describe(event), plugin: plugin(of: event), reply: reply)
      host.send(.event(session: Self.session, event))
    }
  }

  /// Lets the next event in the queue go.
  func next() {
    guard !queue.isEmpty, !isBusy else { return }
    queue.removeFirst().resume(returning: true)
  }

  /// The navigation tree, as the host has it.
  public func tree() async throws -> TreeNode {
    guard let host, failure == nil else { throw failure ?? SupervisorFailure("The host has ended.") }
    return try await withCheckedThrowingContinuation { waiter in
      treeWaiters.append(waiter)
      host.send(.tree(session: Self.session))
    }
  }

  /// The commits of the session since its host was started.
  public func history() async throws -> [String] {
    guard let host, failure == nil else { throw failure ?? SupervisorFailure("The host has ended.") }
    return try await withCheckedThrowingContinuation { waiter in
      historyWaiters.append(waiter)
      host.send(.history(session: Self.session))
    }
  }

  /// Kills the host and waits for the next one.
  public func restart() async throws {
    guard let host else { throw SupervisorFailure("The host has ended.") }
    incident.isWanted = true
    recorder?.noteRestart()
    host.kill()
    try await withCheckedThrowingContinuation { startWaiters.append($0) }
  }

  private func record(_ event: Event) {
    guard let recorder else { return }
    let element = event.element.flatMap { id in presentation.reachable.first { $0.id == id } }
    recorder.note(event, on: describe(event), isSecure: element?.role == .secure)
    guard let failure = recorder.failure, !hasToldRecorderFailure else { return }
    hasToldRecorderFailure = true
    tell(.init(.failure, failure))
  }

  private func describe(_ event: Event) -> String {
    let element = event.element.flatMap { id in presentation.reachable.first { $0.id == id } }
    let tab = event.node.flatMap { node in presentation.tabBars.joined().first { $0.node == node } }
    guard let label = element?.label ?? tab?.title else { return event.name }
    return "\(event.name) on '\(label)'"
  }

  private func plugin(of event: Event) -> String? {
    (event.node ?? presentation.top?.node).flatMap { checkpoint.records[$0]?.plugin }
  }

  func note(_ kind: Update.Notice.Kind, _ text: String, plugin: String? = nil) -> Update {
    Update(
      event: nil, revision: presentation.revision, presentation: nil, checkpoint: nil, pending: pending,
      notices: [.init(kind, text, plugin: plugin)])
  }

  // MARK: The host

  func launch() throws {
    generation += 1
    incident = Incident(restoreDeaths: incident.restoreDeaths, failedStarts: incident.failedStarts)
    let host = try startHost()
    self.host = host
    host.send(.hello(.current))
    host.send(
      .open(
        session: Self.session, checkpoint: checkpoint.records.isEmpty ? nil : checkpoint, isFromFile: isFromFile))
    follow(host)
    watchStart(of: host)
  }

  /// Starts a host.
  ///
  /// - Parameter plugins: those that it loads at once, whether they are needed or not.
  func startHost(loading plugins: [String] = []) throws -> HostProcess {
    var arguments = ["--serve"]
    for plugin in options.plugins { arguments += ["--plugin", plugin] }
    for plugin in options.without { arguments += ["--without", plugin] }
    for (plugin, reason) in quarantined.sorted(by: { $0.key < $1.key }) {
      arguments += ["--quarantine", "\(plugin)=\(reason)"]
    }
    for folder in options.pluginFolders { arguments += ["--plugins-dir", folder] }
    if let configuration = options.configuration { arguments += ["--config", configuration] }
    if options.isSafe {
      arguments.append("--safe-mode")
      for plugin in allowed.sorted() { arguments += ["--allow", plugin] }
    }
    if options.waitsForDebugger { arguments.append("--wait-for-debugger") }
    // Once is enough: what was found out by the first host is known to those after it.
    if options.rescans, generation == 1 { arguments.append("--rescan") }
    if let deadline = options.probeTimeout { arguments += ["--probe-timeout", "\(deadline)"] }
    for plugin in plugins { arguments += ["--load", plugin] }
    return try HostProcess(
      executable: options.host, arguments: arguments, environment: options.environment, log: log,
      crashReport: folder.report(process: getpid(), generation: generation))
  }

  /// Takes what a host says, while it is in charge or is to be.
  func follow(_ host: HostProcess) {
    Task {
      for await report in host.reports {
        if let candidate, candidate.host === host {
          take(report, of: candidate)
        } else {
          guard self.host === host else { return }
          await take(report, from: host)
        }
      }
    }
  }

  private func take(_ report: HostProcess.Report, from host: HostProcess) async {
    switch report {
    case .message(let message):
      host.messages += 1
      take(message)
    case .garbled(let text): onUpdate(note(.failure, "The host said something that is no message: \(text)"))
    case .dying: await recover(from: host, reportIsComing: true)
    case .closed:
      guard !isStopped else { return }
      await recover(from: host, reportIsComing: false)
    }
  }

  private func take(_ message: HostMessage) {
    switch message {
    case .hello(let version, _):
      guard version.major == ProtocolVersion.current.major else {
        return giveUp(
          "The host '\(options.host)' speaks protocol \(version), this command speaks \(ProtocolVersion.current). Install "
            + "both from one release.")
      }
    case .probing: break
    case .loading(let file): incident.loading = file
    case .restoring(_, let node, let plugin): incident.restoring = (node, plugin)
    case .plugin(let status):
      incident.loading = nil
      note(status)
    case .ready(let plugins):
      incident.loading = nil
      recorder?.begin(plugins, checkpoint)
      for plugin in plugins {
        note(plugin)
        guard plugin.state == .refused, plugin.cause != "not-a-plugin", toldRefusals.insert(plugin.file).inserted else {
          continue
        }
        tell(.init(.failure, "\(plugin.file) was refused: \(plugin.refusal ?? "")"))
      }
    case .update(_, let update): take(update)
    case .tree(_, let tree):
      if !treeWaiters.isEmpty { treeWaiters.removeFirst().resume(returning: tree) }
    case .history(_, let lines):
      if !historyWaiters.isEmpty { historyWaiters.removeFirst().resume(returning: lines) }
    case .closed: break
    case .failure(let failure): take(failure)
    }
  }

  /// Notes how far a plugin has come. One that is loaded although it was set aside was wanted by the person.
  func note(_ status: HostMessage.PluginStatus) {
    guard let id = status.id else { return }
    statuses[id] = status
    guard status.state == .active else { return }
    if options.isSafe { allowed.insert(id) }
    if quarantined.removeValue(forKey: id) != nil { tally.forget(id) }
    if quarantined.removeValue(forKey: status.file) != nil { tally.forget(id) }
  }

  private func take(_ update: Update) {
    fold(update)
    if let waiting = inFlight, waiting.id == update.event { working[waiting.id] = waiting.name }
    let unfinished = Set(pending.compactMap(\.event))
    working = working.filter { unfinished.contains($0.key) }
    if !incident.isUp { cameUp() }
    if let waiting = inFlight, waiting.id == update.event {
      inFlight = nil
      endWatch()
      if let reply = waiting.reply { return reply.resume(returning: shown(update)) }
      next()
    }
    onUpdate(shown(update))
  }

  /// An update as front ends get it: with what the supervisor has to say.
  private func shown(_ update: Update) -> Update {
    var update = update
    if update.presentation != nil { update.presentation = presentation }
    return update
  }

  private func fold(_ update: Update) {
    if let next = update.presentation { shown = next }
    pending = update.pending
    guard let change = update.checkpoint else { return }
    checkpoint.fold(change)
    recorder?.note(change)
    scheduleSave()
  }

  private func cameUp() {
    // From now on the records themselves say which entries no guard has been asked about.
    isFromFile = false
    incident.isUp = true
    incident.failedStarts = 0
    incident.restoring = nil
    for waiter in startWaiters { waiter.resume() }
    startWaiters = []
    for observer in startObservers { observer.resume() }
    startObservers = []
  }

  /// Takes the first update of a host that takes the place of another.
  func takeOver(_ update: Update) {
    incident = Incident()
    incident.isUp = true
    working = [:]
    fold(update)
    onUpdate(shown(update))
  }

  private func take(_ failure: HostMessage.Failure) {
    switch failure.code {
    case "plugins", "version": giveUp(failure.message)
    case "checkpoint":
      checkpoint = Checkpoint()
      if case .setAside(let notice)? = stateFile?.setAside(failure.message) { tell(.init(.failure, notice)) }
      host?.send(.open(session: Self.session, checkpoint: nil))
    default: onUpdate(note(.failure, failure.message))
    }
  }

  func tell(_ notice: Update.Notice) {
    if incident.isUp {
      onUpdate(note(notice.kind, notice.text, plugin: notice.plugin))
    } else {
      startNotices.append(notice)
    }
  }
}
