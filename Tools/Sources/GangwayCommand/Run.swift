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
        "gangway run --detach": "in the background; then gangway attach, and gangway stop",
      ]))

  @OptionGroup var app: AppOptions

  @Flag(help: "Run in the background. 'gangway attach' shows the app, and 'gangway stop' ends it.")
  var detach = false

  /// Whether this is the background process.
  @Flag(name: .customLong(DetachedApp.ownOption), help: .hidden)
  var isDetached = false

  func validate() throws {
    if detach || isDetached, app.script != nil || app.shown.frontend != nil || app.shown.screenReader {
      throw ValidationError(Words.Usage.detachHasNoFrontEnd)
    }
  }

  @MainActor func run() async throws {
    ProcessIO.ensureStandardDescriptors()
    if detach { return try await DetachedApp.start() }
    try BrowserPart.have(for: app.shown)
    try await AppRun(app, app.supervisorOptions, isDetached: isDetached).run()
  }
}
