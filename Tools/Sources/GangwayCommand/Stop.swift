import ArgumentParser
@_spi(FrontEnd) import GangwaySupervisor
import Glibc

/// `gangway stop`: ends a running app.
struct Stop: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Ends a running app cleanly. Its session is stored, and the next start restores it.",
    discussion: help(
      examples: [
        "gangway stop": "the only running app",
        "gangway stop --process 4711": "one of several apps",
      ]))

  @Option(help: ArgumentHelp("The process ID of the app, if several apps are running.", valueName: "number"))
  var process: Int32?

  /// The longest wait for the end of the app, which itself waits 8 s at most.
  private static let patience: Duration = .seconds(15)

  func run() async throws {
    let app = try RunningAppOptions.app(process, Words.Apps.stopPurpose)
    guard kill(app.process, SIGTERM) == 0 else {
      Locations.fail(Words.Apps.notStopped(app.process, reason: String(cString: strerror(errno))))
      throw ExitCode(1)
    }
    let clock = ContinuousClock()
    let deadline = clock.now + Self.patience
    while app.isRunning {
      guard clock.now < deadline else {
        Locations.fail(Words.Apps.stopsSlowly(app.process))
        throw ExitCode(1)
      }
      try await Task.sleep(for: .milliseconds(20))
    }
    try Locations.result(Words.Apps.stopped(app.process) + "\n")
  }
}
