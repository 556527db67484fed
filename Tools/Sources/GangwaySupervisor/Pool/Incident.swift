import GangwayProtocol
import Glibc
import Subprocess

/// How a process ended.
typealias HostEnd = TerminationStatus

/// How often in a row hosts died while they restored an entry.
struct RestoreDeaths {
  /// By themselves.
  var own = 0
  /// Because something outside the app ended them.
  var kills = 0
}

/// What is known of a host that may die: what it had announced, how far it had come.
struct Incident {
  /// Whether it has sent its first update.
  var isUp = false
  /// Whether its death was asked for.
  var isWanted = false
  /// For how long it gave no answer, where it was ended for that.
  var isHung: Duration?
  /// The file it said it would load next.
  var loading: String?
  /// Whether the code of that file can have been running when it was found to give no answer.
  var isLoadedCodeRunning = true
  /// The entry it said it would restore next.
  var restoring: (session: SessionID, node: NodeID, plugin: String?)?
  /// What it said that no host says, for which it was ended.
  var impossible: String?
  /// The entries that it said it would restore since it last told of a session, and whose they are.
  var restored: [SessionID: [NodeID: String]] = [:]
  /// How often in a row hosts died while they restored an entry by themselves.
  var restoreDeaths: [SessionID: [NodeID: RestoreDeaths]] = [:]
  /// Hosts in a row that died before their first update.
  var failedStarts = 0

  init(restoreDeaths: [SessionID: [NodeID: RestoreDeaths]] = [:], failedStarts: Int = 0) {
    self.restoreDeaths = restoreDeaths
    self.failedStarts = failedStarts
  }
}

/// How a host ended, in words.
@MainActor struct Ending {
  let incident: Incident
  let status: HostEnd?
  /// Where the report of it is, or will be.
  let report: String
  /// Whether it was killed because it had no channel any more.
  let isCutOff: Bool
  /// Whether it said itself that it is dying: the runtime writes its part of the report.
  let hasCrashed: Bool
  let event: String?
  /// An event answered before, whose work went on.
  let work: String?
  /// The plugin whose screen the event, or the work, was for. It was in use, which is no evidence.
  let inUse: String?
  /// The session whose event, or work, it was.
  let acting: SessionKeeper?
  /// What it counts for.
  let evidence: EndEvidence
  /// The plugin whose code ran.
  var culprit: String? { evidence.cause == .itself ? evidence.frame : nil }

  /// Which kind of end it was, in a word.
  var kind: String {
    switch evidence.cause {
    case .hung: "hung"
    case .impossible: "impossible-message"
    case .outside: "killed"
    case .itself, .wanted: isCutOff ? "cut-off" : "crashed"
    }
  }

  /// What the system says of it.
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

  /// For logs, where the text leaves it out.
  var detail: String? { evidence.cause == .outside ? "The host ended: \(cause)." : nil }

  /// Who stopped. Whose event was being handled is no evidence.
  private var who: String { culprit.map { "The plugin \($0) stopped the host" } ?? "The host stopped" }

  /// Which other plugin was in use.
  private var use: String { inUse.flatMap { $0 == culprit ? nil : " (\($0) was in use)" } ?? "" }

  /// What happened to a host that was up.
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

  /// The same for a host that something outside ended: no feature is named for it.
  private var whatFromOutside: String {
    let lead = "The app was ended from outside. It is back"
    if let event { return "\(lead), and \(event) was not done." }
    return work.map { "\(lead), and what \($0) had started was not finished." } ?? "\(lead)."
  }

  /// The line for the person when a host that was up died.
  var text: String { "\(what) \(reportText)" }

  /// The line for the persons whose sessions had nothing to do with it.
  var elsewhere: String {
    evidence.cause == .outside
      ? "The app was ended from outside. It is back, and what was running here ended, too. \(reportText)"
      : "\(who) in another session; it is back, and what was running here ended, too. \(reportText)"
  }

  /// The same, for a plugin that is quarantined for it.
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

  /// A feature that waits because the app was ended each time it came back. Nobody is blamed: the app could not go on otherwise.
  func waiting(_ feature: String) -> String {
    "The app was ended from outside \(Self.killLimit) times in a row while \(feature) was coming back, so that waits: choose "
      + "Try again in its place. \(reportText)"
  }

  /// How often in a row the app may be ended from outside at the same place before it goes on without what is there.
  static let killLimit = 5
}
