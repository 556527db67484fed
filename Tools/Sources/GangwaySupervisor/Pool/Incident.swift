@_spi(FrontEnd) import GangwayProtocol
import Glibc
import Subprocess

/// The exit status of a host process.
typealias HostEnd = TerminationStatus

/// The number of hosts in a row that died while they restored one entry.
struct RestoreDeaths {
  /// Deaths by a crash or an unrequested exit.
  var own = 0
  /// Kills from outside the app.
  var kills = 0
}

/// The facts about a running host that explain its end: the announced work and the progress so far.
struct Incident {
  /// Whether the host has sent its first update.
  var isUp = false
  /// Whether the end was requested.
  var isWanted = false
  /// The time that the host had to answer, if it was ended for not answering.
  var isHung: Duration?
  /// The file that the host announced to load.
  var loading: String?
  /// Whether the code of that file may have been running when the host was found to hang.
  var isLoadedCodeRunning = true
  /// The entry that the host announced to restore.
  var restoring: (session: SessionID, node: NodeID, plugin: String?)?
  /// The description of an impossible message, if the host was ended for one.
  var impossible: String?
  /// The plugins that this host has reported as loaded. The states of the host before say nothing of this one.
  private(set) var loaded: Set<String> = []
  /// The entries announced since the last update of a session, whose plugins were loaded by then.
  private var restored: [SessionID: Set<NodeID>] = [:]
  /// The deaths in a row for each restored entry.
  var restoreDeaths: [SessionID: [NodeID: RestoreDeaths]] = [:]
  /// The number of hosts in a row that died before their first update.
  var failedStarts = 0

  init(restoreDeaths: [SessionID: [NodeID: RestoreDeaths]] = [:], failedStarts: Int = 0) {
    self.restoreDeaths = restoreDeaths
    self.failedStarts = failedStarts
  }

  /// Notes the state of a plugin in this host.
  mutating func note(_ plugin: String, isLoaded: Bool) {
    if isLoaded { loaded.insert(plugin) } else { loaded.remove(plugin) }
  }

  /// Notes that the host restores an entry.
  ///
  /// The entry of a plugin that is not loaded only gets a placeholder. The host announces it again after the load.
  mutating func willRestore(_ node: NodeID, of session: SessionID, plugin: String?) {
    restoring = (session, node, plugin)
    if plugin.map(loaded.contains) ?? true {
      restored[session, default: []].insert(node)
    } else {
      restored[session]?.remove(node)
    }
  }

  /// Notes an update of a session.
  ///
  /// The entries that were restored before it did not end the host, so earlier deaths at them were a coincidence.
  ///
  /// A plugin may have been loaded since its placeholder was announced. That restores nothing yet.
  mutating func didUpdate(_ session: SessionID) {
    if restoring?.session == session { restoring = nil }
    for node in restored.removeValue(forKey: session) ?? [] { restoreDeaths[session]?[node] = nil }
  }
}

/// The end of a host, in words.
@MainActor struct HostCrash {
  let incident: Incident
  let status: HostEnd?
  /// The path of the report, which may not exist yet.
  let report: String
  /// Whether the host was killed because its channel was closed.
  let isCutOff: Bool
  /// Whether the host announced its crash; the runtime then writes its part of the report.
  let hasCrashed: Bool
  let event: String?
  /// An answered event whose work was still running.
  let work: String?
  /// The plugin whose screen the event or work belongs to; being in use is no evidence.
  let inUse: String?
  /// The session that the event or work belongs to.
  let acting: SessionKeeper?
  /// The evidence about the end.
  let evidence: EndEvidence
  /// The plugin whose code was running.
  var culprit: String? { evidence.cause == .itself ? evidence.frame : nil }

  /// The kind of end, in one word.
  var kind: String {
    switch evidence.cause {
    case .hung: "hung"
    case .impossible: "impossible-message"
    case .outside: "killed"
    case .itself, .wanted: isCutOff ? "cut-off" : "crashed"
    }
  }

  /// The cause of the end, as the system reports it.
  var cause: String {
    if let impossible = incident.impossible { return "it \(impossible), so it was ended" }
    if let limit = incident.isHung { return "it did not answer for \(limit), so it was ended" }
    return switch status {
    case .exited(let code)?: "it ended by itself with code \(code)"
    case .signaled(let signal)?: "it was ended by signal \(signal)"
    case nil: "it crashed"
    }
  }

  /// The subject of the text for developers: the culprit, but never the plugin of the event, which is no evidence.
  private var who: String { culprit.map { "The plugin \($0) stopped the host" } ?? "The host stopped" }

  /// The other plugin that was in use, in parentheses.
  private var use: String { inUse.flatMap { $0 == culprit ? nil : " (\($0) was in use)" } ?? "" }

  /// A description of the end of a host that was up, for developers.
  var what: String {
    switch evidence.cause {
    case .wanted: return "The features were restarted.\(loss)"
    case .outside: return "Another process, or the system, killed the host.\(loss)"
    default: break
    }
    if event == nil, let work { return "\(who) in the work that \(work) had started\(use). The work was not finished." }
    guard let event else { return "\(who) while no event was being handled." }
    return "\(who) while handling \(event)\(use). The action was not repeated."
  }

  /// The actions that were lost, in a sentence for users; empty if there are none.
  private var loss: String {
    if let event { return " Not done: \(event)." }
    return work.map { " Not finished: \($0)." } ?? ""
  }

  /// The message about the end, without the facts for developers.
  private var apology: String {
    if evidence.cause == .wanted { return what }
    return "The app restarted after a crash." + (loss.isEmpty ? " Nothing was lost." : loss)
  }

  /// Returns a message for the user, with the facts for developers as its detail.
  ///
  /// - Parameters:
  ///   - text: the message for the user.
  ///   - facts: the sentences for developers, before the cause and the report.
  private func words(_ text: String, _ facts: String) -> CrashWords {
    let because = evidence.cause == .wanted ? "" : " Cause: \(cause)."
    return CrashWords(text: text, detail: "\(facts)\(because) Report: \(report)")
  }

  /// The words for the user of a session whose host died.
  var told: CrashWords { words(apology, what) }

  /// The words for users whose sessions did not cause the end.
  var elsewhere: CrashWords {
    words(
      "The app restarted after a crash. Work that was running here was stopped.",
      evidence.cause == .outside ? "Another process, or the system, killed the host." : "\(who) in another session.")
  }

  /// Returns the words for a crash that quarantines a plugin.
  func quarantining(_ plugin: String) -> CrashWords {
    words(
      "\(apology) The feature crashed \(CrashTally.limit) times within a minute and is off now: choose Try again on "
        + "its screen.",
      "\(what) The plugin \(plugin) has now stopped the host \(CrashTally.limit) times within a minute, so it is set "
        + "aside: choose Try again on its screen, or reload it.")
  }

  func whileLoading(_ file: String) -> CrashWords {
    words(
      "A feature crashed while it was loading and is off now. Choose Try again on its screen.",
      "The host \(incident.isHung == nil ? "crashed" : "stopped responding") while loading \(file), so \(file) is set "
        + "aside. Build it again and reload it, or choose Try again on its screen.")
  }

  func whileRestoring(_ plugin: String) -> CrashWords {
    words(
      "A feature crashed twice while its screens were being restored and is off now. Its screens are kept.",
      "The plugin \(plugin) crashed the host twice while the host restored its screens, so \(plugin) is set aside. The "
        + "screens stay stored until a working version of \(plugin) restores them.")
  }

  /// Returns the words for a feature that waits, because the app was killed each time the feature came back.
  ///
  /// No plugin is blamed, but the app could not continue otherwise.
  func waiting(_ feature: String) -> CrashWords {
    words(
      "The app was stopped \(Self.killLimit) times while it restored a feature. The feature stays off until you choose "
        + "Try again on its screen.",
      "Another process, or the system, killed the host \(Self.killLimit) times in a row while the host restored "
        + "\(feature), which is now set aside. Choose Try again on its screen.")
  }

  /// The number of kills in a row at the same place after which the app continues without the feature there.
  static let killLimit = 5
}

/// The words about the end of a host.
struct CrashWords {
  /// The message for the user.
  let text: String
  /// The facts for developers, with the path of the report at the end.
  let detail: String

  /// Returns the words as a notification.
  func notice(_ kind: Update.Notice.Kind = .failure, plugin: String? = nil) -> Update.Notice {
    Update.Notice(kind, text, plugin: plugin, detail: detail)
  }
}
