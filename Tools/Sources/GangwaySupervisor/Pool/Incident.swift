@_spi(FrontEnd) import GangwayProtocol
import Glibc

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
  var restoring: (session: SessionID, node: NodeID, plugin: PluginID?)?
  /// The description of an impossible message, if the host was ended for one.
  var impossible: String?
  /// The plugins that this host has reported as loaded. The states of the host before say nothing of this one.
  private(set) var loaded: Set<PluginID> = []
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
  mutating func note(_ plugin: PluginID, isLoaded: Bool) {
    if isLoaded { loaded.insert(plugin) } else { loaded.remove(plugin) }
  }

  /// Notes that the host restores an entry.
  ///
  /// The entry of a plugin that is not loaded only gets a placeholder. The host announces it again after the load.
  mutating func willRestore(_ node: NodeID, of session: SessionID, plugin: PluginID?) {
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
@MainActor package struct HostCrash {
  let incident: Incident
  let status: HostEnd?
  /// The path of the report, which may not exist yet.
  let report: String
  /// Whether the host was killed because its channel was closed.
  let isCutOff: Bool
  /// Whether the host announced its crash; the runtime then writes its part of the report.
  let hasCrashed: Bool
  let event: String?
  /// The label of the input that this event edits.
  let input: String?
  /// An answered event whose work was still running.
  let work: String?
  /// The plugin whose screen the event or work belongs to; being in use is no evidence.
  let inUse: PluginID?
  /// The session that the event or work belongs to.
  let acting: SessionKeeper?
  /// Whether the host kept undo actions that a user could still choose.
  let endsUndo: Bool
  /// The evidence about the end.
  let evidence: EndEvidence
  /// The plugin whose code was running.
  var culprit: PluginID? { evidence.cause == .itself ? evidence.frame : nil }

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
    if let impossible = incident.impossible { return Words.CrashFacts.impossible(impossible) }
    if let limit = incident.isHung { return Words.CrashFacts.hung(after: limit) }
    return switch status {
    case .exited(let code)?: Words.CrashFacts.exited(code: code)
    case .signaled(let signal)?: Words.CrashFacts.signaled(signal)
    case nil: Words.CrashFacts.crashed
    }
  }

  /// The other plugin that was in use.
  private var otherInUse: PluginID? { inUse == culprit ? nil : inUse }

  /// A description of the end of a host that was up, for developers.
  var what: String {
    switch evidence.cause {
    case .wanted: return Words.Crash.restarted + loss
    case .outside: return Words.CrashFacts.killed + loss
    default: break
    }
    if event == nil, let work {
      return Words.CrashFacts.stoppedInWork(work, culprit: culprit, inUse: otherInUse)
    }
    guard let event else { return Words.CrashFacts.stoppedIdle(culprit: culprit) }
    return Words.CrashFacts.stoppedHandling(event, culprit: culprit, inUse: otherInUse)
  }

  /// The losses, in sentences for users, each after a space; empty if nothing was lost.
  private var loss: String { lostAction + (endsUndo ? " " + Words.Crash.undoEnded : "") }

  private var lostAction: String {
    if let input { return " " + Words.Crash.checkInput(input) }
    if let event { return " " + Words.Crash.notDone(event) }
    return work.map { " " + Words.Crash.notFinished($0) } ?? ""
  }

  /// The message about the end, without the facts for developers.
  private var apology: String {
    if evidence.cause == .wanted { return what }
    return Words.Crash.restartedAfterCrash + (loss.isEmpty ? " " + Words.Crash.nothingLost : loss)
  }

  /// Returns a message for the user, with the facts for developers as its detail.
  ///
  /// - Parameters:
  ///   - text: the message for the user.
  ///   - facts: the sentences for developers, before the cause and the report.
  private func words(_ text: String, _ facts: String) -> CrashWords {
    let because = evidence.cause == .wanted ? "" : " " + Words.CrashFacts.cause(cause)
    return CrashWords(text: text, detail: "\(facts)\(because) \(Words.CrashFacts.report(report))")
  }

  /// The words for the user of a session whose host died.
  var told: CrashWords { words(apology, what) }

  /// Returns the words for a user whose session did not cause the end.
  ///
  /// - Parameter endsUndo: whether this user could still undo something.
  func elsewhere(endsUndo: Bool) -> CrashWords {
    words(
      Words.Crash.elsewhere + (endsUndo ? " " + Words.Crash.undoEnded : ""),
      evidence.cause == .outside ? Words.CrashFacts.killed : Words.CrashFacts.stoppedElsewhere(culprit: culprit))
  }

  /// Returns the words for a crash that quarantines a plugin.
  func quarantining(_ plugin: PluginID) -> CrashWords {
    words(
      "\(apology) \(Words.Crash.isOff(times: CrashTally.limit))",
      "\(what) \(Words.CrashFacts.isSetAside(plugin, times: CrashTally.limit))")
  }

  func whileLoading(_ file: String) -> CrashWords {
    words(Words.Crash.whileLoading, Words.CrashFacts.whileLoading(file, isHung: incident.isHung != nil))
  }

  func whileRestoring(_ plugin: PluginID) -> CrashWords {
    words(Words.Crash.whileRestoring, Words.CrashFacts.whileRestoring(plugin))
  }

  /// Returns the words for a feature that waits, because the app was killed each time the feature came back.
  ///
  /// No plugin is blamed, but the app could not continue otherwise.
  func waiting(_ feature: String) -> CrashWords {
    words(Words.Crash.waits(times: Self.killLimit), Words.CrashFacts.waits(feature, times: Self.killLimit))
  }

  /// The number of kills in a row at the same place after which the app continues without the feature there.
  package static let killLimit = 4
}

/// The words about the end of a host.
struct CrashWords {
  /// The message for the user.
  let text: String
  /// The facts for developers, with the path of the report at the end.
  let detail: String

  /// Returns the words as a notification.
  func notice(_ kind: Update.Notice.Kind = .failure, plugin: PluginID? = nil) -> Update.Notice {
    Update.Notice(kind, text, plugin: plugin, detail: detail)
  }
}
