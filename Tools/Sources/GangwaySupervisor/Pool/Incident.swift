import GangwayProtocol
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

  /// Notes an update of a session: the entries that were restored before it did not end the host, so earlier deaths at
  /// them were a coincidence.
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
    if let impossible = incident.impossible { return "it \(impossible), and was ended for that" }
    if let limit = incident.isHung { return "it gave no answer for \(limit), and was ended" }
    return switch status {
    case .exited(let code)?: "it ended by itself with code \(code)"
    case .signaled(let signal)?: "it was ended by signal \(signal)"
    case nil: "it crashed"
    }
  }

  private var reportText: String {
    if evidence.cause == .outside { return "Report: \(report)" }
    let cause = cause
    return (hasCrashed ? "" : "\(cause.prefix(1).uppercased())\(cause.dropFirst()). ") + "Report: \(report)"
  }

  /// The cause, for logs, if the text leaves it out.
  var detail: String? { evidence.cause == .outside ? "The host ended: \(cause)." : nil }

  /// The subject of the text: the culprit, but never the plugin of the event, which is no evidence.
  private var who: String { culprit.map { "The plugin \($0) stopped the host" } ?? "The host stopped" }

  /// The other plugin that was in use, in parentheses.
  private var use: String { inUse.flatMap { $0 == culprit ? nil : " (\($0) was in use)" } ?? "" }

  /// A description of the end of a host that was up.
  var what: String {
    if evidence.cause == .outside { return whatFromOutside }
    if evidence.cause == .wanted {
      return "The features were restarted\(event.map { ", and \($0) was not done" } ?? "")."
    }
    if event == nil, let work {
      return "\(who) in the work that \(work) had started\(use); it is back, and the rest was not done."
    }
    guard let event else { return "\(who) while nothing was being handled, and is back." }
    return "\(who) while handling \(event)\(use); it is back, and that was not done again."
  }

  /// The same for an end from outside, which names no plugin as the culprit.
  private var whatFromOutside: String {
    let lead = "The app was ended from outside. It is back"
    if let event { return "\(lead), and \(event) was not done." }
    return work.map { "\(lead), and what \($0) had started was not finished." } ?? "\(lead)."
  }

  /// The text for the user of a session whose host died.
  var text: String { "\(what) \(reportText)" }

  /// The text for users whose sessions did not cause the end.
  var elsewhere: String {
    evidence.cause == .outside
      ? "The app was ended from outside. It is back, and what was running here ended, too. \(reportText)"
      : "\(who) in another session; it is back, and what was running here ended, too. \(reportText)"
  }

  /// Returns the text for a crash that quarantines a plugin.
  func quarantining(_ plugin: String) -> String {
    "\(what) It has now stopped the host \(CrashTally.limit) times within a minute, so it is set aside: choose Try again in "
      + "its place, or reload it. \(reportText)"
  }

  func whileLoading(_ file: String) -> String {
    "\(file) stopped the host while being loaded, and is set aside. Build it again and reload it, or choose Try again in its "
      + "place. \(reportText)"
  }

  func whileRestoring(_ plugin: String) -> String {
    "The plugin \(plugin) stopped the host twice while its screens were being restored, and is set aside. They are "
      + "kept, and come back with a version of it that works. \(reportText)"
  }

  /// Returns the text for a feature that waits, because the app was killed each time the feature came back.
  ///
  /// No plugin is blamed, but the app could not continue otherwise.
  func waiting(_ feature: String) -> String {
    "The app was ended from outside \(Self.killLimit) times in a row while \(feature) was coming back, so that waits: choose "
      + "Try again in its place. \(reportText)"
  }

  /// The number of kills in a row at the same place after which the app continues without the feature there.
  static let killLimit = 5
}
