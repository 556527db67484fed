@_spi(FrontEnd) import GangwayProtocol

@_spi(FrontEnd) import GangwaySupervisor

/// The evidence that the simulated hosts left, which is all that a plugin may be blamed for.
struct Evidence {
  private var frames: [PluginID: Int] = [:]
  private var loads: [PluginID: Int] = [:]
  private var restores: [PluginID: Int] = [:]
  private var killedLoads: [PluginID: Int] = [:]
  private var killedRestores: [PluginID: Int] = [:]
  private var unexplained = 0

  mutating func noteFrame(_ plugin: PluginID) { frames[plugin, default: 0] += 1 }
  mutating func noteUnexplained() { unexplained += 1 }

  /// Notes the end of a host that loaded a plugin.
  ///
  /// - Parameter isKill: whether something outside ended it, which is no evidence.
  mutating func noteLoad(_ plugin: PluginID, isKill: Bool) {
    if isKill { killedLoads[plugin, default: 0] += 1 } else { loads[plugin, default: 0] += 1 }
  }

  /// Notes the end of a host that restored an entry of a plugin.
  mutating func noteRestore(_ plugin: PluginID, isKill: Bool) {
    if isKill { killedRestores[plugin, default: 0] += 1 } else { restores[plugin, default: 0] += 1 }
  }

  /// Returns the problem if a plugin is quarantined without the evidence that the reason needs.
  @MainActor func problem(of plugin: PluginID, _ reason: String) -> String? {
    func count(_ counts: [PluginID: Int]) -> Int { counts[plugin, default: 0] }
    let isEnough =
      switch reason {
      case Words.SetAside.crashed(times: CrashTally.limit): count(frames) >= CrashTally.limit
      case Words.SetAside.crashedWhileRestoring: count(restores) >= 2
      case Words.SetAside.crashedWhileLoading, Words.SetAside.didNotFinishLoading: count(loads) >= 1
      case Words.SetAside.closedWhileLoading(times: HostCrash.killLimit): count(killedLoads) >= HostCrash.killLimit
      case Words.SetAside.closedWhileRestoring(times: HostCrash.killLimit):
        count(killedRestores) >= HostCrash.killLimit
      // The search and its results. A plugin that does not come back has the reason of its last failure.
      default: unexplained >= CulpritSearch.limit
      }
    return isEnough ? nil : "'\(plugin)' is quarantined because \(reason), with this evidence: \(self)"
  }
}
