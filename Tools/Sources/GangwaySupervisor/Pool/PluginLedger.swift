import GangwayProtocol
import Glibc

/// What is held against plugins, whichever host they stopped.
@MainActor final class PluginLedger {
  /// Plugins, or files, that are not loaded before the person wants them again, each with the reason.
  private(set) var quarantined: [String: String] = [:]
  /// In safe mode, the plugins that the person wanted all the same.
  private(set) var allowed: Set<String> = []
  /// Files whose refusal has been told.
  private var told: Set<String> = []
  private var tally = CrashTally()
  /// How often in a row hosts were ended from outside while they loaded a file.
  private var killedLoads: [String: Int] = [:]
  private let isSafe: Bool

  init(isSafe: Bool) { self.isSafe = isSafe }

  /// Sets a plugin or a file aside.
  func setAside(_ name: String, _ reason: String) { quarantined[name] = reason }

  /// Counts a crash of a plugin's.
  ///
  /// - Returns: whether it is set aside for it.
  func count(_ plugin: String) -> Bool {
    guard tally.note(plugin) else { return false }
    quarantined[plugin] = "it stopped the host \(CrashTally.limit) times within a minute"
    return true
  }

  /// Notes how far a plugin has come. One that is loaded although it was set aside was wanted by the person.
  func note(_ status: HostMessage.PluginStatus) {
    guard let id = status.id, status.state == .active else { return }
    if isSafe { allowed.insert(id) }
    // What has gone well since says that it was chance.
    killedLoads[status.file] = nil
    if quarantined.removeValue(forKey: id) != nil { tally.forget(id) }
    if quarantined.removeValue(forKey: status.file) != nil { tally.forget(id) }
  }

  /// Counts a load during which the host was ended from outside: by a user, or by the system, which was short of memory.
  ///
  /// - Returns: how often that was in a row.
  func countKill(whileLoading file: String) -> Int {
    killedLoads[file, default: 0] += 1
    return killedLoads[file] ?? 1
  }

  /// Whether a file's refusal is to be told: it is once.
  func isFirstRefusal(of file: String) -> Bool { told.insert(file).inserted }

  /// Lets a plugin be loaded again, as long as its new file proves itself.
  ///
  /// - Parameter file: where it was set aside by its file.
  /// - Returns: what was set aside before, for ``restore(_:)``.
  func release(_ plugin: String, file: String?) -> [String: String] {
    let before = quarantined
    quarantined[plugin] = nil
    if let file { quarantined[file] = nil }
    return before
  }

  /// Sets aside again what was released in vain.
  func restore(_ before: [String: String]) { quarantined = before }

  /// Begins anew with a plugin that was replaced.
  func forget(_ plugin: String) { tally.forget(plugin) }
}
