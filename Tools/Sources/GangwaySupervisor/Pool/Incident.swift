import GangwayProtocol
import Glibc
import Subprocess

/// How a process ended.
typealias HostEnd = TerminationStatus

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
  /// The entry it said it would restore next.
  var restoring: (session: SessionID, node: NodeID, plugin: String?)?
  /// What it said that no host says, for which it was ended.
  var impossible: String?
  /// The entries that it said it would restore since it last told of a session, and whose they are.
  var restored: [SessionID: [NodeID: String]] = [:]
  /// How often in a row hosts died while they restored an entry by themselves.
  var restoreDeaths: [SessionID: [NodeID: Int]] = [:]
  /// Hosts in a row that died before their first update.
  var failedStarts = 0

  init(restoreDeaths: [SessionID: [NodeID: Int]] = [:], failedStarts: Int = 0) {
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
  let plugin: String?
  /// The session whose event, or work, it was.
  let acting: SessionKeeper?

  /// Whether somebody else killed it.
  var isKilledFromOutside: Bool {
    if case .signaled(SIGKILL) = status {
      return incident.isHung == nil && incident.impossible == nil && !isCutOff
    }
    return false
  }

  /// Which kind of end it was, in a word.
  var kind: String {
    if incident.isHung != nil { return "hung" }
    if incident.impossible != nil { return "impossible-message" }
    return isKilledFromOutside ? "killed" : isCutOff ? "cut-off" : "crashed"
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
    let cause = cause
    return (hasCrashed ? "" : "\(cause.prefix(1).uppercased())\(cause.dropFirst()). ") + "Report: \(report)"
  }

  /// Who stopped. Whose event was being handled is no proof: the report, where there is one, says later whose code ran.
  private var who: String { plugin.map { "The plugin \($0) probably stopped the host" } ?? "The host stopped" }

  /// What happened to a host that was up.
  var what: String {
    if event == nil, let work {
      return "\(who) in the work that \(work) had started; it is back, and the rest was not done."
    }
    guard let event else { return "The host stopped while nothing was being handled, and is back." }
    return "\(who) while handling \(event); it is back, and that was not done again."
  }

  /// The line for the person when a host that was up died.
  var text: String { "\(what) \(reportText)" }

  /// The line for the persons whose sessions had nothing to do with it.
  var elsewhere: String {
    "\(who) in another session; it is back, and what was running here ended, too. \(reportText)"
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
}
