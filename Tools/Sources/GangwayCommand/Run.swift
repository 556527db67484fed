import ArgumentParser
import GangwayClient
import GangwayHost
import GangwaySupervisor

/// `gangway run`: runs an app with its plugins under a supervisor.
struct Run: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Runs the app; when a feature crashes, the person stays on the screen they were on.",
    discussion: help(
      examples: [
        "gangway run": "with all plugins that are found",
        "gangway run --plugin clock --plugin ./libTodos.so": "with two alone, one of them a file",
        "gangway run --open gangway://clock/zones": "beginning somewhere",
        "gangway run --script journey.txt --fresh": "without a screen, by the commands of a file",
      ]))

  @OptionGroup var app: AppOptions

  @MainActor func run() async throws {
    ProcessIO.ensureStandardDescriptors()
    try BrowserPart.have(for: app.shown)
    try await AppRun(app, app.supervisorOptions).run()
  }
}
