@_spi(FrontEnd) import GangwayProtocol
import Glibc

/// The record of plugins that stopped hosts, shared by all hosts of a pool.
@MainActor final class PluginLedger {
  /// The quarantined plugins or files, with the reasons; they load again only at the user's request.
  private(set) var quarantined: [String: String] = [:]
  /// The plugins that the user loaded in safe mode.
  private(set) var allowed: Set<PluginID> = []
  /// The files whose refusal has been shown to the user.
  private var told: Set<String> = []
  private var tally = CrashTally()
  /// The number of hosts in a row that were killed from outside while they loaded a file.
  private var killedLoads: [String: Int] = [:]
  private let isSafe: Bool

  init(isSafe: Bool) { self.isSafe = isSafe }

  /// Quarantines a plugin.
  func setAside(_ plugin: PluginID, _ reason: String) { quarantined[plugin.rawValue] = reason }

  /// Quarantines a file.
  func setAside(file: String, _ reason: String) { quarantined[file] = reason }

  /// Counts a crash of a plugin.
  ///
  /// - Returns: whether the plugin is now quarantined.
  func count(_ plugin: PluginID, at moment: ContinuousClock.Instant) -> Bool {
    guard tally.note(plugin, at: moment) else { return false }
    setAside(plugin, Words.SetAside.crashed(times: CrashTally.limit))
    return true
  }

  /// Records the state of a plugin.
  ///
  /// A quarantined plugin that becomes active was loaded at the user's request, so its quarantine ends.
  func note(_ status: HostMessage.PluginStatus) {
    guard let id = status.id, status.state == .active else { return }
    if isSafe { allowed.insert(id) }
    // A successful load shows that the earlier kills were a coincidence.
    killedLoads[status.file] = nil
    if quarantined.removeValue(forKey: id.rawValue) != nil { tally.forget(id) }
    if quarantined.removeValue(forKey: status.file) != nil { tally.forget(id) }
  }

  /// Counts a load during which a user killed the host, or the system did because it ran out of memory.
  ///
  /// - Returns: the number of such loads in a row.
  func countKill(whileLoading file: String) -> Int {
    killedLoads[file, default: 0] += 1
    return killedLoads[file] ?? 1
  }

  /// Returns whether to show a file's refusal: only the first one.
  func isFirstRefusal(of file: String) -> Bool { told.insert(file).inserted }

  /// Lifts the quarantine of a plugin while its new file is tried.
  ///
  /// - Parameter file: the plugin's file, which may be quarantined instead of its id.
  /// - Returns: the previous quarantine, for ``restore(_:)``.
  func release(_ plugin: PluginID, file: String?) -> [String: String] {
    let before = quarantined
    quarantined[plugin.rawValue] = nil
    if let file { quarantined[file] = nil }
    return before
  }

  /// Restores the quarantine after a failed try.
  func restore(_ before: [String: String]) { quarantined = before }

  /// Forgets the crashes of a plugin that was replaced.
  func forget(_ plugin: PluginID) { tally.forget(plugin) }
}
