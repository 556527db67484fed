import FoundationEssentials
import GangwayProtocol
import Glibc

/// What a supervisor does when a host has died.
extension Supervisor {
  /// Starts the next host after one died, and says what happened.
  func recover(from host: HostProcess, reportIsComing: Bool) async {
    guard self.host === host, !isStopped, failure == nil else { return }
    self.host = nil
    endWatch()
    loadWatch?.cancel()
    // Waiting for the exit would wait for the report too: only a host that wrote no byte is asked how it ended.
    let status = reportIsComing ? nil : await host.status()
    if let failure = host.startFailure { return giveUp("\(failure). Name another with --host.") }
    let unfinished = pending.first { $0.event.map { working[$0] != nil } ?? false }
    let ending = Ending(
      incident: incident, status: status, report: reportIsComing ? host.crashReport : nil, event: inFlight?.name,
      work: unfinished?.event.flatMap { working[$0] }, plugin: inFlight?.plugin ?? unfinished?.plugin)
    (working, pending) = ([:], [])
    if reportIsComing { reap(host, ending) }
    let text = blame(ending)
    guard incident.failedStarts < Self.maximumFailedStarts else {
      return giveUp(
        "No host stays up: \(ending.cause). Its log is '\(options.logFolder)/host.log'. The session is kept.")
    }
    let wasUp = incident.isUp
    let wasWanted = incident.isWanted
    let dropped = queue
    queue = []
    dropQuestions()
    do {
      try launch()
    } catch {
      for waiter in dropped { waiter.resume(returning: false) }
      return giveUp("No host can be started: \(error). The session is kept.")
    }
    guard wasUp, !wasWanted || inFlight != nil else {
      for waiter in dropped { waiter.resume(returning: false) }
      return
    }
    await untilUp()
    announce(ending, text, dropped)
  }

  /// Finds out whose fault it was, and sets aside what stopped hosts too often.
  ///
  /// - Returns: what to tell the person.
  private func blame(_ ending: Ending) -> String {
    if let file = incident.loading, !isFirstKill(whileLoading: file, ending) {
      let reason = incident.isHung == nil ? "it stopped the host while being loaded" : "its loading did not end"
      quarantined[file] = reason
      if !incident.isUp { tell(.init(.failure, ending.whileLoading(file))) }
      return ending.whileLoading(file)
    }
    if !incident.isUp {
      incident.failedStarts += 1
      blameRestoring(ending)
      return ending.text
    }
    guard let plugin = ending.plugin, !incident.isWanted else { return ending.text }
    return count(plugin) ? ending.quarantining(plugin) : ending.text
  }

  /// Whether a host was killed while it loaded a file for the first time. No code kills itself with that signal; somebody
  /// else did, or the system, which was short of memory. A second time is no chance.
  private func isFirstKill(whileLoading file: String, _ ending: Ending) -> Bool {
    guard case .signaled(SIGKILL) = ending.status, incident.isHung == nil else { return false }
    killedLoads[file, default: 0] += 1
    return killedLoads[file] == 1
  }

  /// Counts a crash of a plugin's.
  ///
  /// - Returns: whether it is set aside for it.
  private func count(_ plugin: String) -> Bool {
    guard tally.note(plugin) else { return false }
    quarantined[plugin] = "it stopped the host \(CrashTally.limit) times within a minute"
    return true
  }

  /// Gives a dying host time for its report, makes sure of its end, and blames whose code the report names, where the
  /// event in flight blamed nobody.
  private func reap(_ host: HostProcess, _ ending: Ending) {
    let wasUp = incident.isUp && incident.loading == nil && !incident.isWanted
    Task {
      let limit = Task {
        try await Task.sleep(for: .seconds(10))
        host.kill()
      }
      _ = await host.status()
      limit.cancel()
      guard wasUp, !isStopped, let plugin = reported(in: host.crashReport), plugin != ending.plugin else { return }
      let text = "The crash report names the plugin \(plugin). Report: \(host.crashReport)"
      guard count(plugin) else { return onUpdate(note(.information, text, plugin: plugin)) }
      onUpdate(
        note(
          .failure,
          "\(text) It has now stopped the host \(CrashTally.limit) times within a minute, so it is set aside.",
          plugin: plugin))
      try? await restart()
    }
  }

  /// The plugin in whose code a report says that the host died.
  private func reported(in report: String) -> String? {
    guard let data = FileManager.default.contents(atPath: report) else { return nil }
    let files = statuses.values.map { status in
      (String(status.file.split(separator: "/").last ?? ""), status.id ?? "")
    }
    return CrashReport(String(decoding: data, as: UTF8.self)).plugin(
      among: Dictionary(files, uniquingKeysWith: { first, _ in first }))
  }

  private func untilUp() async {
    try? await withCheckedThrowingContinuation { startWaiters.append($0) }
  }

  /// Counts a death during restoring; after two, the plugin is left out and its entries wait for it.
  private func blameRestoring(_ ending: Ending) {
    guard let plugin = incident.restoring?.plugin else { return }
    incident.restoreDeaths[plugin, default: 0] += 1
    guard incident.restoreDeaths[plugin, default: 0] >= 2 else { return }
    quarantined[plugin] = "it stopped the host twice while its screens were being restored"
    incident.failedStarts = 0
    tell(.init(.failure, ending.whileRestoring(plugin), plugin: plugin))
  }

  /// Tells the person what happened, and whoever waits for an answer that there is none.
  private func announce(_ ending: Ending, _ text: String, _ dropped: [CheckedContinuation<Bool, Never>]) {
    for waiter in dropped { waiter.resume(returning: false) }
    let notice = Update.Notice(.failure, text, plugin: ending.plugin)
    guard let waiting = inFlight else { return onUpdate(note(notice.kind, notice.text, plugin: notice.plugin)) }
    inFlight = nil
    guard let reply = waiting.reply else {
      var update = note(notice.kind, notice.text, plugin: notice.plugin)
      update.presentation = presentation
      return onUpdate(update)
    }
    var answer = note(notice.kind, notice.text, plugin: notice.plugin)
    answer.event = waiting.id
    answer.presentation = presentation
    reply.resume(returning: answer)
  }

  /// Tells whoever asked the host that died something that there is no answer.
  private func dropQuestions() {
    for waiter in treeWaiters { waiter.resume(throwing: SupervisorFailure("The host stopped. Ask again.")) }
    treeWaiters = []
    for waiter in historyWaiters { waiter.resume(throwing: SupervisorFailure("The host stopped. Ask again.")) }
    historyWaiters = []
  }

  func giveUp(_ text: String) {
    let failure = SupervisorFailure(text)
    self.failure = failure
    host?.kill()
    Task {
      await saveAtLast()
      finishWaiters(failure)
      onFailure(failure)
    }
  }

  func finishWaiters(_ failure: SupervisorFailure) {
    for waiter in startWaiters { waiter.resume(throwing: failure) }
    startWaiters = []
    endListing()
    for observer in startObservers { observer.resume() }
    startObservers = []
    for waiter in treeWaiters { waiter.resume(throwing: failure) }
    treeWaiters = []
    for waiter in historyWaiters { waiter.resume(throwing: failure) }
    historyWaiters = []
    for waiting in queue { waiting.resume(returning: false) }
    queue = []
    inFlight?.reply?.resume(throwing: failure)
    inFlight = nil
  }
}
