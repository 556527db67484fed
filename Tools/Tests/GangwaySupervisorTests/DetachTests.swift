import Foundation
import Glibc
@_spi(FrontEnd) import TestSupport
import Testing

@_spi(FrontEnd) @testable import GangwaySupervisor

/// An app in the background, which other commands show and end.
@MainActor @Suite struct DetachTests {
  private let workshop: Workshop

  init() throws { workshop = try Workshop() }

  private var apps: [RunningApps.App] { RunningApps(folder: workshop.path("state/gangway/run")).apps }

  @Test func anAppRunsInTheBackgroundUntilItIsStopped() async throws {
    let started = try await workshop.gangway(["run", "--detach", "--plugin", "scenes"])
    #expect(started.code == 0, "\(started)")
    let app = try #require(apps.first)
    #expect(started.output.contains("as process \(app.process)."), "\(started)")
    defer { kill(app.process, SIGKILL) }
    // It has a session of its own, so the end of the terminal does not reach it.
    #expect(getsid(app.process) == app.process)
    let script = "set Text = typed\nexpect Text: [typed]\n"
    let attached = try await workshop.gangway(["attach", "--frontend", "plain"], input: script)
    #expect(attached.code == 0, "\(attached)")
    #expect(app.isRunning && apps.count == 1)
    let stopped = try await workshop.gangway(["stop"])
    #expect(stopped.code == 0 && stopped.output.contains("(process \(app.process)) has ended."), "\(stopped)")
    #expect(!app.isRunning && apps.isEmpty)
    // The next start restores the session.
    let again = try await workshop.gangway(["run", "--detach", "--plugin", "scenes"])
    #expect(again.code == 0, "\(again)")
    let screen = try await workshop.gangway(["attach", "--frontend", "plain"], input: "expect Text: [typed]\n")
    #expect(screen.code == 0, "\(screen)")
    #expect(try await workshop.gangway(["stop"]).code == 0)
  }

  @Test func whatCannotRunInTheBackgroundSaysWhy() async throws {
    let script = try await workshop.gangway(["run", "--detach", "--script", "-"])
    #expect(script.code == 64 && script.errors.contains("without a front end"), "\(script)")
    let unknown = try await workshop.gangway(["run", "--detach", "--plugins-dir", workshop.path("nope")])
    #expect(unknown.code != 0 && unknown.errors.contains("could not be read"), "\(unknown)")
    #expect(apps.isEmpty)
    // A link that nothing opens is reported, although the app runs.
    let lost = try await workshop.gangway(["run", "--detach", "--plugin", "scenes", "--open", "gangway://nowhere"])
    #expect(lost.code == 0 && lost.errors.contains("gangway://nowhere"), "\(lost)")
    #expect(try await workshop.gangway(["stop"]).code == 0)
    let none = try await workshop.gangway(["stop"])
    #expect(none.code == 1 && none.errors.hasPrefix("error: none of your apps is running"), "\(none)")
  }
}
