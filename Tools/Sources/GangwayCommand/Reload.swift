import ArgumentParser
import GangwaySupervisor

/// `gangway reload`: replaces a plugin of a running app.
struct Reload: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Replaces a plugin of a running app by its present file; the person stays on the screen they are on.",
    discussion: help(
      "If the new file does not come up, the old one stays, and the reason is said. Exit 1 then.",
      examples: [
        "gangway reload todos": "after it was built or copied"
      ]))

  @Argument(help: "The plugin's id.", completion: Completion.ids)
  var id: String

  @Option(help: ArgumentHelp("Only in the app of this process; by default in all that run.", valueName: "number"))
  var process: Int32?

  @MainActor func run() async throws {
    let apps = RunningApps(folder: Locations.sockets).apps.filter { process == nil || $0.process == process }
    guard !apps.isEmpty else {
      let which = process.map { " as process \($0)" } ?? ""
      Locations.complain(
        "gangway: no app of yours is running\(which), so there is nothing to reload. Start one: gangway run")
      throw ExitCode(1)
    }
    var isDone = true
    for app in apps {
      guard let answer = await app.ask(.reload(plugin: id)) else {
        Locations.complain("gangway: \(app.silence)")
        isDone = false
        continue
      }
      Locations.complain("gangway: in the app of process \(app.process): \(answer.text)")
      isDone = isDone && answer.isDone
    }
    if !isDone { throw ExitCode(1) }
  }
}
