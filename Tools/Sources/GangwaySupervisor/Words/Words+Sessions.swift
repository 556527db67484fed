@_spi(FrontEnd) import GangwayProtocol

extension Words {
  /// Messages about a user's session.
  enum Session {
    static let closed = "The session has been closed."
    static let restoredPartly = "Your last session could not be restored completely."
    static let begunAgain = "A new session has begun. The app kept your previous session."
    static let partNotRestored = "Part of your session could not be restored."
    static let notOpened = "Your last session could not be opened. The app kept its file and began a new session."
    static let screensClosed = "The app closed all your screens."
    static let screensClosedAndKept =
      "The app closed all your screens, but kept a backup of them. The next start of the app deletes this backup."
    static let howToRestoreScreens =
      "A host removed every screen of the session. To restore them, close the app, and before you start it again, run: "
      + "gangway sessions restore"
    static let notStored = "Your latest changes could not be stored. Keep the app open."
    static let storedAgain = "Saving works again. All your changes are stored."

    static func tooManyActions(_ count: Int) -> String {
      "Too many actions are waiting (\(count)), so this one was not done. Try again in a moment."
    }

    static func inputTooLong(_ length: Int, limit: Int) -> String {
      "The input is too long (\(length) bytes; the maximum is \(limit)). Enter "
        + "less."
    }

    static func otherScreenInFront(_ front: String, now: String) -> String {
      "Not done: '\(front)' is no longer in front; '\(now)' is. Repeat the action if "
        + "it is meant for the current screen."
    }

    /// The name of an action in other messages.
    static func action(_ event: String, on label: String) -> String {
      event == "file" ? "choosing a file with '\(label)'" : "\(event) on '\(label)'"
    }

    static func progress(_ title: String, done: Int, of count: Int) -> String { "\(title) (\(done) of \(count))" }
  }

  /// The question about an app that does not answer.
  enum Question {
    static let wait = "Wait"
    static let restart = "Restart"
    static let restarting = "The features are being restarted."
    static let waiting = "Still waiting."

    static func title(_ plugin: PluginID?) -> String { "\(subject(plugin)) does not answer" }

    static func detail(_ event: String, for time: String) -> String {
      "It has been busy with \(event) for \(time). Choose Restart to stop it and restore this screen; "
        + "all other running work stops, too."
    }

    static func notice(_ plugin: PluginID?, _ event: String, for time: String) -> String {
      "\(subject(plugin)) has not responded for \(time) (\(event))."
    }

    static func answerFirst(_ title: String) -> String { "Answer '\(title)' first: choose Wait or Restart." }

    private static func subject(_ plugin: PluginID?) -> String { plugin.map { "The plugin \($0)" } ?? "The app" }
  }

  /// Messages about the reload of a plugin.
  enum Reload {
    static let notInFront = "The screen in front does not belong to a plugin. Name a plugin: gangway reload ID."
    static let noAnswer = "The app does not answer. Choose Wait or Restart, then reload again."
    static let endedMeanwhile = "The app restarted in the meantime. Reload again."
    static let noSession =
      "No session is running, so nothing was reloaded. The next session loads the plugin's current file."

    static func unknownPlugin(_ plugin: PluginID, nearest: String?, known: [String]) -> String {
      let question = nearest.map { " Did you mean '\($0)'?" } ?? ""
      return "There is no plugin '\(plugin)' in this app.\(question) Plugins: \(known.joined(separator: ", "))."
    }

    static func done(_ plugin: PluginID, version: String?) -> String {
      "The plugin \(plugin)\(version.map { " \($0)" } ?? "") was reloaded."
    }

    static func done(inHosts count: Int, _ text: String) -> String { "In \(count) hosts: \(text)" }

    /// Front ends read the path of the report from the end.
    static func failed(_ plugin: PluginID, reason: String, report: String?) -> String {
      let stop = reason.last.map { ".!?".contains($0) } == true ? "" : "."
      let path = report.map { " Report: \($0)" } ?? ""
      return "The plugin \(plugin) was not reloaded: \(reason)\(stop) The previous version keeps running.\(path)"
    }

    // The reasons.

    static let fileIsGone = "its file is gone"

    static func didNotStart(within time: String, loading file: String?) -> String {
      "the new host did not start within \(time)\(file.map { " (it was loading '\($0)')" } ?? "")"
    }

    static func stopped(loading file: String?) -> String {
      "the new host stopped\(file.map { " while it was loading '\($0)'" } ?? "")"
    }

    static func unreadable(_ reason: String) -> String { "the new host sent an invalid message: \(reason)" }
  }

  /// Messages about recordings and their replay.
  enum Recorded {
    static func unreadable(_ file: String) -> String { "The recording '\(file)' could not be read." }

    static func invalid(_ file: String, reason: String) -> String { "'\(file)' \(reason)." }

    static func notAFile(_ file: String, kind: String) -> String {
      "The recording '\(file)' is \(kind), not a file. Name a regular file or a new one."
    }

    static func unwritable(_ file: String, reason: String) -> String {
      "The recording '\(file)' could not be written: \(reason)."
    }

    static func notEmptied(_ file: String) -> String {
      "The recording '\(file)' could not be emptied. Name another file."
    }

    static func stopped(_ file: String, reason: String) -> String {
      "The recording '\(file)' was stopped: \(reason)."
    }

    // The moments of a replay, as parts of the sentences below.

    static let start = "the start"
    static let restart = "a restart"

    static func event(_ number: Int, _ name: String) -> String { "event \(number), \(name)" }

    static func differs(after moment: String, _ difference: String) -> String { "After \(moment): \(difference)" }

    static func ended(before moment: String, _ end: String) -> String { "Before \(moment): \(end)" }

    static func didNotFail(after moment: String, recorded failure: String) -> String {
      "The replay did not fail after \(moment), but the recorded run failed there: \(failure)"
    }

    static func doesNotFit(_ moment: String, _ problem: String) -> String {
      "Before \(moment): \(problem). The replay stopped before this step."
    }

    static func elementMissing(_ label: String, on screen: String) -> String {
      "'\(label)' is not on the screen. The screen shows:\n\(screen)\n(end of the screen)"
    }

    static func failedOtherwise(_ end: String, recorded failure: String) -> String {
      "The replay failed in another way: \(end)\nThe recording ended with: \(failure)"
    }

    static func otherMessage(_ recorded: String, found: String?) -> String {
      "The replay crashed with another message.\n  recorded: \(recorded)\n  replay:   \(found ?? "no message")"
    }

    static func otherCall(_ recorded: String, found: String?) -> String {
      "The replay crashed at another line.\n  recorded: \(recorded)\n  replay:   \(found ?? "not known")"
    }

    static func noReport(_ end: String) -> String {
      "The replay crashed, but its report could not be read, so the message and the line were not compared: \(end)"
    }

    static let noDifference = "nothing differs."

    static func difference(at node: NodeID, recorded: String?, found: String?) -> String {
      "node \(node) was recorded as \(recorded ?? nothing), but is \(found ?? nothing)."
    }

    private static let nothing = "nothing"
  }
}
