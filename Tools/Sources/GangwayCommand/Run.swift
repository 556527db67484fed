import ArgumentParser
@_spi(FrontEnd) import GangwayClient
@_spi(FrontEnd) import GangwayHost
@_spi(FrontEnd) import GangwaySupervisor

/// `gangway run`: runs an app with its plugins under a supervisor.
struct Run: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Runs the app; when a feature crashes, the user stays on the same screen.",
    discussion: help(
      examples: [
        "gangway run": "with all plugins",
        "gangway run --plugin clock --plugin ./libTodos.so": "with two plugins, one of them a file",
        "gangway run --open gangway://clock/zones": "starting at a link",
        "gangway run --script journey.txt --fresh": "without a screen, with commands from a file",
      ]))

  @OptionGroup var app: AppOptions

  @MainActor func run() async throws {
    ProcessIO.ensureStandardDescriptors()
    try BrowserPart.have(for: app.shown)
    try await AppRun(app, app.supervisorOptions).run()
  }
}
