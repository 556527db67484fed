@_spi(FrontEnd) import GangwayProtocol

/// The search for a plugin that stops hosts without evidence.
extension HostLine {
  /// Handles an unexplained stop.
  func noteUnexplained(_ ending: HostCrash, of host: RunningHost, after uptime: Duration) {
    switch search.noteStop(after: uptime, loaded: loadedPlugins, inTrialOf: host.onTrial, at: clock.now) {
    case .nothing: break
    case .begin(let plugins):
      for plugin in plugins { ledger.setAside(plugin, CulpritSearch.reason) }
      tell(
        .init(
          .failure, Words.Crash.searching,
          detail: Words.CrashFacts.searching(times: CulpritSearch.limit, cause: ending.cause)))
      restart()
      Task { await bringBack() }
    case .found(let plugin):
      ledger.setAside(plugin, Words.SetAside.culprit)
      tell(
        .init(
          .failure, Words.Crash.found, plugin: plugin,
          detail: Words.CrashFacts.found(plugin, cause: ending.cause, report: ending.report)))
      restart()
    }
  }

  /// The loaded plugins, starting with those of the front screens.
  private var loadedPlugins: [PluginID] {
    let loaded = statuses.values.filter { $0.state == .active }.compactMap(\.id).sorted()
    let front = keepers.compactMap { keeper in
      keeper.presentation.top.flatMap { keeper.checkpoint.records[$0.node]?.plugin }
    }
    return loaded.filter(front.contains) + loaded.filter { !front.contains($0) }
  }

  /// Brings back the plugins that were left out, each for a trial.
  private func bringBack() async {
    while phase != .stopped, phase != .failed, let plugin = search.next() {
      // The user may have brought it back already.
      guard ledger.quarantined[plugin.rawValue] == CulpritSearch.reason else { continue }
      search.begin(plugin)
      guard await comesBack(plugin) else { continue }
      try? await clock.sleep(for: search.trial)
      // A stop at the end of the trial counts only after its report is written.
      await reports.written()
    }
    guard phase != .stopped, phase != .failed else { return }
    tell(
      .init(
        .information,
        search.found.isEmpty ? Words.Crash.notFound : Words.Crash.othersAreBack,
        detail: search.found.isEmpty ? Words.CrashFacts.notFound(log: "\(options.logFolder)/host.log") : nil))
  }

  /// Notes which plugin is on trial in a host that starts.
  func noteTrial(of host: RunningHost) {
    host.onTrial = search.onTrial.flatMap { ledger.quarantined[$0.rawValue] == nil ? $0 : nil }
  }

  /// Loads a plugin that was left out.
  ///
  /// - Returns: whether the plugin came up; if not, it is quarantined with the reason.
  private func comesBack(_ plugin: PluginID) async -> Bool {
    var reason = ""
    defer { for keeper in keepers { keeper.turns.next() } }
    for attempt in 1...Self.maximumFailedStarts {
      do {
        try await idle()
        _ = try await reload(plugin)
        return true
      } catch {
        reason = "\(error)"
      }
      try? await clock.sleep(for: .milliseconds(100 * attempt))
    }
    ledger.setAside(plugin, reason)
    tell(
      .init(
        .failure, Words.Crash.didNotComeBack, plugin: plugin,
        detail: Words.CrashFacts.didNotComeBack(plugin, reason: reason)))
    return false
  }
}
