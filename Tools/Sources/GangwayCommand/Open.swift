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
      Locations.fail(app.silence)
      throw ExitCode(1)
    }
    let text = Words.Apps.answer(of: app.process, answer.text)
    guard answer.isDone else {
      Locations.fail(text)
      throw ExitCode(1)
    }
    try Locations.result(text + "\n")
  }
}
