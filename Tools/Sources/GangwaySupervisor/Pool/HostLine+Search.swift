@_spi(FrontEnd) import GangwayProtocol

/// The search for a plugin that stops hosts without evidence.
extension HostLine {
  /// Handles an unexplained stop.
  func noteUnexplained(_ ending: HostCrash, of host: HostProcess, after uptime: Duration) {
    switch search.noteStop(after: uptime, loaded: loadedPlugins, inTrialOf: host.onTrial) {
    case .nothing: break
    case .begin(let plugins):
      for plugin in plugins { ledger.setAside(plugin, CulpritSearch.reason) }
      tell(
        .init(
          .failure, "The app crashed several times. Its features come back one by one, to find the faulty one.",
          detail:
            "The host crashed \(CulpritSearch.limit) times within a minute, and no plugin could be identified (last "
            + "cause: \(ending.cause)). The plugins come back one by one, to find the faulty one."))
      restart()
      Task { await bringBack() }
    case .found(let plugin):
      ledger.setAside(plugin, "the app crashed each time this feature was loaded")
      tell(
        .init(
          .failure, "The faulty feature was found and is off now. Choose Try again on its screen.", plugin: plugin,
          detail:
            "It is the plugin \(plugin): the host stayed up without it, and stopped again with it; \(ending.cause). "
            + "It is set aside: choose Try again on its screen, or reload it. Report: \(ending.report)"))
      restart()
    }
  }

  /// The loaded plugins, starting with those of the front screens.
  private var loadedPlugins: [String] {
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
      guard ledger.quarantined[plugin] == CulpritSearch.reason else { continue }
      search.begin(plugin)
      guard await comesBack(plugin) else { continue }
      try? await Task.sleep(for: search.trial)
      // A stop at the end of the trial counts only after its report is written.
      await reportsWritten()
    }
    guard phase != .stopped, phase != .failed else { return }
    tell(
      .init(
        .information,
        search.found.isEmpty
          ? "All features are back. The faulty one was not found." : "All other features are back.",
        detail: search.found.isEmpty
          ? "The plugins are back, and the host has not stopped since. Report: \(options.logFolder)/host.log" : nil))
  }

  /// Notes which plugin is on trial in a host that starts.
  func noteTrial(of host: HostProcess) {
    host.onTrial = search.onTrial.flatMap { ledger.quarantined[$0] == nil ? $0 : nil }
  }

  /// Loads a plugin that was left out.
  ///
  /// - Returns: whether the plugin came up; if not, it is quarantined with the reason.
  private func comesBack(_ plugin: String) async -> Bool {
    var reason = ""
    defer { for keeper in keepers { keeper.next() } }
    for attempt in 1...Self.maximumFailedStarts {
      do {
        try await idle()
        _ = try await reload(plugin)
        return true
      } catch {
        reason = "\(error)"
      }
      try? await Task.sleep(for: .milliseconds(100 * attempt))
    }
    ledger.setAside(plugin, reason)
    tell(
      .init(
        .failure, "A feature did not come back. Choose Try again on its screen.", plugin: plugin,
        detail: "The plugin \(plugin) did not come back, and is set aside: \(reason)"))
    return false
  }
}
