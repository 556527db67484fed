extension Words {
  /// Messages about running apps.
  enum Apps {
    // The ends of the sentence about a missing app.
    static let attachPurpose = "attach"
    static let openPurpose = "open the link"
    static let stopPurpose = "stop"

    static func noneRunning(purpose: String) -> String {
      "none of your apps is running, so gangway cannot \(purpose). Start one: gangway run"
    }

    static let none = "None of your apps is running. Start one: gangway run"
    static let header = ["PROCESS", "SINCE", "SESSIONS", "FRONT ENDS", "SCREEN"]
    static let silent = "does not answer"

    static func noneRunning(process: Int32?) -> String {
      "none of your apps is running\(process.map { " as process \($0)" } ?? ""). Start one: gangway run"
    }

    static func severalRunning(_ processes: [Int32]) -> String {
      "\(processes.count) of your apps are running: \(list(processes)). Name one with --process."
    }

    static func notAnApp(_ process: Int32, running: [Int32]) -> String {
      "process \(process) is not one of your apps. "
        + (running.isEmpty ? "No app of yours is running; start one: gangway run" : "Running apps: \(list(running)).")
    }

    static func answer(of process: Int32, _ text: String) -> String { "in the app of process \(process): \(text)" }

    static func detached(_ process: Int32) -> String {
      "The app runs in the background as process \(process). Show it: gangway attach. End it: gangway stop"
    }

    static func notDetached(reason: String) -> String { "the app could not be started in the background: \(reason)" }

    static func startsSlowly(_ process: Int32, log: String) -> String {
      "the app (process \(process)) does not answer yet. It keeps running. Its messages are in '\(log)'."
    }

    static func stopped(_ process: Int32) -> String {
      "The app (process \(process)) has ended. The next start restores its session."
    }

    static func notStopped(_ process: Int32, reason: String) -> String {
      "the app (process \(process)) could not be ended: \(reason)"
    }

    static func stopsSlowly(_ process: Int32) -> String {
      "the app (process \(process)) is still running. Try again, or end it with kill -9 \(process)."
    }

    static let attachedReadOnly = "You see the app, but cannot control it."
    static let attached = "You control the app, together with its other front ends."

    static func terminalUnusable(reason: String) -> String {
      "the terminal cannot be used (\(reason)). The plain front end is used instead."
    }

    static func serverDidNotStart(_ file: String, reason: String) -> String {
      "the web server '\(file)' could not be started: \(reason). In a checkout, run script/build."
    }

    private static func list(_ processes: [Int32]) -> String {
      processes.map { "\($0)" }.joined(separator: ", ")
    }
  }

  /// Messages about kept sessions.
  enum Sessions {
    static let noneToList = "No session has a backup."
    static let noneToRestore = "no session has a backup"
    static let unreadable = "unreadable"

    static func screens(_ count: Int) -> String { "\(count) \(count == 1 ? "screen" : "screens")" }

    static func noCopy(of file: String) -> String { "'\(file)' has no backup. List the backups: gangway sessions" }

    static func several(_ paths: [String]) -> String {
      "\(paths.count) sessions have backups\nhint: name one:" + paths.map { "\n  \($0)" }.joined()
    }

    static func restored(_ path: String, former: String?) -> String {
      "The session '\(path)' was restored. The next start of its app opens it."
        + (former.map { " Its previous state is in '\($0)'." } ?? "")
    }
  }

  /// The results of a replay.
  enum Replaying {
    static func same(events: Int) -> String {
      "\(events) \(events == 1 ? "event" : "events"): after each event, the tree equals the tree in the recording."
    }

    static func failedAsRecorded(events: Int, _ text: String) -> String {
      "\(events) \(events == 1 ? "event" : "events"): the replay fails as recorded: \(text)"
    }

    static let noStep = "The recording has no step, so there is nothing to replay."

    static let withoutData =
      "A recording does not contain the features' data. If the screens show such data, pass --data with a copy of it."

    static func dataNotCopied(_ folder: String, reason: String) -> String {
      "The data in '\(folder)' could not be copied: \(reason)"
    }
  }

  /// Messages about packages that are built while their app runs.
  enum Development {
    static func building(_ name: String) -> String { "Building \(name) …" }

    static func building(_ name: String, done: Int, of count: Int) -> String {
      "Building \(name) … \(done) of \(count)"
    }

    /// The text beside the bar of the progress.
    static func progress(_ name: String) -> String { "Building \(name)" }

    // The failures, to print after the package's name.
    static let doesNotBuild = "does not build"
    static let isNotAPlugin = "is not a plugin"
    static let isNotInstalled = "could not be installed"

    static func nothingRuns(_ name: String, _ failure: String) -> String {
      "\(name) \(failure); no version of it is running."
    }

    static func previousRuns(_ name: String, _ failure: String) -> String {
      "\(name) \(failure); the previous version keeps running."
    }

    static func buildsAfterChange(_ name: String, _ failure: String) -> String {
      "\(name) \(failure); it is built again after the next change."
    }

    static func more(_ count: Int) -> String { "… and \(count) more" }

    static func noFolder(_ path: String) -> String {
      "'\(path)' does not exist. Name the folder of a plugin's package; `gangway new` creates one."
    }

    static func noPackage(_ path: String) -> String {
      "'\(path)' has no Package.swift. Name the folder of a plugin's package; `gangway new` creates one."
    }

    static func noBuildFolder(_ output: String) -> String { "SwiftPM printed no build folder: \(output)" }

    static func noDynamicProduct(_ path: String, name: String) -> String {
      "\(path) has no dynamic library product. Add "
        + ".library(name: \"\(name)\", type: .dynamic, …)."
    }

    static func noEntry(_ library: String) -> String {
      "\(library) exports no 'gangway_plugin'. Add the entry function: @c(gangway_plugin) public func …; "
        + "`gangway new` creates a package with such a function."
    }

    static func unwritable(_ library: String, reason: String) -> String {
      "'\(library)' could not be written: \(reason)"
    }

    static func compilerDidNotStart(reason: String) -> String {
      "swift did not start: \(reason). Install Swift 6.3 or later: https://www.swift.org/install"
    }
  }
}
