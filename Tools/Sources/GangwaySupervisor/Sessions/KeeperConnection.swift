@_spi(FrontEnd) import GangwayClient
@_spi(FrontEnd) import GangwayProtocol

/// The users' side of a session: their actions go to the host, one at a time.
@_spi(FrontEnd) @MainActor public final class KeeperConnection: SessionConnection {
  private let keeper: SessionKeeper

  init(_ keeper: SessionKeeper) { self.keeper = keeper }

  public var presentation: Presentation { keeper.presentation }
  public var pending: [Update.Pending] { keeper.pending }
  public var isUnstored: Bool { keeper.memory.store?.isBehind ?? false }
  public var onUpdate: (Update) -> Void {
    get { keeper.onUpdate }
    set { keeper.onUpdate = newValue }
  }

  // MARK: Actions

  /// Sends an event after all earlier events are answered.
  ///
  /// - Returns: the update that answers the event, or an update whose notification says why there is no answer.
  /// - Throws: ``SupervisorFailure`` if no host stays up.
  public func send(_ action: Event.Action) async throws -> Update {
    if let answer = answerQuestion(action) { return answer }
    guard keeper.turns.count < Self.maximumQueue else {
      return keeper.note(.init(.refusal, Words.Session.tooManyActions(keeper.turns.count)))
    }
    let front = keeper.isShown && keeper.line.takesEvents ? nil : presentation.layers.last
    guard await keeper.turns.turn() else { return keeper.note(.init(.refusal, Words.Crash.actionNotDone)) }
    var isSent = false
    defer { if !isSent { keeper.turns.next() } }
    if let failure = keeper.failure { throw failure }
    if let front, let refusal = refusal(of: action, meantFor: front) { return keeper.note(refusal) }
    guard let host = keeper.line.host, keeper.phase == .ready else { throw SupervisorFailure(Words.Host.ended) }
    let event = Event(id: keeper.line.nextEvent(), revision: presentation.revision, action: action)
    // From here on the event is in flight, and the host receives no other event before the answer.
    if let length = host.channel.send(.event(session: keeper.id, event)) {
      return keeper.note(.init(.refusal, Words.Session.inputTooLong(length, limit: Line.maximumLength)))
    }
    isSent = true
    let name = describe(event)
    record(event, on: name)
    return try await withCheckedThrowingContinuation { reply in
      keeper.events.send(
        .init(
          id: event.id, name: name, input: editedInput(of: event), plugin: plugin(of: event),
          entry: keeper.entry(leftBy: event), reply: reply))
      keeper.happen(.sent)
    }
  }

  /// The most events that may wait.
  private static let maximumQueue = 1_000

  /// Refuses to leave a screen that the user has not seen.
  ///
  /// While no host is running, the last screen of the previous host stays up.
  private func refusal(of action: Event.Action, meantFor front: Presentation.Layer) -> Update.Notice? {
    switch action {
    case .back, .backTo, .dismiss: break
    default: return nil
    }
    guard presentation.top?.node != front.node else { return nil }
    return .init(.refusal, Words.Session.otherScreenInFront(front.title, now: presentation.top?.title ?? ""))
  }

  private func record(_ event: Event, on name: String) {
    let element = event.element.flatMap { id in presentation.reachable.first { $0.id == id } }
    if let failure = keeper.memory.note(event, on: name, element, at: keeper.line.options.clock.now) {
      keeper.tell(.init(.failure, failure))
    }
  }

  private func describe(_ event: Event) -> String {
    let element = event.element.flatMap { id in presentation.reachable.first { $0.id == id } }
    let tab = event.node.flatMap { node in presentation.tabBars.joined().first { $0.node == node } }
    guard let label = element?.label ?? tab?.title else { return event.name }
    return Words.Session.action(event.name, on: label)
  }

  private func editedInput(of event: Event) -> String? {
    guard case .edit(let target, _) = event.action else { return nil }
    return presentation.reachable.first { $0.id == target.element }?.label
  }

  private func plugin(of event: Event) -> PluginID? {
    if case .undoNotice(let id) = event.action { return keeper.notices.plugin(undoing: id) }
    return (event.node ?? presentation.top?.node).flatMap { keeper.checkpoint.records[$0]?.plugin }
  }

  // MARK: The question whether to keep waiting

  /// Handles an action while the question is shown; returns nil if there is no question.
  private func answerQuestion(_ action: Event.Action) -> Update? {
    // After Restart, actions wait for the end of the host.
    guard keeper.phase == .asking, keeper.overlay.question != nil else { return nil }
    switch action {
    case .tap(let target) where target.node == Overlay.node && target.element == Overlay.restart:
      keeper.overlay.question = nil
      keeper.line.endHung(after: keeper.timeout.overdue ?? .zero, byUser: true)
      var answer = keeper.note(.init(.information, Words.Question.restarting))
      answer.presentation = presentation
      return answer
    case .tap(let target) where target.node == Overlay.node, .cell(let target, _, _) where target.node == Overlay.node:
      return goOnWaiting()
    case .back, .dismiss: return goOnWaiting()
    case .focus, .scroll: return keeper.note(.init(.information, ""))
    default:
      return keeper.note(.init(.refusal, Words.Question.answerFirst(keeper.overlay.question?.text ?? "")))
    }
  }

  private func goOnWaiting() -> Update {
    let limit = keeper.timeout.overdue
    keeper.happen(.waitOn)
    if let limit { keeper.watch(limit * 2) }
    var answer = keeper.note(.init(.information, Words.Question.waiting))
    answer.presentation = presentation
    return answer
  }

  // MARK: Requests

  /// Returns the navigation tree of the host.
  public func tree() async throws -> TreeNode {
    let host = try answering()
    return try await withCheckedThrowingContinuation { waiter in
      keeper.requests.add(waiter)
      host.channel.send(.tree(session: keeper.id))
    }
  }

  /// Returns the commits of the session since its host was started.
  public func history() async throws -> [String] {
    let host = try answering()
    return try await withCheckedThrowingContinuation { waiter in
      keeper.requests.add(waiter)
      host.channel.send(.history(session: keeper.id))
    }
  }

  /// Returns the host if it has the session.
  private func answering() throws -> RunningHost {
    guard let host = keeper.line.host, ![.waiting, .failed, .closed].contains(keeper.phase) else {
      throw keeper.failure ?? SupervisorFailure(Words.Host.ended)
    }
    return host
  }

  /// Kills the host and waits for the next one.
  public func restart() async throws {
    guard keeper.line.host != nil, keeper.failure == nil else {
      throw keeper.failure ?? SupervisorFailure(Words.Host.ended)
    }
    keeper.memory.recorder?.noteRestart()
    try await keeper.untilShown { keeper.line.restart() }
  }

  /// Replaces a plugin by its current file, for all sessions of the host; on failure the old one stays.
  ///
  /// - Parameter plugin: the plugin's id; nil stands for the plugin of the front screen.
  /// - Returns: the text to show the user.
  /// - Throws: ``SupervisorFailure`` with the reason; nothing has changed then.
  public func reload(_ plugin: PluginID? = nil) async throws -> String {
    // The session may move to another host during a wait.
    let line = keeper.line
    // The host's list of plugins may arrive after its first screen.
    await line.listed()
    // Reloading must happen between two events of every session of the host.
    try await line.idle()
    guard keeper.line === line else { throw SupervisorFailure(Words.Reload.endedMeanwhile) }
    guard let plugin = plugin ?? presentation.layers.last.flatMap({ keeper.checkpoint.records[$0.node]?.plugin }) else {
      throw SupervisorFailure(Words.Reload.notInFront)
    }
    return try await line.reload(plugin)
  }
}
