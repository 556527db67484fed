import ArgumentParser
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import GangwaySupervisor

/// `gangway reload`: replaces a plugin of a running app.
struct Reload: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Reloads a plugin of a running app from its current file; the user stays on the same screen.",
    discussion: help(
      "If the new file does not start, the old version keeps running. The command prints the reason and exits with 1.",
      examples: [
        "gangway reload todos": "after you build or replace its library"
      ]))

  @Argument(help: "The plugin's id.", completion: Completion.ids)
  var id: String

  @Option(
    help: ArgumentHelp(
      "Reload only in the app with this process id; by default, in all running apps.", valueName: "number"))
  var process: Int32?

  @MainActor func run() async throws {
    let apps = RunningApps(folder: Locations.sockets).apps.filter { process == nil || $0.process == process }
    guard !apps.isEmpty else {
      Locations.fail(Words.Apps.noneRunning(process: process))
      throw ExitCode(1)
    }
    var isDone = true
    for app in apps { isDone = try await Self.reload(PluginID(rawValue: id), in: app) && isDone }
    if !isDone { throw ExitCode(1) }
  }

  /// Reloads a plugin in a running app, and prints the result.
  ///
  /// - Returns: whether the app has the new version.
  /// - Throws: the exit code 1 if the result cannot be written.
  static func reload(_ id: PluginID, in app: RunningApps.App) async throws -> Bool {
    guard let answer = await app.reload(id) else {
      Locations.fail(app.silence)
      return false
    }
    let text = Words.Apps.answer(of: app.process, answer.text)
    if answer.isDone { try Locations.result(text + "\n") } else { Locations.fail(text) }
    return answer.isDone
  }
}
