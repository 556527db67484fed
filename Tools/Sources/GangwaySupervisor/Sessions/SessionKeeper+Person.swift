@_spi(FrontEnd) import GangwayClient
@_spi(FrontEnd) import GangwayProtocol

/// The user's actions, and the question after a timeout.
extension SessionKeeper {
  /// Whether the next event has to wait.
  var isBusy: Bool { phase != .ready || !line.takesEvents }

  /// Waits until no event is in flight and all earlier callers have had their turn.
  ///
  /// A caller that then sends no event must call ``next()``.
  ///
  /// - Returns: false if the host stopped in the meantime.
  func turn() async -> Bool {
    var isFirst = false
    while isBusy || !isFirst && (isTurnGiven || !queue.isEmpty) {
      guard phase != .failed, phase != .closed else { return true }
      let mayGo = await withCheckedContinuation { waiter in
        queue.insert(waiter, at: isFirst ? 0 : queue.count)
        next()
      }
      guard mayGo else { return false }
      (isTurnGiven, isFirst) = (false, true)
    }
    return true
  }

  /// Resumes the next caller in the queue; no new caller can overtake it.
  func next() {
    guard !queue.isEmpty, !isTurnGiven, !isBusy else { return }
    isTurnGiven = true
    queue.removeFirst().resume(returning: true)
  }

  /// Sends an event after all earlier events are answered.
  ///
  /// - Returns: the update that answers the event, or an update whose notification says why there is no answer.
  /// - Throws: ``SupervisorFailure`` if no host stays up.
  @_spi(FrontEnd) public func send(_ action: Event.Action) async throws -> Update {
    if let answer = answerQuestion(action) { return answer }
    guard queue.count < Self.maximumQueue else {
      return note(.init(.refusal, Words.Session.tooManyActions(queue.count)))
    }
    let front = isShown && line.takesEvents ? nil : presentation.layers.last
    guard await turn() else {
      return note(.init(.failure, Words.Crash.actionNotDone))
    }
    var isSent = false
    defer { if !isSent { next() } }
    if let failure { throw failure }
    if let front, let refusal = refusal(of: action, meantFor: front) { return note(refusal) }
    guard let host = line.host, phase == .ready else { throw SupervisorFailure(Words.Host.ended) }
    let event = Event(id: line.nextEvent(), revision: presentation.revision, action: action)
    // From here on the event is in flight, and the host receives no other event before the answer.
    if let length = host.send(.event(session: id, event)) {
      return note(.init(.refusal, Words.Session.inputTooLong(length, limit: Line.maximumLength)))
    }
    isSent = true
    lastEvent = event.id
    let name = describe(event)
    let element = event.element.flatMap { id in presentation.reachable.first { $0.id == id } }
    record(event, on: name, isSecure: element?.role == .secure)
    return try await withCheckedThrowingContinuation { reply in
      inFlight = InFlight(
        id: event.id, name: name, plugin: plugin(of: event), entry: entry(leftBy: event), reply: reply)
      happen(.sent)
    }
  }

  /// The most events that may wait.
  static let maximumQueue = 1_000

  /// Returns the navigation tree of the host.
  @_spi(FrontEnd) public func tree() async throws -> TreeNode {
    let host = try answering()
    return try await withCheckedThrowingContinuation { waiter in
      treeWaiters.append(waiter)
      host.send(.tree(session: id))
    }
  }

  /// Returns the commits of the session since its host was started.
  @_spi(FrontEnd) public func history() async throws -> [String] {
    let host = try answering()
    return try await withCheckedThrowingContinuation { waiter in
      historyWaiters.append(waiter)
      host.send(.history(session: id))
    }
  }

  /// Returns the host if it has the session.
  private func answering() throws -> HostProcess {
    guard let host = line.host, phase != .waiting, phase != .failed, phase != .closed else {
      throw failure ?? SupervisorFailure(Words.Host.ended)
    }
    return host
  }

  func take(_ tree: TreeNode) {
    if !treeWaiters.isEmpty { treeWaiters.removeFirst().resume(returning: tree) }
  }

  func take(_ lines: [String]) {
    if !historyWaiters.isEmpty { historyWaiters.removeFirst().resume(returning: lines) }
  }

  /// Refuses to leave a screen that the user has not seen.
  ///
  /// While no host is running, the last screen of the previous host stays up.
  private func refusal(of action: Event.Action, meantFor front: Presentation.Layer) -> Update.Notice? {
    guard action == .back || action == .dismiss, presentation.top?.node != front.node else { return nil }
    return .init(.refusal, Words.Session.otherScreenInFront(front.title, now: presentation.top?.title ?? ""))
  }

  /// Fails the requests that the ended host did not answer.
  func endQuestions() {
    let gone = SupervisorFailure(Words.Crash.tryAgain)
    for waiter in treeWaiters { waiter.resume(throwing: failure ?? gone) }
    treeWaiters = []
    for waiter in historyWaiters { waiter.resume(throwing: failure ?? gone) }
    historyWaiters = []
  }

  /// Drops the events and requests that wait for the ended host.
  func drop() {
    endQuestions()
    let dropped = queue
    queue = []
    for waiter in dropped { waiter.resume(returning: false) }
  }

  private func describe(_ event: Event) -> String {
    let element = event.element.flatMap { id in presentation.reachable.first { $0.id == id } }
    let tab = event.node.flatMap { node in presentation.tabBars.joined().first { $0.node == node } }
    guard let label = element?.label ?? tab?.title else { return event.name }
    return Words.Session.action(event.name, on: label)
  }

  private func plugin(of event: Event) -> PluginID? {
    if case .undoNotice(let id) = event.action { return told.notices.last { $0.undo == id }?.plugin }
    return (event.node ?? presentation.top?.node).flatMap { checkpoint.records[$0]?.plugin }
  }

  // MARK: Timeouts

  /// Starts the timeout of the event in flight; once overdue, the user is asked whether to keep waiting.
  ///
  /// The timeout doubles each time the user keeps waiting.
  func watch() {
    guard let event = inFlight?.id, let limit = overdue.map({ $0 * 2 }) ?? options.patience else { return }
    watchdog?.cancel()
    watchdog = Task { [weak self] in
      repeat {
        guard (try? await Task.sleep(for: limit)) != nil else { return }
        // Time in a debugger does not count.
      } while self?.hostProcessID.map(Debugger.isAttached) == true
      guard let self, inFlight?.id == event else { return }
      overdue = limit
      happen(.overdue)
    }
  }

  /// Asks the user whether to keep waiting.
  func ask() {
    guard let waiting = inFlight, let limit = overdue else { return }
    overlay.question = (
      Words.Question.title(waiting.plugin), Words.Question.detail(waiting.name, for: limit.inSeconds)
    )
    let text = Words.Question.notice(waiting.plugin, waiting.name, for: limit.inSeconds)
    var answer = note(.init(.information, text, plugin: waiting.plugin))
    answer.presentation = presentation
    guard let reply = waiting.reply else { return onUpdate(answer) }
    // The sender can draw the question, while the host is still handling the event.
    inFlight?.reply = nil
    answer.event = waiting.id
    reply.resume(returning: answer)
  }

  /// Handles an action while the question is shown; returns nil if there is no question.
  private func answerQuestion(_ action: Event.Action) -> Update? {
    // After Restart, actions wait for the end of the host.
    guard phase == .asking, overlay.question != nil else { return nil }
    switch action {
    case .tap(let target) where target.node == Overlay.node && target.element == Overlay.restart:
      overlay.question = nil
      line.endHung(after: overdue ?? .zero, byUser: true)
      var answer = note(.init(.information, Words.Question.restarting))
      answer.presentation = presentation
      return answer
    case .tap(let target) where target.node == Overlay.node, .cell(let target, _, _) where target.node == Overlay.node:
      return goOnWaiting()
    case .back, .dismiss: return goOnWaiting()
    case .focus, .scroll: return note(.init(.information, ""))
    default:
      return note(.init(.refusal, Words.Question.answerFirst(overlay.question?.text ?? "")))
    }
  }

  private func goOnWaiting() -> Update {
    let limit = overdue
    happen(.waitOn)
    overdue = limit
    watch()
    var answer = note(.init(.information, Words.Question.waiting))
    answer.presentation = presentation
    return answer
  }

  /// Ends the timeout of an answered event.
  func endWatch() {
    watchdog?.cancel()
    watchdog = nil
    overlay.question = nil
    overdue = nil
  }
}
