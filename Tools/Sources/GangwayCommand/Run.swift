import ArgumentParser
import GangwayClient
import GangwayHost
import GangwaySupervisor

/// `gangway run`: an application with its plugins, under a supervisor.
struct Run: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Runs the app; when a feature crashes, the person stays on the screen they were on.")

  @OptionGroup var app: AppOptions

  @MainActor func run() async throws {
    ProcessIO.ensureStandardDescriptors()
    try await AppRun(app, app.supervisorOptions).run()
  }
}
