import FoundationEssentials
import GangwayClient
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
  public var presentation: Presentation {
    overlay.applied(to: shown) { [checkpoint] in checkpoint.records[$0]?.plugin }
  }
  /// What the host shows.
  var shown = Presentation(revision: 0, tabBars: [], path: [], canGoBack: false, layers: [])
  public internal(set) var pending: [Update.Pending] = []
  /// Called with what came by itself: changes, and what happened to hosts. What was to be told before it is set, it is
  /// called with then.
  public var onUpdate: (Update) -> Void = { _ in } {
    didSet {
      hasListener = true
      let untold = untold
      self.untold = []
      for notice in untold { onUpdate(note(notice.kind, notice.text, plugin: notice.plugin)) }
    }
  }
  private(set) var hasListener = false
  /// What came when the host was up and nobody listened yet.
  var untold: [Update.Notice] = []
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
  /// Keeps others from the state file.
  private var lock: SessionLock?
  let folder: LogFolder
  let log: FileDescriptor
  var host: HostProcess?
  var generation = 0
  private var eventCount = 0
  var incident = Incident()
  /// Plugins, or files, that are not loaded before the person wants them again, each with the reason.
  var quarantined: [String: String] = [:]
  var tally = CrashTally()
  /// How often hosts were killed from outside while they loaded a file.
  var killedLoads: [String: Int] = [:]
  /// What the present host began with.
  var restored = Checkpoint()
  /// In safe mode, the plugins that the person wanted all the same.
  var allowed: Set<String> = []
  /// How far the plugins have come, by id.
  public internal(set) var statuses: [String: HostMessage.PluginStatus] = [:]
  /// Who waits for a host to have said which plugins there are; nil when one has.
  private var listWaiters: [CheckedContinuation<Void, Never>]? = []
  var overlay = Overlay()
  var watchdog: Task<Void, Never>?
  var startWatch: Task<Void, Never>?
  var loadWatch: Task<Void, Never>?
  /// How long the event in flight has been overdue when the person was asked last.
  var overdue: Duration?
  var candidate: Candidate?
  var isReloading = false
  var toldRefusals: Set<String> = []
  var inFlight: InFlight?
  var treeWaiters: [CheckedContinuation<TreeNode, any Error>] = []
  var historyWaiters: [CheckedContinuation<[String], any Error>] = []
  /// Whether the checkpoint is that of an earlier run: no host has had it yet.
  var isFromFile = false
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
    switch SessionLock.take(path) {
    case .taken(let lock): self.lock = lock
    case .impossible: break
    case .inUse(let process):
      let other = process.map { " (process \($0))" } ?? ""
      startNotices.append(
        .init(
          .information,
          "The stored session '\(path)' is in use by another app\(other). This one begins a session of its own, which is not "
            + "stored: close the other first, or name another file with --state."))
      return
    }
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
    recorder?.begin(from: checkpoint)
    try launch()
    try await withCheckedThrowingContinuation { startWaiters.append($0) }
    defer { startNotices = [] }
    return startNotices
  }

  /// Waits until it is known which plugins there are: a host's first screen may come before.
  public func listed() async {
    guard listWaiters != nil, !isStopped, failure == nil else { return }
    await withCheckedContinuation { listWaiters?.append($0) }
  }

  /// Lets go on who waits for the plugins.
  func endListing() {
    for waiter in listWaiters ?? [] { waiter.resume() }
    listWaiters = nil
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
    loadWatch?.cancel()
    endListing()
    candidate?.host.kill()
    await saveAtLast()
    lock = nil
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
    defer { next() }
    // Nothing else goes to the host before the answer: what was sent is in flight from here on.
    if let length = host.send(.event(session: Self.session, event)) {
      return note(
        .refusal,
        "It was not done: what was entered takes \(length) bytes, and at most \(Line.maximumLength) are sent. Enter less."
      )
    }
    record(event)
    return try await withCheckedThrowingContinuation { reply in
      if let patience = options.patience { watch(event.id, for: patience) }
      inFlight = InFlight(id: event.id, name: describe(event), plugin: plugin(of: event), reply: reply)
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
}
