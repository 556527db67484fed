import GangwayClient
import GangwayProtocol

/// What a supervisor does when a host gives no answer.
extension Supervisor {
  /// Waits for the answer to the event in flight; when it is overdue, the person is asked whether to go on waiting.
  func watch(_ event: EventID, for limit: Duration) {
    watchdog?.cancel()
    watchdog = Task { [weak self] in
      guard (try? await Task.sleep(for: limit)) != nil, let self else { return }
      guard let waiting = inFlight, waiting.id == event else { return }
      // Somebody looks into the host, and time does not count.
      if let process = hostProcessID, Debugger.isAttached(to: process) { return watch(event, for: limit) }
      ask(about: waiting, after: limit)
    }
  }

  private func ask(about waiting: InFlight, after limit: Duration) {
    let who = waiting.plugin.map { "The plugin \($0)" } ?? "The app"
    overlay.question = (
      "\(who) does not answer",
      "It has been busy with \(waiting.name) for \(limit). Restart ends that and brings this screen back; everything "
        + "else that was running ends too."
    )
    overdue = limit
    var answer = note(.information, "\(who) has not answered \(waiting.name) for \(limit).", plugin: waiting.plugin)
    answer.presentation = presentation
    guard let reply = waiting.reply else { return onUpdate(answer) }
    // Whoever sent the event can draw the question; the event itself is still being handled.
    inFlight?.reply = nil
    answer.event = waiting.id
    reply.resume(returning: answer)
  }

  /// Takes the answer to the question, or anything else that is done while it stands; nil for what is the host's.
  func answerQuestion(_ action: Event.Action) -> Update? {
    guard overlay.question != nil else { return nil }
    switch action {
    case .tap(let target) where target.node == Overlay.node && target.element == Overlay.restart:
      overlay.question = nil
      incident.isHung = overdue
      host?.kill()
      var answer = note(.information, "The features are being restarted.")
      answer.presentation = presentation
      return answer
    case .tap(let target) where target.node == Overlay.node, .cell(let target, _, _) where target.node == Overlay.node:
      return goOnWaiting()
    case .back, .dismiss: return goOnWaiting()
    case .focus, .scroll: return note(.information, "")
    default: return note(.refusal, "'\(overlay.question?.text ?? "")' waits for an answer first: Wait or Restart.")
    }
  }

  private func goOnWaiting() -> Update {
    overlay.question = nil
    if let waiting = inFlight { watch(waiting.id, for: (overdue ?? options.patience ?? .seconds(5)) * 2) }
    var answer = note(.information, "Waiting on.")
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

  /// Ends a host in which a library's code does not return when it is loaded: no other can be loaded there any more.
  func watchLoad(of file: String) {
    loadWatch?.cancel()
    let limit = options.loadPatience
    loadWatch = Task { [weak self] in
      repeat {
        guard (try? await Task.sleep(for: limit)) != nil else { return }
      } while self?.hostProcessID.map(Debugger.isAttached) == true
      guard let self, incident.loading == file, let host else { return }
      incident.isHung = limit
      host.kill()
    }
  }

  /// Ends the watch over a library that has been loaded or refused.
  func endLoadWatch() {
    loadWatch?.cancel()
    loadWatch = nil
    incident.loading = nil
  }

  /// Ends a host that was started and says nothing: what it was doing last is to blame, as if it had died of it.
  func watchStart(of host: HostProcess) {
    startWatch?.cancel()
    let limit = options.startPatience
    startWatch = Task { [weak self, weak host] in
      while let self, let host, self.host === host, !incident.isUp {
        let before = host.messages
        guard (try? await Task.sleep(for: limit)) != nil else { return }
        guard self.host === host, !incident.isUp, host.messages == before else { continue }
        if options.waitsForDebugger || host.processID.map(Debugger.isAttached) == true { continue }
        incident.isHung = limit
        return host.kill()
      }
    }
  }
}

/// What others have to say on the screens of a plugin.
extension Supervisor {
  /// Puts lines on top of all screens of a plugin, or takes them away.
  public func setBanner(_ plugin: String, _ lines: [String]) {
    guard overlay.banners[plugin] ?? [] != lines else { return }
    overlay.banners[plugin] = lines.isEmpty ? nil : lines
    var update = note(.information, "")
    update.notices = lines.isEmpty ? [] : [.init(.failure, lines[0], plugin: plugin)]
    update.presentation = presentation
    onUpdate(update)
  }

  /// Tells the person something.
  public func say(_ text: String, plugin: String?) { onUpdate(note(.information, text, plugin: plugin)) }
}
