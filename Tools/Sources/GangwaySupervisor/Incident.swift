import GangwayProtocol
import Subprocess

/// What is known of a host that may die: what it had announced, how far it had come.
struct Incident {
  /// Whether it has sent its first update.
  var isUp = false
  /// Whether its death was asked for.
  var isWanted = false
  /// The file it said it would load next.
  var loading: String?
  /// The entry it said it would restore next.
  var restoring: (node: NodeID, plugin: String?)?
  /// How often a plugin was being restored when a host died.
  var restoreDeaths: [String: Int] = [:]
  /// Hosts in a row that died before their first update.
  var failedStarts = 0

  init(restoreDeaths: [String: Int] = [:], failedStarts: Int = 0) {
    self.restoreDeaths = restoreDeaths
    self.failedStarts = failedStarts
  }
}

/// How a host ended, in words.
struct Ending {
  let incident: Incident
  let status: TerminationStatus?
  let report: String?
  let event: String?
  /// An event answered before, whose work went on.
  let work: String?
  let plugin: String?

  /// What the system says of it.
  var cause: String {
    switch status {
    case .exited(let code)?: "it ended by itself with code \(code)"
    case .signaled(let signal)?: "it was ended by signal \(signal)"
    case nil: "it crashed"
    }
  }

  private var reportText: String {
    report.map { "Report: \($0)" } ?? "There is no crash report: \(cause)."
  }

  /// The line for the person when a host that was up died.
  var text: String {
    let who = plugin.map { "The plugin \($0)" } ?? "The host"
    if event == nil, let work {
      return
        "\(who) stopped in the work that \(work) had started, and is back; the rest of it was not done. \(reportText)"
    }
    guard let event else { return "The host stopped while nothing was being handled, and is back. \(reportText)" }
    return "\(who) stopped while handling \(event), and is back; it was not done again. \(reportText)"
  }

  func whileLoading(_ file: String) -> String {
    "\(file) stopped the host while being loaded, and was left out. Build it again, then restart. \(reportText)"
  }

  func whileRestoring(_ plugin: String) -> String {
    "The plugin \(plugin) stopped the host twice while its screens were being restored, and was left out. They are "
      + "kept, and come back with a version of it that works. \(reportText)"
  }
}
