import ArgumentParser
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import GangwaySupervisor

/// The options that select a running app.
struct RunningAppOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The process ID of the app, if several apps are running.", valueName: "number"))
  var process: Int32?

  @Option(
    help: ArgumentHelp("A session of `gangway serve`, by its name in the URL.", valueName: "name"),
    transform: SessionID.init(rawValue:))
  var session: SessionID?

  /// Returns the selected app.
  ///
  /// - Parameter purpose: the use of the app, as the end of a sentence.
  /// - Throws: the exit code 1, if no app is running, or if several are and none is named.
  func app(_ purpose: String) throws -> RunningApps.App { try Self.app(process, purpose) }

  /// Returns an app by its process ID, or the only app.
  ///
  /// - Throws: as ``app(_:)``.
  static func app(_ process: Int32?, _ purpose: String) throws -> RunningApps.App {
    let apps = RunningApps(folder: Locations.sockets).apps
    let processes = apps.map(\.process)
    if let process {
      guard let app = apps.first(where: { $0.process == process }) else {
        Locations.fail(Words.Apps.notAnApp(process, running: processes))
        throw ExitCode(1)
      }
      return app
    }
    guard let app = apps.first else {
      Locations.fail(Words.Apps.noneRunning(purpose: purpose))
      throw ExitCode(1)
    }
    guard apps.count == 1 else {
      Locations.fail(Words.Apps.severalRunning(processes))
      throw ExitCode(1)
    }
    return app
  }
}
