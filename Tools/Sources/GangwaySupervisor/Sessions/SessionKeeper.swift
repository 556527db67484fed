import GangwayClient
import GangwayProtocol

/// Keeps one session alive over the deaths of its hosts: holds what it can be restored from, what the person sees, and the
/// event that is being handled.
///
/// What follows from what is in ``KeeperPhase/after(_:)`` alone; this carries it out. An event in flight when a host died is
/// named, never repeated.
@MainActor public final class SessionKeeper: SessionConnection {
  /// An event that a host has been given and has not answered.
  struct InFlight {
    /// Its number, over all sessions of the pool.
    let id: EventID
    let name: String
    let plugin: String?
    /// The entry that it takes away.
    let entry: NodeID?
    /// Who waits for the answer; nobody any more where the person was asked about it.
    var reply: CheckedContinuation<Update, any Error>?
  }

  /// The session's name.
  public let id: SessionID
  /// Whose files and services of the host it has; nil where there is one person alone.
  var profile: String?
  /// What the person sees now, with what the supervisor has to say.
  public var presentation: Presentation {
    overlay.applied(to: shown) { [checkpoint] in checkpoint.records[$0]?.plugin }
  }
  public internal(set) var pending: [Update.Pending] = []
  /// Called with what came by itself: changes, and what happened to hosts. What was to be told before it is set, it is
  /// called with then.
  public var onUpdate: (Update) -> Void = { _ in } {
    didSet {
      hasListener = true
      let untold = untold
      self.untold = []
      for notice in untold { onUpdate(note(notice)) }
    }
  }
  /// Called when no host can be kept running.
  public var onFailure: (SupervisorFailure) -> Void = { _ in }
  /// What the session would be restored from now.
  public internal(set) var checkpoint: Checkpoint
  /// The process of the present host.
  public var hostProcessID: Int32? { line.host?.processID }
  /// How far the plugins have come in the session's host, by id.
  public var statuses: [String: HostMessage.PluginStatus] { line.statuses }

  /// The hosts that show it, one after the other.
  var line: any SessionHosting
  private(set) var phase = KeeperPhase.waiting
  /// What the host shows.
  var shown = Presentation(revision: 0, tabBars: [], path: [], canGoBack: false, layers: [])
  var overlay = Overlay()
  /// What the present host began with.
  private(set) var restored = Checkpoint()
  /// Whether the checkpoint is that of an earlier run: no host has had it yet.
  private(set) var isFromFile: Bool
  /// Where it is kept between runs.
  var store: SessionStore?
  var recorder: Recorder?
  /// What was done since the present host was given the session.
  private var ring: StepRing
  /// What was told of the last host that ended unasked; nil where none has.
  private(set) var lastEnd: String?
  var inFlight: InFlight?
  /// The number of the last event, over all sessions of the pool.
  var lastEvent: EventID = 0
  /// The event that was in flight when the host ended, until the session is shown again.
  private var lost: InFlight?
  /// How often a host stopped while an entry was being taken away, by entry.
  var failedRemovals: [NodeID: Int] = [:]
  /// Events that were answered and whose work goes on: should the host die now, it was in that.
  var working: [EventID: (name: String, plugin: String?)] = [:]
  /// Who waits for its turn: told whether it may still be done.
  var queue: [CheckedContinuation<Bool, Never>] = []
  /// Whether somebody of those was let go, and has not gone on yet.
  var isTurnGiven = false
  var treeWaiters: [CheckedContinuation<TreeNode, any Error>] = []
  var historyWaiters: [CheckedContinuation<[String], any Error>] = []
  var watchdog: Task<Void, Never>?
  /// How long the event in flight has been overdue when the person was asked last.
  var overdue: Duration?
  private(set) var failure: SupervisorFailure?
  private(set) var hasListener = false
  /// What came when the session was shown and nobody listened yet.
  var untold: [Update.Notice] = []
  /// What hosts have told the person: who made what can be undone.
  var told = NoticeList()
  /// What is to be told when the session is shown.
  var startNotices: [Update.Notice] = []
  /// What is to be told of the host that ended, when the session is shown again.
  private var aftermath: Update.Notice?
  /// Who waits for the session to be shown.
  private var startWaiters: [CheckedContinuation<Void, any Error>] = []
  private var startObservers: [CheckedContinuation<Void, Never>] = []
  /// Whether a front end has been given the first screen.
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

  /// Takes note of what happened, and does what follows from it.
  ///
  /// - Returns: whether anything did.
  @discardableResult func happen(_ happening: KeeperHappening) -> Bool {
    let step = phase.after(happening)
    if let fault = step.fault("'\(happening)' for the session '\(id)' that is \(phase)") {
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

  // MARK: The person's side

  /// Gives the session to a host and waits for the first presentation.
  ///
  /// - Returns: what to tell the person about the start.
  /// - Throws: ``SupervisorFailure`` if no host stays up.
  @discardableResult public func start() async throws -> [Update.Notice] {
    recorder?.begin(from: checkpoint)
    try await untilShown { line.add(self) }
    hasStarted = true
    defer { startNotices = [] }
    return startNotices
  }

  /// Does something after which the session is shown anew, and waits for that.
  ///
  /// - Throws: ``SupervisorFailure`` if no host stays up.
  func untilShown(after action: () -> Void) async throws {
    try await withCheckedThrowingContinuation { waiter in
      startWaiters.append(waiter)
      action()
    }
  }

  /// Does something that ends the host, and waits for the first update of the next one, or the end of all.
  public func nextStart(after action: () -> Void) async {
    await withCheckedContinuation { waiter in
      startObservers.append(waiter)
      action()
    }
  }

  /// Waits until it is known which plugins there are: a host's first screen may come before.
  public func listed() async { await line.listed() }

  /// Puts the session away; it is stored where it has a place.
  public func close() async { await close(keepingHost: false) }

  /// Puts the session away.
  ///
  /// - Parameter keepingHost: whether the host, which ends too, is not told of it.
  func close(keepingHost: Bool) async {
    guard happen(.close) else { return }
    await store?.finish(checkpoint)
    store = nil
    guard !keepingHost else { return }
    line.host?.send(.close(session: id))
    line.remove(self)
    finishWaiters(SupervisorFailure("The session has been closed."))
  }

  /// Kills the host and waits for the next one.
  public func restart() async throws {
    guard line.host != nil, failure == nil else { throw failure ?? SupervisorFailure("The host has ended.") }
    recorder?.noteRestart()
    try await untilShown { line.restart() }
  }

  /// Replaces a plugin by its present file, for all sessions of the host, if that comes up.
  ///
  /// - Parameter plugin: its id; nil stands for the plugin of the screen in front.
  /// - Returns: what to tell the person.
  /// - Throws: ``SupervisorFailure`` with the reason, when nothing was changed.
  public func reload(_ plugin: String? = nil) async throws -> String {
    await listed()
    // Between two events of every session that it concerns.
    defer { for keeper in line.keepers { keeper.next() } }
    try await line.idle()
    guard let plugin = plugin ?? presentation.layers.last.flatMap({ checkpoint.records[$0.node]?.plugin }) else {
      throw SupervisorFailure("The screen in front belongs to no plugin, so there is nothing to reload.")
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

  /// Begins anew, because the host refuses what is stored.
  func beginAnew(on host: HostProcess, _ reason: String) {
    checkpoint = Checkpoint()
    if let notice = store?.setAside(reason) { tell(.init(.failure, notice)) }
    host.send(.open(session: id, checkpoint: nil, profile: profile))
  }

  /// Takes what changed.
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
      // From now on the records themselves say which entries no guard has been asked about.
      isFromFile = false
      // Nobody follows yet what comes with the first screen of a run.
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

  /// Whether an update can be true of this session.
  private func check(_ update: Update) throws(ImpossibleMessage) {
    guard isShown || phase == .opening else {
      throw ImpossibleMessage(text: "told of the session '\(id)', which it was not given")
    }
    if phase != .opening, update.revision < shown.revision {
      throw ImpossibleMessage(text: "went back from revision \(shown.revision) to \(update.revision)")
    }
    try checkTree(update)
  }

  private func checkTree(_ update: Update) throws(ImpossibleMessage) {
    guard let defect = update.checkpoint.flatMap(checkpoint.defect) else { return }
    throw ImpossibleMessage(text: "told of a tree that is none: \(defect)")
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
    if let change = update.checkpoint {
      keepCopy(before: change)
      note(change)
    }
  }

  /// Takes in what changes of the tree.
  func note(_ change: Checkpoint.Change) {
    checkpoint.fold(change)
    recorder?.note(change)
    ring.note(Recording.Entry(change: change))
    store?.note(change, of: checkpoint)
  }

  /// Takes the updates of a host that has taken over, up to one that cannot be true.
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

  /// Takes note of the end of its host.
  ///
  /// - Parameter notice: what to tell the person when the session is shown again; nil for nothing.
  func hostEnded(_ notice: Update.Notice?) {
    (working, pending) = ([:], [])
    var notice = notice
    if let title = removeWhatCannotBeLeft() {
      notice?.insert("'\(title)' could not be left for the second time, so it has been taken away.")
    }
    if aftermath == nil { aftermath = notice }
    if let notice { lastEnd = notice.text }
    happen(.hostEnded)
  }

  /// Tells the person what happened, and whoever waits for an answer that there is none.
  private func announce() {
    for waiter in startWaiters { waiter.resume() }
    startWaiters = []
    for observer in startObservers { observer.resume() }
    startObservers = []
    // What was to be told while there was no host.
    if hasStarted {
      let notices = startNotices
      startNotices = []
      for notice in notices { tell(notice) }
    }
    let lost = lost
    guard let notice = aftermath ?? lost.map({ .init(.failure, "\($0.name) was not done: the host stopped.") }) else {
      return
    }
    (aftermath, self.lost) = (nil, nil)
    var answer = note(notice)
    answer.presentation = presentation
    guard let reply = lost?.reply else { return onUpdate(answer) }
    answer.event = lost?.id
    reply.resume(returning: answer)
  }

  /// Whether an event, or what it began, was under way.
  var isHandling: Bool { inFlight != nil }

  /// An event that was answered and whose work goes on, with the plugin whose it is.
  var unfinished: (name: String, plugin: String?)? {
    for item in pending {
      if let name = item.event.flatMap({ working[$0]?.name }) { return (name, item.plugin) }
    }
    return nil
  }

  func noteStep(_ entry: Recording.Entry) { ring.note(entry) }

  /// What was done since the present host was given the session, or the last of it.
  ///
  /// - Parameter failure: how it ended.
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

  /// Takes note that no host stays up.
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

  /// Lets everybody go who waits for anything.
  func finishWaiters(_ failure: SupervisorFailure) {
    for waiter in startWaiters { waiter.resume(throwing: failure) }
    startWaiters = []
    for observer in startObservers { observer.resume() }
    startObservers = []
    for event in [inFlight, lost] { event?.reply?.resume(throwing: failure) }
    (inFlight, lost) = (nil, nil)
  }
}
