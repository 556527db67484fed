import ArgumentParser
import GangwaySupervisor

/// `gangway open`: opens a link in a running app.
struct Open: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Leads a running app to where a link leads.",
    discussion: help(
      "Exit 1 where it leads nowhere, or a guard refuses; the person stays where they are then.",
      examples: [
        "gangway open gangway://clock/zones": "in the app that is running"
      ]))

  @Argument(help: "The link.", completion: Completion.links)
  var url: String

  @OptionGroup var running: RunningAppOptions

  @MainActor func run() async throws {
    let app = try running.app("open the link in")
    guard let answer = await app.ask(.open(url: url, session: running.session)) else {
      Locations.complain("gangway: \(app.silence)")
      throw ExitCode(1)
    }
    Locations.complain("gangway: in the app of process \(app.process): \(answer.text)")
    if !answer.isDone { throw ExitCode(1) }
  }
}
