@_spi(FrontEnd) import GangwayProtocol

extension Words {
  /// Messages for users about the end of a host.
  enum Crash {
    static let restarted = "The features were restarted."
    static let restartedAfterCrash = "The app restarted after a crash."
    static let nothingLost = "Nothing was lost."
    static let undoEnded = "Earlier actions can no longer be undone."
    static let elsewhere = "The app restarted after a crash. Work that was running here was stopped."
    static let tryAgain = "The app restarted. Try again."
    static let actionNotDone = "The app restarted after a crash. This action was not done."
    static let whileLoading =
      "A feature crashed while it was loading, so it is off now. Choose Try again on its screen."
    static let whileRestoring =
      "A feature crashed twice while its screens were being restored, so it is off now. Its screens are kept. "
      + "Choose Try again on one of these screens."
    static let causeKnown = "The app found the cause of the crash."

    static func notDone(_ event: String) -> String { "Not done: \(event)." }

    /// A front end may send the text again.
    static func checkInput(_ label: String) -> String { "Check '\(label)'." }

    static func notFinished(_ work: String) -> String { "Not finished: \(work)." }

    static func lost(_ event: String) -> String { "The app restarted after a crash. Not done: \(event)." }

    static func lostEdit(_ label: String) -> String { "\(restartedAfterCrash) \(checkInput(label))" }

    /// The sentence that follows the message about the crash.
    static func isOff(times: Int) -> String {
      "The feature crashed \(times) times within a minute, so it is off now. Choose Try again on its screen."
    }

    static func featureIsOff(times: Int) -> String {
      "A feature crashed \(times) times within a minute, so it is off now. Choose Try again on its screen."
    }

    static func waits(times: Int) -> String {
      "The app was stopped \(times) times while it restored a feature. The feature stays off until you choose "
        + "Try again on its screen."
    }

    static func cannotBeClosed(_ title: String) -> String {
      "'\(title)' could not be closed in two attempts, so it was removed."
    }

    static let someScreen = "The screen"
    static let someFeature = "a feature"

    // The search for a faulty feature.

    static let searching = "The app crashed several times. It restores its features one by one to find the faulty one."
    static let found = "The faulty feature was found, so it is off now. Choose Try again on its screen."
    static let notFound = "All features are back. The faulty one was not found."
    static let othersAreBack = "All other features are back."
    static let didNotComeBack = "A feature could not be restored. Choose Try again on its screen."
  }

  /// The facts about the end of a host, for developers.
  enum CrashFacts {
    static let killed = "Another process, or the system, killed the host."

    // The culprit is the plugin whose code was running, never the plugin of the event, which is no evidence.

    static func stoppedInWork(_ work: String, culprit: PluginID?, inUse: PluginID?) -> String {
      "\(subject(culprit)) during work\(use(inUse)). The work was started by \(work), and was not finished."
    }

    static func stoppedIdle(culprit: PluginID?) -> String {
      "\(subject(culprit)) while no event was being handled."
    }

    static func stoppedHandling(_ event: String, culprit: PluginID?, inUse: PluginID?) -> String {
      "\(subject(culprit)) while handling \(event)\(use(inUse)). The action was not repeated."
    }

    static func stoppedElsewhere(culprit: PluginID?) -> String { "\(subject(culprit)) in another session." }

    private static func subject(_ culprit: PluginID?) -> String {
      culprit.map { "The plugin \($0) stopped the host" } ?? "The host stopped"
    }

    private static func use(_ plugin: PluginID?) -> String { plugin.map { " (\($0) was in use)" } ?? "" }

    // The cause, as the end of a sentence.

    static let crashed = "it crashed"

    static func impossible(_ message: String) -> String { "it \(message), so it was killed" }

    static func hung(after limit: Duration) -> String { "it did not answer for \(limit.inSeconds), so it was killed" }

    static func exited(code: Int32) -> String { "it exited with code \(code)" }

    static func signaled(_ signal: Int32) -> String { "it was killed by signal \(signal)" }

    // The sentences around the facts.

    /// The end of the facts. Front ends read the path from there.
    static func report(_ path: String) -> String { "Report: \(path)" }

    static func cause(_ cause: String) -> String { "Cause: \(cause)." }

    static func isSetAside(_ plugin: PluginID, times: Int) -> String {
      "The plugin \(plugin) has now stopped the host \(times) times within a minute. The app "
        + "no longer loads it. To turn it on again, choose Try again on its screen, or run gangway reload."
    }

    static func whileLoading(_ file: String, isHung: Bool) -> String {
      "The host \(isHung ? "stopped responding" : "crashed") while loading \(file), so \(file) is "
        + "quarantined. Build it again and reload it, or choose Try again on its screen."
    }

    static func whileRestoring(_ plugin: PluginID) -> String {
      "The plugin \(plugin) crashed the host twice during the restore of its screens, so \(plugin) is quarantined. "
        + "The screens stay stored until a working version of \(plugin) restores them."
    }

    static func waits(_ feature: String, times: Int) -> String {
      "Another process, or the system, killed the host \(times) times in a row while the host restored "
        + "\(feature), which is now off. Choose Try again on its screen."
    }

    // The plugin that the crash report names.

    static func codeRan(_ plugin: PluginID, frame: String) -> String {
      "The host stopped while it was running code of the plugin \(plugin): \(frame)."
    }

    /// The sentence that follows the one about the plugin's code.
    static func isSetAside(times: Int) -> String {
      "The plugin has now stopped the host \(times) times within a minute. The app no longer loads it. "
        + "To turn it on again, choose Try again on its screen, or run gangway reload."
    }

    static func call(of function: String, at place: String) -> String { "\(function) at \(place)" }

    static func call(of function: String, in library: String) -> String { "\(function) in \(library)" }

    // The search for a faulty plugin.

    static func searching(times: Int, cause: String) -> String {
      "The host crashed \(times) times within a minute, and the faulty plugin is unknown (last "
        + "cause: \(cause)). The supervisor restores the plugins one by one to find the faulty one."
    }

    static func found(_ plugin: PluginID, cause: String, report: String) -> String {
      "The plugin \(plugin) stopped the host: \(cause). Without this plugin, the host stayed up. The plugin is "
        + "quarantined. Choose Try again on its screen, or reload it. Report: \(report)"
    }

    static func notFound(log: String) -> String {
      "All plugins are loaded again, and the host has not crashed since. Report: \(log)"
    }

    static func didNotComeBack(_ plugin: PluginID, reason: String) -> String {
      "The plugin \(plugin) could not be loaded again, and is quarantined: \(reason)"
    }
  }

  /// The reasons why a plugin is set aside, which its screens show.
  package enum SetAside {
    package static let search =
      "it is off while the app searches for a faulty feature. If this feature is not faulty, it comes back by itself"
    package static let crashedWhileLoading = "it crashed while it was loading"
    package static let didNotFinishLoading = "it did not finish loading"
    package static let crashedWhileRestoring = "it crashed twice while its screens were being restored"
    package static let culprit = "the app crashed each time this feature was loaded"

    package static func crashed(times: Int) -> String { "it crashed \(times) times within a minute" }

    package static func closedWhileLoading(times: Int) -> String {
      "the app was closed \(times) times while this feature was loading"
    }

    package static func closedWhileRestoring(times: Int) -> String {
      "the app was closed \(times) times while screens of this feature were being restored"
    }
  }

  /// The lines of the report on a crash.
  enum Report {
    static let plugins = "Plugins:"
    static let steps = "The steps in this host, oldest first:"
    static let recording =
      "The recording: replay it with `gangway replay THIS FILE`, or in a test with `FlowTester(replaying:)`."

    static func culprit(_ plugin: PluginID, frame: String) -> String { "In the plugin \(plugin): \(frame)" }

    static func uptime(_ uptime: String, cause: String) -> String {
      "The host had been running for \(uptime); \(cause)."
    }
  }
}
