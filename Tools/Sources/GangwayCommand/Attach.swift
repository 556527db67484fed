import ArgumentParser
@_spi(FrontEnd) import GangwayClient
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import GangwaySupervisor
import Glibc

/// `gangway attach`: shows a running session on another front end.
struct Attach: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Shows a running app on another front end. Both front ends see all actions.",
    discussion: help(
      "The app continues when this front end ends.",
      examples: [
        "gangway attach": "in this terminal",
        "gangway attach --frontend web --read-only": "in a browser, read-only",
        "gangway attach --session 8Kd0aPq --read-only": "a session of gangway serve",
      ]))

  @OptionGroup var running: RunningAppOptions

  @OptionGroup var shown: FrontEndOptions

  @Flag(name: .customLong("read-only"), help: "Watch only: actions on this front end change nothing.")
  var readOnly = false

  @MainActor func run() async throws {
    ProcessIO.ensureStandardDescriptors()
    try BrowserPart.have(for: shown)
    let app = try running.app(Words.Apps.attachPurpose)
    let frontEnd = try FrontEndRun(shown)
    let session: RemoteSession
    do {
      session = try await RemoteSession.attach(to: app, session: running.session, isReadOnly: readOnly)
    } catch {
      Locations.fail(error)
      throw ExitCode(1)
    }
    let signals = TerminationSignals.follow { number in if !frontEnd.stop(128 + number) { Glibc.exit(128 + number) } }
    defer { for source in signals { source.cancel() } }
    session.onEnd = { reason in if !frontEnd.stop(0, saying: "note: \(reason)") { Glibc.exit(0) } }
    let notice = readOnly ? Words.Apps.attachedReadOnly : Words.Apps.attached
    let code = try await frontEnd.show(session, [.init(.information, notice)], isStored: true)
    session.detach()
    throw ExitCode(code)
  }
}
