import ArgumentParser
import GangwaySupervisor

/// The options that select a running app.
struct RunningAppOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The app of this process, where several are running.", valueName: "number"))
  var process: Int32?

  @Option(help: ArgumentHelp("A session of an app that serves many, by its name in the address.", valueName: "name"))
  var session: String?

  /// Returns the selected app.
  ///
  /// - Parameter purpose: the use of the app, as the end of a sentence.
  /// - Throws: the exit code 1, if no app is running, or if several are and none is named.
  func app(_ purpose: String) throws -> RunningApps.App {
    let apps = RunningApps(folder: Locations.sockets).apps
    let list = apps.map { "\($0.process)" }.joined(separator: ", ")
    if let process {
      guard let app = apps.first(where: { $0.process == process }) else {
        Locations.complain(
          "gangway: no app of yours is process \(process). "
            + (apps.isEmpty ? "None is running; start one: gangway run" : "Those that run: \(list)."))
        throw ExitCode(1)
      }
      return app
    }
    guard let app = apps.first else {
      Locations.complain(
        "gangway: no app of yours is running, so there is nothing to \(purpose). Start one: gangway run")
      throw ExitCode(1)
    }
    guard apps.count == 1 else {
      Locations.complain("gangway: \(apps.count) apps of yours are running: \(list). Name one with --process.")
      throw ExitCode(1)
    }
    return app
  }
}
