@_spi(FrontEnd) import GangwayClient
@_spi(FrontEnd) import GangwayProtocol

/// A session that survives the deaths of its hosts.
///
/// The keeper holds the session's checkpoint, its current presentation and the event in flight.
/// ``KeeperPhase/after(_:)`` makes all decisions; this class carries them out. If a host dies, the event in flight is
/// reported, but never repeated.
@_spi(FrontEnd) @MainActor public final class SessionKeeper: SessionConnection {
  /// An event that a host has received and not answered.
  struct InFlight {
    /// The event's number, which is unique in the pool.
    let id: EventID
    let name: String
    let plugin: PluginID?
    /// The entry that the event removes.
    let entry: NodeID?
    /// The continuation that waits for the answer; nil once the user has been asked whether to keep waiting.
    var reply: CheckedContinuation<Update, any Error>?
  }

  /// The session's name.
  public let id: SessionID
  /// The profile whose files and host services the session uses; nil if there is only one user.
  var profile: String?
  /// The current presentation, with the supervisor's overlay.
  public var presentation: Presentation {
    overlay.applied(to: shown) { [checkpoint] in checkpoint.records[$0]?.plugin }
  }
  public internal(set) var pending: [Update.Pending] = []
  /// Called with unasked updates: changes, and reports about hosts.
  ///
  /// When it is set, it receives the notifications that arrived before.
  public var onUpdate: (Update) -> Void = { _ in } {
    didSet {
      hasListener = true
      let untold = untold
      self.untold = []
      for notice in untold { onUpdate(note(notice)) }
    }
  }
  /// Called when no host stays up.
  public var onFailure: (SupervisorFailure) -> Void = { _ in }
  /// The checkpoint from which the session would be restored now.
  public internal(set) var checkpoint: Checkpoint
  /// The process ID of the current host.
  public var hostProcessID: Int32? { line.host?.processID }
  /// The states of the plugins in the session's host, by id.
  public var statuses: [PluginID: HostMessage.PluginStatus] { line.statuses }

  /// The hosts that show the session, one after the other.
  var line: any SessionHosting
  private(set) var phase = KeeperPhase.waiting
  /// The presentation of the host.
  var shown = Presentation(revision: 0, tabBars: [], path: [], canGoBack: false, layers: [])
  var overlay = Overlay()
  /// The checkpoint with which the current host began.
  private(set) var restored = Checkpoint()
  /// Whether the checkpoint is from an earlier run and no host has had it yet.
  private(set) var isFromFile: Bool
  /// The store of the session; nil if it is not stored between runs.
  var store: SessionStore?
  var recorder: Recorder?
  /// The steps since the current host received the session.
  private var ring: StepRing
  /// The notification about the last host that ended unasked; nil if there is none.
  private(set) var lastEnd: String?
  var inFlight: InFlight?
  /// The number of the last event, which is unique in the pool.
  var lastEvent: EventID = 0
  /// The event that was in flight when the host ended, until the session is shown again.
  private var lost: InFlight?
  /// The number of hosts that stopped while an entry was being removed, by entry.
  var failedRemovals: [NodeID: Int] = [:]
  /// The answered events with unfinished work, in which a host may die.
  var working: [EventID: (name: String, plugin: PluginID?)] = [:]
  /// The callers that wait for their turn; a caller resumes with false if its event is dropped.
  var queue: [CheckedContinuation<Bool, Never>] = []
  /// Whether a caller has been resumed and has not continued yet.
  var isTurnGiven = false
  var treeWaiters: [CheckedContinuation<TreeNode, any Error>] = []
  var historyWaiters: [CheckedContinuation<[String], any Error>] = []
  var watchdog: Task<Void, Never>?
  /// The last timeout after which the user was asked about the event in flight.
  var overdue: Duration?
  private(set) var failure: SupervisorFailure?
  private(set) var hasListener = false
  /// The notifications that arrived before a front end listened.
  var untold: [Update.Notice] = []
  /// The notifications that hosts have shown; they name the plugin that owns an undo action.
  var told = NoticeList()
  /// The notifications to show with the first screen.
  var startNotices: [Update.Notice] = []
  /// The notification about a host's end, to show once the session is shown again.
  var aftermath: Update.Notice?
  /// The continuations that wait until the session is shown.
  private var startWaiters: [CheckedContinuation<Void, any Error>] = []
  private var startObservers: [CheckedContinuation<Void, Never>] = []
  /// Whether a front end has received the first screen.
  private var hasStarted = false
  var isShown: Bool { [.ready, .handling, .asking].contains(phase) }
  var hasToldRecorderFailure = false

  init(_ id: SessionID, on line: any SessionHosting, from checkpoint: Checkpoint, isFromFile: Bool) {
    self.id = id
    self.line = line
    self.checkpoint = checkpoint
    self.isFromFile = isFromFile
    ring = StepRing(maximum: line.options.steps)
  }

  var options: SupervisorOptions { line.options }

  // MARK: Phases

  /// Moves to the next phase and performs its actions.
  ///
  /// - Returns: whether the happening has an effect.
  @discardableResult func happen(_ happening: KeeperHappening) -> Bool {
    let step = phase.after(happening)
    if let fault = step.fault(Words.Fault.session(id, "\(happening)", phase: "\(phase)")) {
      tell(.init(.failure, fault))
    }
    guard case .to(let next, let actions) = step else { return false }
    phase = next
    for action in actions { perform(action) }
    return true
  }

  private func perform(_ action: KeeperAction) {
    switch action {
    case .announce: announce()
    case .next: next()
    case .watch: watch()
    case .ask: ask()
    case .endWatch: endWatch()
    case .noteLoss: (lost, inFlight) = (inFlight, nil)
    case .endQuestions: endQuestions()
    case .drop: drop()
    }
  }

  // MARK: The user's side

  /// Gives the session to a host and waits for the first presentation.
  ///
  /// - Returns: the notifications for the user.
  /// - Throws: ``SupervisorFailure`` if no host stays up.
  @discardableResult public func start() async throws -> [Update.Notice] {
    recorder?.begin(from: checkpoint)
    try await untilShown { line.add(self) }
    hasStarted = true
    defer { startNotices = [] }
    return startNotices
  }

  /// Performs an action and waits until the session is shown again.
  ///
  /// - Throws: ``SupervisorFailure`` if no host stays up.
  func untilShown(after action: () -> Void) async throws {
    try await withCheckedThrowingContinuation { waiter in
      startWaiters.append(waiter)
      action()
    }
  }

  /// Performs an action that ends the host, and waits for the first update of the next host, or until no host stays up.
  public func nextStart(after action: () -> Void) async {
    await withCheckedContinuation { waiter in
      startObservers.append(waiter)
      action()
    }
  }

  /// Waits for the host's list of plugins, which may arrive after its first screen.
  public func listed() async { await line.listed() }

  /// Closes the session and stores it, if it has a file.
  public func close() async { await close(keepingHost: false) }

  /// Closes the session.
  ///
  /// - Parameter keepingHost: whether the host is left out, because it is about to end anyway.
  func close(keepingHost: Bool) async {
    guard happen(.close) else { return }
    await store?.finish(checkpoint)
    store = nil
    guard !keepingHost else { return }
    line.host?.send(.close(session: id))
    line.remove(self)
    finishWaiters(SupervisorFailure(Words.Session.closed))
  }

  /// Kills the host and waits for the next one.
  public func restart() async throws {
    guard line.host != nil, failure == nil else { throw failure ?? SupervisorFailure(Words.Host.ended) }
    recorder?.noteRestart()
    try await untilShown { line.restart() }
  }

  /// Replaces a plugin by its current file, for all sessions of the host; on failure the old one stays.
  ///
  /// - Parameter plugin: the plugin's id; nil stands for the plugin of the front screen.
  /// - Returns: the text to show the user.
  /// - Throws: ``SupervisorFailure`` with the reason; nothing has changed then.
  public func reload(_ plugin: PluginID? = nil) async throws -> String {
    await listed()
    // Reloading must happen between two events of every session of the host.
    defer { for keeper in line.keepers { keeper.next() } }
    try await line.idle()
    guard let plugin = plugin ?? presentation.layers.last.flatMap({ checkpoint.records[$0.node]?.plugin }) else {
      throw SupervisorFailure(Words.Reload.notInFront)
    }
    return try await line.reload(plugin)
  }

  // MARK: The host's side

  /// Gives the session to a host.
  func open(on host: HostProcess) {
    guard happen(.opened) else { return }
    restored = checkpoint
    ring.begin(from: checkpoint, asksGuards: isFromFile)
    host.open(id, checkpoint.records.isEmpty ? nil : checkpoint, isFromFile: isFromFile, profile: profile)
  }

  /// Starts with an empty checkpoint, because the host refuses the stored one.
  func beginAnew(on host: HostProcess, _ reason: String) {
    checkpoint = Checkpoint()
    if let notice = store?.setAside(reason) {
      tell(.init(.failure, Words.Session.notOpened, detail: notice))
    }
    host.send(.open(session: id, checkpoint: nil, profile: profile))
  }

  /// Handles an update of the host.
  func take(_ update: Update) throws(ImpossibleMessage) {
    try check(update)
    var update = update
    update.notices = update.notices.map { vouched($0, event: update.event) }
    fold(update)
    told.add(update.notices)
    if let waiting = inFlight, waiting.id == update.event { working[waiting.id] = (waiting.name, waiting.plugin) }
    let unfinished = Set(pending.compactMap(\.event))
    working = working.filter { unfinished.contains($0.key) }
    if phase == .opening {
      // From now on, the records themselves mark the entries that no guard has checked.
      isFromFile = false
      // No front end listens yet, so the caller of ``start()`` gets the notifications.
      if !hasListener { startNotices += update.notices }
      happen(.shown)
    }
    if let waiting = inFlight, waiting.id == update.event {
      inFlight = nil
      defer { happen(.answered) }
      if let reply = waiting.reply { return reply.resume(returning: shown(update)) }
    }
    onUpdate(shown(update))
  }

  /// Checks that an update can be true for this session.
  private func check(_ update: Update) throws(ImpossibleMessage) {
    guard isShown || phase == .opening else {
      throw ImpossibleMessage(text: Words.Impossible.unknownSession(id))
    }
    if phase != .opening, update.revision < shown.revision {
      throw ImpossibleMessage(text: Words.Impossible.wentBack(from: shown.revision, to: update.revision))
    }
    try checkTree(update)
  }

  private func checkTree(_ update: Update) throws(ImpossibleMessage) {
    guard let defect = update.checkpoint.flatMap(checkpoint.defect) else { return }
    throw ImpossibleMessage(text: Words.Impossible.invalidTree("\(defect)"))
  }

  /// Returns an update for front ends, with the supervisor's overlay.
  private func shown(_ update: Update) -> Update {
    var update = update
    if update.presentation != nil { update.presentation = presentation }
    return update
  }

  private func fold(_ update: Update) {
    if let next = update.presentation { shown = next }
    pending = update.pending
    if let change = update.checkpoint {
      keepCopy(before: change)
      note(change)
    }
  }

  /// Applies a change of the tree.
  func note(_ change: Checkpoint.Change) {
    checkpoint.fold(change)
    recorder?.note(change)
    ring.note(Recording.Entry(change: change))
    store?.note(change, of: checkpoint)
  }

  /// Applies the updates of a host that has taken over, up to the first impossible one.
  func takeOver(_ updates: [Update]) throws(ImpossibleMessage) {
    working = [:]
    ring.begin(from: checkpoint)
    defer { happen(.takenOver) }
    for update in updates {
      try checkTree(update)
      fold(update)
      onUpdate(shown(update))
    }
  }

  /// Handles the end of the host.
  ///
  /// - Parameter notice: the notification to show once the session is shown again; nil for none.
  func hostEnded(_ notice: Update.Notice?, facts: String? = nil) {
    (working, pending) = ([:], [])
    var notice = notice
    if let title = removeWhatCannotBeLeft() {
      notice?.insert(Words.Crash.cannotBeClosed(title))
    }
    remember(notice, facts)
    if let notice { lastEnd = notice.developerText }
    happen(.hostEnded)
  }

  /// Reports what happened, and resumes the sender of the lost event.
  private func announce() {
    for waiter in startWaiters { waiter.resume() }
    startWaiters = []
    for observer in startObservers { observer.resume() }
    startObservers = []
    // Show the notifications that arrived while there was no host.
    if hasStarted {
      let notices = startNotices
      startNotices = []
      for notice in notices { tell(notice) }
    }
    let lost = lost
    guard
      let notice = aftermath ?? lost.map({ .init(.failure, Words.Crash.lost($0.name)) })
    else {
      return
    }
    (aftermath, self.lost) = (nil, nil)
    var answer = note(notice)
    answer.presentation = presentation
    guard let reply = lost?.reply else { return onUpdate(answer) }
    // Without the event's id, the sender knows that the event was not done.
    reply.resume(returning: answer)
  }

  /// An answered event with unfinished work, and the plugin of the work.
  var unfinished: (name: String, plugin: PluginID?)? {
    for item in pending {
      if let name = item.event.flatMap({ working[$0]?.name }) { return (name, item.plugin) }
    }
    return nil
  }

  func noteStep(_ entry: Recording.Entry) { ring.note(entry) }

  /// Returns a recording of the steps since the current host received the session, or of the last of them.
  ///
  /// - Parameter failure: a description of the end.
  func recording(endingWith failure: String) -> Recording {
    let loaded = statuses.values.filter { $0.state == .active }.compactMap { plugin in
      plugin.id.map { ($0, plugin.version ?? "") }
    }
    return Recording(
      header: .init(
        plugins: Dictionary(loaded, uniquingKeysWith: { $1 }), checkpoint: ring.base.records.isEmpty ? nil : ring.base,
        asksGuards: ring.asksGuards),
      entries: ring.steps + [.init(failure: failure)])
  }

  /// Fails the session, because no host stays up.
  func fail(_ failure: SupervisorFailure) {
    guard self.failure == nil else { return }
    self.failure = failure
    happen(.fail)
    Task {
      await store?.finish(checkpoint)
      finishWaiters(failure)
      onFailure(failure)
    }
  }

  /// Resumes all waiting tasks with a failure.
  func finishWaiters(_ failure: SupervisorFailure) {
    for waiter in startWaiters { waiter.resume(throwing: failure) }
    startWaiters = []
    for observer in startObservers { observer.resume() }
    startObservers = []
    for event in [inFlight, lost] { event?.reply?.resume(throwing: failure) }
    (inFlight, lost) = (nil, nil)
  }
}
