import GangwayClient
import GangwayProtocol

/// What the person does, and what is asked when there is no answer.
extension SessionKeeper {
  /// Whether something is under way that the next event has to wait for.
  var isBusy: Bool { phase != .ready || !line.takesEvents }

  /// Waits until nothing is under way, and who came before has had their turn.
  ///
  /// Whoever has had it and sends nothing lets the ``next()`` go.
  ///
  /// - Returns: false when the host stopped meanwhile.
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

  /// Lets the next in the queue go: nobody who comes until it goes on is before it.
  func next() {
    guard !queue.isEmpty, !isTurnGiven, !isBusy else { return }
    isTurnGiven = true
    queue.removeFirst().resume(returning: true)
  }

  /// Sends an event when those before it are answered.
  ///
  /// - Returns: the update that answers it, or one that says why there is none: the host died, which is told in a notice.
  /// - Throws: ``SupervisorFailure`` when no host can be kept running.
  public func send(_ action: Event.Action) async throws -> Update {
    if let answer = answerQuestion(action) { return answer }
    guard queue.count < Self.maximumQueue else {
      return note(.init(.refusal, "It was not done: \(queue.count) things wait to be done before it."))
    }
    let front = isShown && line.takesEvents ? nil : presentation.layers.last
    guard await turn() else {
      return note(
        .init(.refusal, "It was not done: the host stopped while something before it was being handled."))
    }
    var isSent = false
    defer { if !isSent { next() } }
    if let failure { throw failure }
    if let front, let refusal = refusal(of: action, meantFor: front) { return note(refusal) }
    guard let host = line.host, phase == .ready else { throw SupervisorFailure("The host has ended.") }
    let event = Event(id: line.nextEvent(), revision: presentation.revision, action: action)
    // Nothing else goes to the host before the answer: what was sent is in flight from here on.
    if let length = host.send(.event(session: id, event)) {
      return note(
        .init(
          .refusal,
          "It was not done: what was entered takes \(length) bytes, and at most \(Line.maximumLength) are sent. Enter "
            + "less."))
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

  /// How many events may wait for those before them.
  static let maximumQueue = 1_000

  /// The navigation tree, as the host has it.
  public func tree() async throws -> TreeNode {
    let host = try answering()
    return try await withCheckedThrowingContinuation { waiter in
      treeWaiters.append(waiter)
      host.send(.tree(session: id))
    }
  }

  /// The commits of the session since its host was started.
  public func history() async throws -> [String] {
    let host = try answering()
    return try await withCheckedThrowingContinuation { waiter in
      historyWaiters.append(waiter)
      host.send(.history(session: id))
    }
  }

  /// The host, where it has the session.
  private func answering() throws -> HostProcess {
    guard let host = line.host, phase != .waiting, phase != .failed, phase != .closed else {
      throw failure ?? SupervisorFailure("The host has ended.")
    }
    return host
  }

  func take(_ tree: TreeNode) {
    if !treeWaiters.isEmpty { treeWaiters.removeFirst().resume(returning: tree) }
  }

  func take(_ lines: [String]) {
    if !historyWaiters.isEmpty { historyWaiters.removeFirst().resume(returning: lines) }
  }

  /// Refuses to leave a screen that the person has not seen: while there was no host, that of the last one stood.
  private func refusal(of action: Event.Action, meantFor front: Presentation.Layer) -> Update.Notice? {
    guard action == .back || action == .dismiss, presentation.top?.node != front.node else { return nil }
    return .init(
      .refusal,
      "It was not done: it was meant for '\(front.title)', and '\(presentation.top?.title ?? "")' is in front now. Do it again if "
        + "that is meant.")
  }

  /// Tells those who asked the host that is gone.
  func endQuestions() {
    let gone = SupervisorFailure("The host stopped. Ask again.")
    for waiter in treeWaiters { waiter.resume(throwing: failure ?? gone) }
    treeWaiters = []
    for waiter in historyWaiters { waiter.resume(throwing: failure ?? gone) }
    historyWaiters = []
  }

  /// Drops what waits for the host that is gone.
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
    return "\(event.name) on '\(label)'"
  }

  private func plugin(of event: Event) -> String? {
    if case .undoNotice(let id) = event.action { return told.notices.last { $0.undo == id }?.plugin }
    return (event.node ?? presentation.top?.node).flatMap { checkpoint.records[$0]?.plugin }
  }

  // MARK: No answer

  /// Sets the time that the answer to the event in flight has; when it is overdue, the person is asked whether to go on
  /// waiting. Each time they do, it has twice as long.
  func watch() {
    guard let event = inFlight?.id, let limit = overdue.map({ $0 * 2 }) ?? options.patience else { return }
    watchdog?.cancel()
    watchdog = Task { [weak self] in
      repeat {
        guard (try? await Task.sleep(for: limit)) != nil else { return }
        // While somebody looks into the host, time does not count.
      } while self?.hostProcessID.map(Debugger.isAttached) == true
      guard let self, inFlight?.id == event else { return }
      overdue = limit
      happen(.overdue)
    }
  }

  /// Asks the person whether to go on waiting.
  func ask() {
    guard let waiting = inFlight, let limit = overdue else { return }
    let who = waiting.plugin.map { "The plugin \($0)" } ?? "The app"
    overlay.question = (
      "\(who) does not answer",
      "It has been busy with \(waiting.name) for \(limit). Restart ends that and brings this screen back; everything "
        + "else that was running ends too."
    )
    var answer = note(
      .init(.information, "\(who) has not answered \(waiting.name) for \(limit).", plugin: waiting.plugin))
    answer.presentation = presentation
    guard let reply = waiting.reply else { return onUpdate(answer) }
    // Whoever sent the event can draw the question; the event itself is still being handled.
    inFlight?.reply = nil
    answer.event = waiting.id
    reply.resume(returning: answer)
  }

  /// Takes the answer to the question, or anything else that is done while it stands; nil for what is the host's.
  private func answerQuestion(_ action: Event.Action) -> Update? {
    // Once it is answered by Restart, what is done waits for the end of the host.
    guard phase == .asking, overlay.question != nil else { return nil }
    switch action {
    case .tap(let target) where target.node == Overlay.node && target.element == Overlay.restart:
      overlay.question = nil
      line.endHung(after: overdue ?? .zero, byUser: true)
      var answer = note(.init(.information, "The features are being restarted."))
      answer.presentation = presentation
      return answer
    case .tap(let target) where target.node == Overlay.node, .cell(let target, _, _) where target.node == Overlay.node:
      return goOnWaiting()
    case .back, .dismiss: return goOnWaiting()
    case .focus, .scroll: return note(.init(.information, ""))
    default:
      return note(.init(.refusal, "'\(overlay.question?.text ?? "")' waits for an answer first: Wait or Restart."))
    }
  }

  private func goOnWaiting() -> Update {
    let limit = overdue
    happen(.waitOn)
    overdue = limit
    watch()
    var answer = note(.init(.information, "Waiting on."))
    answer.presentation = presentation
    return answer
  }

  /// Ends the watch over an event that was answered.
  func endWatch() {
    watchdog?.cancel()
    watchdog = nil
    overlay.question = nil
    overdue = nil
  }
}
