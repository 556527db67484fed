import Foundation
@_spi(FrontEnd) import GangwayClient
@_spi(FrontEnd) import GangwayProtocol
import Subprocess
import SystemPackage
@_spi(FrontEnd) import TestSupport
import Testing

@_spi(FrontEnd) @testable import GangwaySupervisor

/// The journey from Blither over Account to Todos and back: in a host, with a supervisor, and with a kill after every
/// step.
///
/// Examples/Journeys makes the journey in one process, and `RealTerminalTests` in the terminal.
@MainActor @Suite struct JourneyTests {
  private let workshop: Workshop
  private let plugins = ["account", "blither", "todos"]

  init() throws { workshop = try Workshop() }

  @Test func aHostAloneMakesTheJourney() async throws {
    let result = try await Subprocess.run(
      .path(FilePath(Workshop.built + "/gangway-host")),
      arguments: Arguments(plugins.flatMap { ["--plugin", $0] } + ["--script", Workshop.journey("rematch")]),
      environment: .inherit.updating(["XDG_DATA_HOME": workshop.path("data"), "XDG_CACHE_HOME": Workshop.caches]),
      output: .string(limit: 1 << 20), error: .string(limit: 1 << 20))
    guard case .exited(0) = result.terminationStatus else {
      Issue.record("\(result.terminationStatus): \(result.standardError)")
      return
    }
  }

  /// Each feature runs the script of its own isolated tests.
  @Test(arguments: ["Account", "Files", "Monitor", "Shapes", "Todos"])
  func theScriptOfAFeatureRunsInAHost(_ plugin: String) async throws {
    var script = try String(contentsOfFile: Workshop.script(plugin, plugin.lowercased() + ".txt"), encoding: .utf8)
    // The isolated test of Todos needs no signed-in user.
    if plugin == "Todos" {
      script = try String(contentsOfFile: Workshop.script("Account", "account.txt"), encoding: .utf8) + "\n" + script
    }
    let arguments = ["--plugin", plugin.lowercased()] + (plugin == "Todos" ? ["--plugin", "account"] : [])
    let result = try await workshop.gangway(["run"] + arguments + ["--script", "-"], input: script)
    #expect(result.code == 0, "\(result.errors)")
  }

  @Test func theCommandMakesTheJourney() async throws {
    let arguments = plugins.flatMap { ["--plugin", $0] } + ["--script", Workshop.journey("rematch")]
    let result = try await workshop.gangway(["run"] + arguments)
    #expect(result.code == 0, "\(result.errors)")
  }

  /// Checkpoints contain no secrets. After a kill, secrets must be typed again, so the lines that type them are one
  /// step.
  @Test func theHostIsKilledAfterEveryStep() async throws {
    let script = try String(contentsOfFile: Workshop.journey("rematch"), encoding: .utf8)
    let supervisor = try workshop.supervisor(plugins)
    _ = try await supervisor.start()
    var isSecret = false
    var kills = 0
    for line in script.split(separator: "\n") where !line.hasPrefix("#") {
      var complaints: [String] = []
      let (lines, input) = AsyncStream.makeStream(of: String.self)
      input.yield(String(line))
      input.finish()
      let frontEnd = PlainFrontEnd(supervisor, isScript: true, write: { _ in }, complain: { complaints.append($0) })
      try #require(await frontEnd.run(lines) == 0, "\(line): \(complaints)")
      if line.hasPrefix("set Password") { isSecret = true }
      if line == "tap Sign in" { isSecret = false }
      if isSecret { continue }
      // The work of a press has ended, or waits for the next event.
      while supervisor.pending.contains(where: { $0.event != nil && $0.isWaiting != true }) {
        try await Task.sleep(for: .milliseconds(10))
      }
      // Values that a feature observes, such as the number of its todos, arrive a moment later.
      var seen = Self.text(supervisor)
      var still = 0
      while still < 20 {
        try await Task.sleep(for: .milliseconds(10))
        let now = Self.text(supervisor)
        still = now == seen ? still + 1 : 0
        seen = now
      }
      let host = try #require(supervisor.hostProcessID)
      await supervisor.nextStart { kill(host, SIGKILL) }
      kills += 1
      // A feature's reload of data takes a moment, but the user's place is restored at once.
      #expect(supervisor.presentation.path.map(\.title).first == seen.first, "\(line)")
      let patience = Patience(.seconds(20))
      while Self.text(supervisor) != seen, !patience.hasEnded {
        try await Task.sleep(for: .milliseconds(10))
      }
      #expect(Self.text(supervisor) == seen, "\(line)")
    }
    #expect(kills > 22)
    await supervisor.stop()
  }

  /// Returns the path and the content of the screen.
  private static func text(_ supervisor: Supervisor) -> [String] {
    supervisor.presentation.path.map(\.title) + [supervisor.presentation.plainText]
  }
}
