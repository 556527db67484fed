import CoreMetrics
import GangwayProtocol
import Glibc

/// What a line of hosts does when one has died.
extension HostLine {
  /// Starts the next host after one died, and says what happened.
  func recover(from host: HostProcess, reportIsComing: Bool) async {
    self.host = nil
    startWatch?.cancel()
    loadWatch?.cancel()
    // Waiting for the exit would wait for the report too: only a host that wrote no byte is asked how it ended.
    let status = reportIsComing ? nil : await host.statusWithoutChannel()
    guard phase == .starting else { return }
    if let failure = host.startFailure { return giveUp("\(failure). Name another with --host.") }
    let ending = ending(status, host, reportIsComing)
    let report = report(on: host, ending)
    let text = blame(ending)
    reap(host, ending, report)
    guard incident.failedStarts < Self.maximumFailedStarts else {
      return giveUp(
        "No host stays up: \(ending.cause). The session is kept. Report: \(options.logFolder)/host.log")
    }
    let acting = ending.acting
    for keeper in keepers {
      let isToBeTold = incident.isUp && (!incident.isWanted || keeper.isHandling)
      let words = keeper === acting || acting == nil ? text : ending.elsewhere
      keeper.hostEnded(isToBeTold ? .init(.failure, words, plugin: ending.plugin) : nil)
    }
    // One session's events do not stop the others a second time.
    if let pool, let acting, keepers.count > 1, !incident.isWanted, !ending.isKilledFromOutside, stopsTooOften(acting) {
      remove(acting)
      pool.ownLine().add(acting)
    }
    launch()
  }

  /// What is known of the end of the present host.
  private func ending(_ status: HostEnd?, _ host: HostProcess, _ reportIsComing: Bool) -> Ending {
    // Events are handled in the order in which they came: the oldest without an answer was being handled.
    let acting =
      keepers.filter(\.isHandling).min { ($0.inFlight?.id ?? 0) < ($1.inFlight?.id ?? 0) }
      ?? keepers.first { $0.unfinished != nil }
    let unfinished = acting?.unfinished
    return Ending(
      incident: incident, status: status, report: host.crashReport, isCutOff: host.isCutOff, hasCrashed: reportIsComing,
      event: acting?.inFlight?.name, work: unfinished?.name,
      plugin: acting?.inFlight?.plugin ?? unfinished?.plugin, acting: acting)
  }

  /// Finds out whose fault it was, and sets aside what stopped hosts too often.
  ///
  /// - Returns: what to tell the person.
  private func blame(_ ending: Ending) -> String {
    if let file = incident.loading, !ending.isKilledFromOutside || !ledger.isFirstKill(whileLoading: file) {
      ledger.setAside(
        file, incident.isHung == nil ? "it stopped the host while being loaded" : "its loading did not end")
      if !incident.isUp { tell(.init(.failure, ending.whileLoading(file))) }
      return ending.whileLoading(file)
    }
    if !incident.isUp { incident.failedStarts += 1 }
    if incident.restoring != nil { blameRestoring(ending) }
    // Who was killed from outside did nothing that another time would do again.
    guard incident.isUp, let plugin = ending.plugin, !incident.isWanted, !ending.isKilledFromOutside else {
      return ending.text
    }
    return ledger.count(plugin) ? ending.quarantining(plugin) : ending.text
  }

  /// Counts a death during restoring; after two in a row at one entry, its plugin is left out and its entries wait for it. What
  /// is made only when the person goes there is not meant: that is their event's, which is not done again.
  private func blameRestoring(_ ending: Ending) {
    guard let (session, node, name) = incident.restoring, let plugin = name, keeper(of: session)?.isHandling == false
    else { return }
    let deaths = (incident.restoreDeaths[session]?[node] ?? 0) + 1
    incident.restoreDeaths[session, default: [:]][node] = deaths
    guard deaths >= 2 else { return }
    ledger.setAside(plugin, "it stopped the host twice while its screens were being restored")
    incident.failedStarts = 0
    tell(.init(.failure, ending.whileRestoring(plugin), plugin: plugin))
  }

  /// What is to be reported of it, as far as it is known before the runtime has written its part.
  private func report(on host: HostProcess, _ ending: Ending) -> IncidentReport {
    let keeper = ending.acting ?? (keepers.count == 1 ? keepers.first : nil)
    return IncidentReport(
      what: ending.what, cause: ending.cause, recording: keeper?.recording(endingWith: ending.what),
      plugins: Array(statuses.values), uptime: ContinuousClock.now - host.start, path: host.crashReport)
  }

  /// Gives a dying host time for its report, makes sure of its end, and blames whose code the report names, where the
  /// event in flight blamed nobody.
  private func reap(_ host: HostProcess, _ ending: Ending, _ report: IncidentReport) {
    guard !incident.isWanted else { return }
    let uptime = report.uptime
    let isToBeExplained = incident.isUp && incident.loading == nil
    let task = Task {
      let limit = Task {
        try await Task.sleep(for: .seconds(10))
        host.kill()
      }
      _ = await host.status()
      limit.cancel()
      let words = host.errors.fatalError
      let culprit = await Task.detached {
        let runtime = report.runtimeReport
        report.write(words, runtime)
        return report.culprit(in: runtime)
      }.value
      folder.clear()
      count(ending, culprit?.plugin)
      guard isToBeExplained, phase != .stopped else { return }
      guard let culprit, ending.hasCrashed else {
        if ending.plugin == nil { noteUnexplained(ending, after: uptime) }
        return
      }
      if culprit.plugin != ending.plugin {
        blame(culprit.plugin, insteadOf: ending, culprit.frame.text, host.crashReport)
      }
    }
    note(report: task)
  }

  /// Counts a host that ended by itself.
  ///
  /// - Parameter culprit: whose code ran, where the report tells.
  private func count(_ ending: Ending, _ culprit: String?) {
    let file = ending.incident.loading.map {
      String($0[($0.lastIndex(of: "/").map($0.index(after:)) ?? $0.startIndex)...])
    }
    Counter(
      label: "gangway_host_restarts_total",
      dimensions: [("plugin", culprit ?? ending.plugin ?? file ?? ""), ("cause", ending.kind)], factory: options.metrics
    ).increment()
  }

  /// Blames whose code ran when a host crashed, and nobody else for the event that was being handled: a guard, a link or a
  /// thread of one plugin may crash while another's screen is in front.
  private func blame(_ plugin: String, insteadOf ending: Ending, _ frame: String, _ report: String) {
    let isReleased = ending.plugin.map(ledger.retract) ?? false
    let isSetAside = ledger.count(plugin)
    var text = "It was the plugin \(plugin) whose code ran when the host stopped: \(frame)."
    if isSetAside {
      text += " It has now stopped the host \(CrashTally.limit) times within a minute, so it is set aside."
    }
    if isReleased, let innocent = ending.plugin { text += " The plugin \(innocent) is back." }
    tell(.init(isSetAside ? .failure : .information, "\(text) Report: \(report)", plugin: plugin))
    if isReleased || isSetAside { restart() }
  }
}
