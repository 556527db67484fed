@_spi(FrontEnd) import GangwayClient
@_spi(FrontEnd) import GangwayProtocol

/// Sending the user's actions, so that no typed text is lost.
extension TerminalFrontEnd {
  /// Adds an action to the outbox, after the typed text that it may act on.
  func post(_ action: Event.Action) {
    if Outbox.actsOnText(action) { addFrontText() }
    told.note(action)
    add(action)
    sendOutbox()
  }

  /// Adds the held text of the screens in front; a host refuses the text of other screens.
  func addFrontText() {
    isHoldingForQuestion = false
    let front = Set(connection.presentation.top?.columns.map(\.node) ?? [])
    for edit in controller.takeHeldText(where: front.contains) { add(edit) }
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
    let update = await perform(action)
    if Self.mayChangeScreen(action), !outbox.hasWaiting(where: Self.mayChangeScreen) {
      typedAhead.outstanding = nil
    }
    // The app has not handled an action about which it asks whether to keep waiting.
    let outcome = outbox.answered(isLost: isAsked || update.map { $0.event == nil } ?? false, mayRepeat: !isAsked)
    // An edit that is sent again was not refused.
    tell(update?.notices.filter { outcome != .again || $0.kind != .refusal } ?? [])
    switch outcome {
    case .again: break
    case .done: if case .edit(let target, _) = action { controller.noteAnswer(to: target) }
    case .givenUp(let target):
      // The actions that waited are dropped.
      typedAhead.outstanding = nil
      let isFirst = controller.hold(target)
      isHoldingForQuestion = isAsked && isFirst
      if !isAsked { tell([.init(.failure, Words.Status.textLost)]) }
    }
    refresh()
    handleKeys()
  }

  /// Performs an action.
  ///
  /// - Returns: the answer, which has no event if the action was lost; nil if there is none, which the user then reads.
  func perform(_ action: Event.Action) async -> Update? {
    do {
      let update = try await connection.send(action)
      follow(update)
      return update
    } catch {
      tell([.init(.failure, "\(error)")])
      if finish == nil { lastWords = Words.Status.lastInputLost }
      return nil
    }
  }

  /// The longest time that the end of the run waits for the answers to the user's last actions.
  private static let lastPatience: Duration = .seconds(3)

  /// Sends the user's last actions.
  func sendRest() async {
    addFrontText()
    sendOutbox()
    let (ends, end) = AsyncStream.makeStream(of: Void.self)
    let waits = [
      Task {
        await sender?.value
        end.finish()
      },
      Task {
        try? await Task.sleep(for: Self.lastPatience)
        end.finish()
      },
    ]
    for await _ in ends {}
    for wait in waits { wait.cancel() }
    let hasLostText = controller.state.edits.values.contains(where: \.isHeld)
    if !outbox.isEmpty || hasLostText || !typedAhead.keys.isEmpty { lastWords = Words.Status.lastInputLost }
  }

  /// Sends a copy of a file to the feature that asks for one.
  ///
  /// The copy is made outside of the main actor, because it may take long.
  func sendFile(_ path: String, to target: Event.ElementReference, limit: Int?) {
    let name = HandedFile(name: path, type: nil, path: path).name
    controller.state.status = .init(.information, Words.Files.sending(name))
    Task {
      do {
        let copy = try await Task.detached { try HandoverFolder().copy(path, limit: limit) }.value
        controller.state.status = nil
        post(.file(target, HandedFile(name: name, type: nil, path: copy)))
      } catch {
        tell([.init(.refusal, "\(error)")])
      }
      refresh()
    }
  }

  /// Saves a file that a feature offered in the user's folder for downloads, and says where.
  func save(_ file: HandedFile) {
    Task {
      do {
        let path = try await Task.detached { try SavedFile.save(file) }.value
        let parts = path.split(separator: "/")
        let folder = FileChoice.shortened("/" + parts.dropLast().joined(separator: "/"))
        tell([.init(.information, Words.Files.saved(parts.last.map(String.init) ?? path, in: folder))])
      } catch {
        tell([.init(.refusal, "\(error)")])
      }
      refresh()
    }
  }

  static func mayChangeScreen(_ action: Event.Action) -> Bool {
    switch action {
    case .edit, .focus, .scroll: false
    default: true
    }
  }
}
