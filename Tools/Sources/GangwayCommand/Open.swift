import ArgumentParser
@_spi(FrontEnd) import GangwaySupervisor

/// `gangway open`: opens a link in a running app.
struct Open: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Opens a link in a running app.",
    discussion: help(
      "Exit 1 if no screen has the link or a guard refuses; the user then stays on the same screen.",
      examples: [
        "gangway open gangway://clock/zones": "in the running app"
      ]))

  @Argument(help: "The link.", completion: Completion.links)
  var url: String

  @OptionGroup var running: RunningAppOptions

  @MainActor func run() async throws {
    let app = try running.app(Words.Apps.openPurpose)
    guard let answer = await app.open(url, session: running.session) else {
      Locations.complain("gangway: \(app.silence)")
      throw ExitCode(1)
    }
    Locations.complain("gangway: \(Words.Apps.answer(of: app.process, answer.text))")
    if !answer.isDone { throw ExitCode(1) }
  }
}
