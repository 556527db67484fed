@_spi(FrontEnd) import GangwayClient
@_spi(FrontEnd) import GangwayProtocol

/// Sending the user's actions, so that no typed text is lost.
extension TerminalFrontEnd {
  /// Adds an action to the outbox, after the typed text that it may act on.
  func post(_ action: Event.Action) {
    if Self.mayChangeScreen(action) { addHeldText() }
    add(action)
    sendOutbox()
  }

  func addHeldText() {
    isHoldingForQuestion = false
    for edit in controller.takeHeldText() { add(edit) }
  }

  /// Starts a task that sends the actions in order, one at a time.
  func sendOutbox() {
    guard sender == nil, !outbox.isEmpty else { return }
    sender = Task {
      while let action = outbox.next() { await send(action) }
      sender = nil
    }
  }

  private func add(_ action: Event.Action) {
    if outbox.add(action), case .edit(let target, _) = action { controller.noteAnswer(to: target) }
  }

  /// Sends an action of the outbox.
  private func send(_ action: Event.Action) async {
    let isLost = await perform(action)
    // The app has not handled an action about which it asks whether to keep waiting.
    switch outbox.answered(isLost: isLost || isAsked, mayRepeat: !isAsked) {
    case .again: break
    case .done: if case .edit(let target, _) = action { controller.noteAnswer(to: target) }
    case .givenUp(let target):
      controller.hold(target)
      isHoldingForQuestion = isAsked
      if !isAsked { tell([.init(.failure, Words.Status.textLost)]) }
    }
    if Self.mayChangeScreen(action) { outstanding = nil }
    refresh()
    handleKeys()
  }

  /// Performs an action and shows the notifications of the answer.
  ///
  /// - Returns: whether the app did not do the action.
  @discardableResult func perform(_ action: Event.Action) async -> Bool {
    do {
      let update = try await connection.send(action)
      tell(update.notices)
      begin(update.transition)
      return update.event == nil && !update.notices.contains { $0.kind == .refusal }
    } catch {
      tell([.init(.failure, "\(error)")])
      return false
    }
  }

  /// The longest time that the end of the run waits for the answers to the user's last actions.
  private static let lastPatience: Duration = .seconds(3)

  /// Sends the user's last actions.
  func sendRest() async {
    addHeldText()
    sendOutbox()
    guard let sender else { return }
    let (ends, end) = AsyncStream.makeStream(of: Void.self)
    let waits = [
      Task {
        await sender.value
        end.finish()
      },
      Task {
        try? await Task.sleep(for: Self.lastPatience)
        end.finish()
      },
    ]
    for await _ in ends {}
    for wait in waits { wait.cancel() }
    if !outbox.isEmpty { lastWords = Words.Status.lastInputLost }
  }

  static func mayChangeScreen(_ action: Event.Action) -> Bool {
    switch action {
    case .edit, .focus, .scroll: false
    default: true
    }
  }
}
