@_spi(FrontEnd) import GangwayClient
@_spi(FrontEnd) import GangwayProtocol

/// The handling of messages from hosts.
///
/// A plugin shares the host's process, so a message is trusted only if it can be true. An impossible message ends the
/// host, and nothing else. No message can end the app, or remove the session data that the next host needs.
extension HostLine {
  func take(_ report: HostOutput.Report, from host: RunningHost) {
    switch report {
    case .message(let message):
      host.messages += 1
      do {
        try take(message, of: host)
      } catch {
        replace(host, error)
      }
    case .garbled(let text): replace(host, ImpossibleMessage(text: Words.Impossible.unreadable(text)))
    case .dying: hasEnded(host, reportIsComing: true)
    case .closed: hasEnded(host, reportIsComing: false)
    }
  }

  /// Ends a host that has sent an impossible message.
  func replace(_ host: RunningHost, _ reason: ImpossibleMessage) {
    guard incident.impossible == nil else { return }
    incident.impossible = reason.text
    happen(.end)
  }

  private func take(_ message: HostMessage, of host: RunningHost) throws(ImpossibleMessage) {
    // The host is being ended for an impossible message, so its other messages no longer count.
    guard incident.impossible == nil else { return }
    switch message {
    case .hello(let version, _): try greet(version, host)
    case .probing: break
    case .loading(let file):
      incident.loading = file
      watchLoad(of: file)
    case .restoring(let session, let node, let plugin):
      _ = try known(session)
      incident.willRestore(node, of: session, plugin: plugin)
    case .plugin(let status):
      note(status)
      // This host cannot load any other library.
      if status.cause == "timed-out", status.file == incident.loading {
        return endHung(after: options.launch.loadDeadline)
      }
      endLoadWatch()
    case .ready(let plugins): try takeList(plugins, host)
    case .update(let session, let update):
      let keeper = try known(session)
      try keeper.take(admitted(update, of: host, to: session))
      incident.didUpdate(session)
      if !incident.isUp { cameUp() }
    case .tree(let session, let tree): try known(session).requests.take(tree)
    case .history(let session, let lines): try known(session).requests.take(lines)
    // These records are already part of their update.
    case .records: break
    case .closed: break
    case .failure(let failure): try take(failure, host)
    @unknown default: break
    }
  }

  /// Returns an update without the notifications that exceed the host's budget.
  func admitted(_ update: Update, of host: RunningHost, to session: SessionID) -> Update {
    var update = update
    update.notices = admitted(update.notices, of: host, to: session)
    return update
  }

  /// Returns the notifications within the host's budget, and shows the number of dropped ones a second later.
  private func admitted(_ notices: [Update.Notice], of host: RunningHost, to session: SessionID?) -> [Update.Notice] {
    let isCounting = !host.notices.leftOut.isEmpty
    let taken = host.notices.take(notices, for: session, at: clock.now)
    if !isCounting, !host.notices.leftOut.isEmpty {
      Task { [weak self] in
        try? await self?.clock.sleep(for: .seconds(1))
        self?.tellLeftOut(host.notices.takeLeftOut())
      }
    }
    return taken
  }

  private func tellLeftOut(_ counts: [SessionID?: Int]) {
    for (session, count) in counts {
      let notice = Update.Notice(.information, Words.Host.leftOut(count))
      if let session { keeper(of: session)?.tell(notice) } else { tell(notice) }
    }
  }

  private func greet(_ version: ProtocolVersion, _ host: RunningHost) throws(ImpossibleMessage) {
    guard host.messages == 1 else { throw ImpossibleMessage(text: Words.Impossible.secondHello) }
    guard version.major == ProtocolVersion.current.major else {
      return giveUp(Words.Host.otherProtocol(options.host, version: version, own: .current))
    }
  }

  private func known(_ session: SessionID) throws(ImpossibleMessage) -> SessionKeeper {
    guard let keeper = keeper(of: session) else {
      throw ImpossibleMessage(text: Words.Impossible.unknownSession(session))
    }
    return keeper
  }

  private func takeList(_ plugins: [HostMessage.PluginStatus], _ host: RunningHost) throws(ImpossibleMessage) {
    guard !host.isReady else { throw ImpossibleMessage(text: Words.Impossible.secondList) }
    host.isReady = true
    for keeper in keepers { keeper.memory.recorder?.begin(plugins, configuration: options.launch.configuration) }
    for plugin in plugins {
      note(plugin)
      guard plugin.state == .refused, plugin.cause != "not-a-plugin", ledger.isFirstRefusal(of: plugin.file) else {
        continue
      }
      var notice = Update.Notice(
        .failure, Words.Host.featureNotLoaded, detail: Words.Host.refused(plugin.file, reason: plugin.refusal ?? ""))
      // The list may arrive during the user's first action, which has nothing to do with it.
      notice.isLate = true
      tell(notice)
    }
    self.plugins.end()
  }

  /// Records the state of a plugin.
  func note(_ status: HostMessage.PluginStatus) {
    guard let id = status.id else { return }
    plugins.note(status, of: id)
    incident.note(id, isLoaded: status.state == .active)
    ledger.note(status)
  }

  private func cameUp() {
    incident.isUp = true
    incident.failedStarts = 0
    happen(.cameUp)
    pool?.scheduleSpare()
  }

  private func take(_ failure: HostMessage.Failure, _ host: RunningHost) throws(ImpossibleMessage) {
    switch failure.code {
    case "plugins", "version":
      // A host sends this only before it loads a plugin. Later, the message does not come from the host's own code.
      guard !host.isReady, !incident.isUp else {
        throw ImpossibleMessage(text: Words.Impossible.lateFailure)
      }
      giveUp(failure.message)
    case "checkpoint":
      guard let keeper = failure.session.flatMap(keeper(of:)), keeper.phase == .opening else {
        throw ImpossibleMessage(text: Words.Impossible.refusesShownSession)
      }
      keeper.beginAnew(on: host, failure.message)
    default:
      for notice in admitted([.init(.failure, failure.message)], of: host, to: nil) { tell(notice) }
    }
  }
}
