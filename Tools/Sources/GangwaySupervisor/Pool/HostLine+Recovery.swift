import FoundationEssentials
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
    let ending = ending(status, report: reportIsComing ? host.crashReport : nil)
    if reportIsComing { reap(host, ending) }
    let text = blame(ending)
    guard incident.failedStarts < Self.maximumFailedStarts else {
      return giveUp(
        "No host stays up: \(ending.cause). Its log is '\(options.logFolder)/host.log'. The session is kept.")
    }
    let acting = ending.acting
    for keeper in keepers {
      let isToBeTold = incident.isUp && (!incident.isWanted || keeper.isHandling)
      let words = keeper === acting || acting == nil ? text : ending.elsewhere
      keeper.hostEnded(isToBeTold ? .init(.failure, words, plugin: ending.plugin) : nil)
    }
    // One session's events do not stop the others a second time.
    if let acting, keepers.count > 1, !incident.isWanted, stopsTooOften(acting) {
      remove(acting)
      pool.ownLine().add(acting)
    }
    launch()
  }

  /// What is known of the end of the present host.
  private func ending(_ status: HostEnd?, report: String?) -> Ending {
    // Events are handled in the order in which they came: the oldest without an answer was being handled.
    let acting =
      keepers.filter(\.isHandling).min { ($0.inFlight?.id ?? 0) < ($1.inFlight?.id ?? 0) }
      ?? keepers.first { $0.unfinished != nil }
    let unfinished = acting?.unfinished
    return Ending(
      incident: incident, status: status, report: report, event: acting?.inFlight?.name, work: unfinished?.name,
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
    guard incident.isUp, let plugin = ending.plugin, !incident.isWanted else { return ending.text }
    return ledger.count(plugin) ? ending.quarantining(plugin) : ending.text
  }

  /// Counts a death during restoring; after two, the plugin is left out and its entries wait for it.
  private func blameRestoring(_ ending: Ending) {
    guard let plugin = incident.restoring?.plugin else { return }
    incident.restoreDeaths[plugin, default: 0] += 1
    guard incident.restoreDeaths[plugin, default: 0] >= 2 else { return }
    ledger.setAside(plugin, "it stopped the host twice while its screens were being restored")
    incident.failedStarts = 0
    tell(.init(.failure, ending.whileRestoring(plugin), plugin: plugin))
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
      guard wasUp, phase != .stopped, let plugin = reported(in: host.crashReport), plugin != ending.plugin else {
        return
      }
      let text = "The crash report names the plugin \(plugin). Report: \(host.crashReport)"
      guard ledger.count(plugin) else { return tell(.init(.information, text, plugin: plugin)) }
      tell(
        .init(
          .failure,
          "\(text) It has now stopped the host \(CrashTally.limit) times within a minute, so it is set aside.",
          plugin: plugin))
      restart()
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
}
