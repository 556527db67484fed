@_spi(FrontEnd) import GangwayClient
@_spi(FrontEnd) import GangwayProtocol

/// A session that survives the deaths of its hosts.
///
/// It is the side of the hosts: they get the session from here, and their updates arrive here. ``KeeperConnection`` is
/// the side of the users. ``KeeperPhase/after(_:)`` makes all decisions; this class carries them out. If a host dies,
/// the event in flight is reported, but never repeated.
@_spi(FrontEnd) @MainActor public final class SessionKeeper {
  /// The session's name.
  public let id: SessionID
  /// The profile whose files and host services the session uses; nil if there is only one user.
  var profile: String?
  /// The hosts that show the session, one after the other.
  var line: any SessionHosting
  private(set) var phase = KeeperPhase.waiting
  let memory: SessionMemory
  let turns = TurnQueue()
  let timeout: EventTimeout
  var events = SentEvents()
  var requests = HostRequests()
  var notices = SessionNotices()
  private var starts = StartWaiters()
  /// The presentation of the host.
  private(set) var shown = Presentation(revision: 0, tabBars: [], path: [], canGoBack: false, layers: [])
  /// The supervisor's own part of the presentation.
  var overlay = Overlay()
  private(set) var pending: [Update.Pending] = []
  private(set) var failure: SupervisorFailure?
  /// Called with unasked updates: changes, and reports about hosts.
  ///
  /// When it is set, it receives the notifications that arrived before.
  public var onUpdate: (Update) -> Void = { _ in } {
    didSet { for notice in notices.listen() { onUpdate(note(notice)) } }
  }
  /// Called when no host stays up.
  public var onFailure: (SupervisorFailure) -> Void = { _ in }

  init(_ id: SessionID, on line: any SessionHosting, from checkpoint: Checkpoint, isFromFile: Bool) {
    self.id = id
    self.line = line
    timeout = EventTimeout(line.options.clock)
    memory = SessionMemory(checkpoint, isFromFile: isFromFile, steps: line.options.steps)
    turns.isBusy = { [weak self] in self?.isBusy ?? false }
    turns.hasEnded = { [weak self] in self.map { $0.phase == .failed || $0.phase == .closed } ?? true }
  }

  /// Returns a connection for front ends, which keeps the session alive.
  public var connection: KeeperConnection { KeeperConnection(self) }
  var options: SupervisorOptions { line.options }
  /// The current presentation, with the supervisor's overlay.
  public var presentation: Presentation {
    overlay.applied(to: shown) { [checkpoint] in checkpoint.records[$0]?.plugin }
  }
  /// The checkpoint from which the session would be restored now.
  public var checkpoint: Checkpoint { memory.checkpoint }
  /// The process ID of the current host.
  public var hostProcessID: Int32? { line.host?.channel.processID }
  /// Whether a host shows the session.
  var isShown: Bool { [.ready, .handling, .asking].contains(phase) }
  /// Whether the next event has to wait.
  var isBusy: Bool { phase != .ready || !line.takesEvents }
  /// Whether an event is in flight.
  var isHandling: Bool { events.inFlight != nil }
  /// An answered event with unfinished work, and the plugin of the work.
  var unfinished: SentEvents.Work? { events.unfinished(of: pending) }

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
    case .next: turns.next()
    case .watch: watch(options.patience)
    case .ask: ask()
    case .endWatch:
      timeout.end()
      overlay.question = nil
    case .noteLoss: events.lose()
    case .endQuestions: failRequests()
    case .drop:
      failRequests()
      turns.drop()
    }
  }

  /// Fails the requests that the ended host did not answer.
  private func failRequests() { requests.fail(failure ?? SupervisorFailure(Words.Crash.tryAgain)) }

  /// Starts the timeout of the event in flight; once overdue, the user is asked whether to keep waiting.
  func watch(_ limit: Duration?) {
    guard let event = events.inFlight?.id else { return }
    // Time in a debugger does not count.
    timeout.begin(limit) { [weak self] in
      self?.hostProcessID.map(Debugger.isAttached) == true
    } expired: { [weak self] in
      if self?.events.inFlight?.id == event { self?.happen(.overdue) }
    }
  }

  /// Asks the user whether to keep waiting.
  private func ask() {
    guard let waiting = events.inFlight, let limit = timeout.overdue else { return }
    overlay.question = (
      Words.Question.title(waiting.plugin), Words.Question.detail(waiting.name, for: limit.inSeconds)
    )
    let text = Words.Question.notice(waiting.plugin, waiting.name, for: limit.inSeconds)
    var answer = note(.init(.information, text, plugin: waiting.plugin))
    answer.presentation = presentation
    // The sender can draw the question, while the host is still handling the event.
    guard let reply = events.takeReply() else { return onUpdate(answer) }
    answer.event = waiting.id
    reply.resume(returning: answer)
  }

  // MARK: The beginning and the end

  /// Gives the session to a host and waits for the first presentation.
  ///
  /// - Returns: the notifications for the user.
  /// - Throws: ``SupervisorFailure`` if no host stays up.
  @discardableResult public func start() async throws -> [Update.Notice] {
    memory.recorder?.begin(from: checkpoint)
    try await untilShown { line.add(self) }
    return notices.start()
  }

  /// Performs an action and waits until the session is shown again.
  ///
  /// - Throws: ``SupervisorFailure`` if no host stays up.
  func untilShown(after action: () -> Void) async throws {
    try await withCheckedThrowingContinuation { waiter in
      starts.add(waiter)
      action()
    }
  }

  /// Performs an action that ends the host, and waits for the first update of the next host, or until no host stays up.
  public func nextStart(after action: () -> Void) async {
    await withCheckedContinuation { observer in
      starts.add(observer)
      action()
    }
  }

  /// Closes the session and stores it, if it has a file.
  public func close() async { await close(keepingHost: false) }

  /// Closes the session.
  ///
  /// - Parameter keepingHost: whether the host is left out, because it is about to end anyway.
  /// - Returns: the store, if it could not store everything.
  @discardableResult func close(keepingHost: Bool) async -> (any StoredSession)? {
    guard happen(.close) else { return nil }
    let unfinished = await memory.close()
    guard !keepingHost else { return unfinished }
    line.host?.channel.send(.close(session: id))
    line.remove(self)
    finishWaiters(SupervisorFailure(Words.Session.closed))
    return unfinished
  }

  /// Fails the session, because no host stays up.
  func fail(_ failure: SupervisorFailure) {
    guard self.failure == nil else { return }
    self.failure = failure
    happen(.fail)
    Task {
      await memory.finish()
      finishWaiters(failure)
      onFailure(failure)
    }
  }

  /// Resumes all waiting tasks with a failure.
  func finishWaiters(_ failure: SupervisorFailure) {
    starts.resume(failure)
    events.fail(failure)
  }

  // MARK: The host's side

  /// Gives the session to a host.
  func open(on host: RunningHost) {
    guard happen(.opened) else { return }
    memory.open()
    host.channel.open(
      id, checkpoint.records.isEmpty ? nil : checkpoint, isFromFile: memory.isFromFile, profile: profile)
  }

  /// Starts with an empty checkpoint, because the host refuses the stored one.
  func beginAnew(on host: RunningHost, _ reason: String) {
    if let notice = memory.beginAnew(reason) {
      tell(.init(.failure, Words.Session.notOpened, detail: notice))
    }
    host.channel.send(.open(session: id, checkpoint: nil, profile: profile))
  }

  /// Handles an update of the host.
  func take(_ update: Update) throws(ImpossibleMessage) {
    try check(update)
    var update = update
    update.notices = update.notices.map { vouched($0, event: update.event) }
    fold(update)
    notices.note(update.notices)
    let answered = events.take(update)
    if phase == .opening {
      memory.show()
      // No front end listens yet, so the caller of ``start()`` gets the notifications.
      if !notices.hasListener { notices.keepForScreen(update.notices) }
      happen(.shown)
    }
    if let reply = answered?.reply {
      reply.resume(returning: shown(update))
      happen(.answered)
      return
    }
    // The question whether to keep waiting goes first, and then the update is shown without it.
    if answered != nil { happen(.answered) }
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
      memory.note(change)
    }
  }

  /// Applies the updates of a host that has taken over, up to the first impossible one.
  func takeOver(_ updates: [Update]) throws(ImpossibleMessage) {
    events.endWork()
    memory.takeOver()
    defer { happen(.takenOver) }
    for update in updates {
      try checkTree(update)
      fold(update)
      onUpdate(shown(update))
    }
    if notices.endUndo() {
      var notice = Update.Notice(.information, Words.Crash.undoEnded)
      notice.endsUndo = true
      tell(notice)
    }
  }

  /// Handles the end of the host.
  ///
  /// - Parameters:
  ///   - notice: the notification to show once the session is shown again; nil for none.
  ///   - facts: the sentences for developers about a host that ended before it showed the session.
  func hostEnded(_ notice: Update.Notice?, facts: String? = nil) {
    events.endWork()
    pending = []
    var notice = notice
    if notices.endUndo() { notice?.endsUndo = true }
    if let title = removeWhatCannotBeLeft() { notice?.insert(Words.Crash.cannotBeClosed(title)) }
    notices.hostEnded(notice, facts: facts)
    happen(.hostEnded)
  }

  /// Reports what happened, and resumes the sender of the lost event.
  private func announce() {
    starts.resume()
    // Show the notifications that arrived while there was no host.
    if notices.hasStarted { for notice in notices.takeForScreen() { tell(notice) } }
    let lost = events.takeLost()
    guard let notice = notices.takeAftermath() ?? lost.map(Self.notice(of:)) else {
      return
    }
    var answer = note(notice)
    answer.presentation = presentation
    guard let reply = lost?.reply else { return onUpdate(answer) }
    // Without the event's id, the sender knows that the event was not done.
    reply.resume(returning: answer)
  }

  private static func notice(of lost: SentEvents.InFlight) -> Update.Notice {
    .init(.failure, lost.input.map(Words.Crash.lostEdit) ?? Words.Crash.lost(lost.name))
  }

  /// Returns a recording of the steps since the current host received the session, or of the last of them.
  ///
  /// - Parameter failure: a description of the end.
  func recording(endingWith failure: String) -> Recording {
    memory.recording(
      of: line.statuses.values, configuration: line.options.launch.configuration, endingWith: failure,
      at: line.options.clock.now)
  }
}
