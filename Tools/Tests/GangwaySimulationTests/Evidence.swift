@_spi(FrontEnd) import GangwayProtocol

@_spi(FrontEnd) @testable import GangwaySupervisor

/// The evidence that the simulated hosts left, which is all that a plugin may be blamed for.
struct Evidence {
  private var frames: [PluginID: Int] = [:]
  private var loads: [PluginID: Int] = [:]
  private var restores: [PluginID: Int] = [:]
  private var unexplained = 0
  private var kills = 0

  mutating func noteFrame(_ plugin: PluginID) { frames[plugin, default: 0] += 1 }
  mutating func noteLoad(_ plugin: PluginID) { loads[plugin, default: 0] += 1 }
  mutating func noteRestore(_ plugin: PluginID) { restores[plugin, default: 0] += 1 }
  mutating func noteUnexplained() { unexplained += 1 }
  mutating func noteKill() { kills += 1 }

  /// Returns the problem if a plugin is quarantined without the evidence that the reason needs.
  @MainActor func problem(of plugin: PluginID, _ reason: String) -> String? {
    let isEnough =
      switch reason {
      case CulpritSearch.reason, Words.SetAside.culprit: unexplained >= CulpritSearch.limit
      case Words.SetAside.crashed(times: CrashTally.limit): frames[plugin, default: 0] >= CrashTally.limit
      case Words.SetAside.crashedWhileRestoring: restores[plugin, default: 0] + frames[plugin, default: 0] >= 2
      case Words.SetAside.crashedWhileLoading, Words.SetAside.didNotFinishLoading: loads[plugin, default: 0] >= 1
      case Words.SetAside.closedWhileLoading(times: HostCrash.killLimit):
        loads[plugin, default: 0] >= HostCrash.killLimit && kills >= HostCrash.killLimit
      case Words.SetAside.closedWhileRestoring(times: HostCrash.killLimit): kills >= HostCrash.killLimit
      // A plugin that does not come back after the search has the reason of its last failure.
      default: unexplained >= CulpritSearch.limit
      }
    return isEnough
      ? nil : "'\(plugin)' is quarantined because \(reason), with this evidence: \(self)"
  }
}
