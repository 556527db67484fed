import ArgumentParser
import GangwayClient
import GangwayProtocol
import GangwaySupervisor
import Glibc

/// `gangway attach`: shows a running session on another front end.
struct Attach: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Shows a running app on another front end; what is done on one of them, both see.",
    discussion: help(
      "The app goes on when this front end is left.",
      examples: [
        "gangway attach": "in this terminal",
        "gangway attach --frontend web --read-only": "in a browser, to look on",
        "gangway attach --session 8Kd0aPq --read-only": "one of the sessions of gangway serve",
      ]))

  @OptionGroup var running: RunningAppOptions

  @OptionGroup var shown: FrontEndOptions

  @Flag(name: .customLong("read-only"), help: "Look on: what is done here changes nothing.")
  var readOnly = false

  @MainActor func run() async throws {
    ProcessIO.ensureStandardDescriptors()
    try BrowserPart.have(for: shown)
    let app = try running.app("attach to")
    let frontEnd = try FrontEndRun(shown)
    let session: RemoteSession
    do {
      session = try await RemoteSession.attach(to: app, session: running.session, isReadOnly: readOnly)
    } catch {
      Locations.complain("gangway: \(error)")
      throw ExitCode(1)
    }
    let signals = TerminationSignals.follow { number in if !frontEnd.stop(128 + number) { Glibc.exit(128 + number) } }
    defer { for source in signals { source.cancel() } }
    session.onEnd = { reason in if !frontEnd.stop(0, saying: "gangway: \(reason)") { Glibc.exit(0) } }
    let notice =
      readOnly
      ? "You look on: what you do here changes nothing." : "Both front ends act: what one does, the other sees."
    let code = try await frontEnd.show(session, [.init(.information, notice)], isStored: true)
    session.detach()
    throw ExitCode(code)
  }
}
