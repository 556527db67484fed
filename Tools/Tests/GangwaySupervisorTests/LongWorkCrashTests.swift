import Foundation
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import TestSupport
import Testing

@_spi(FrontEnd) @testable import GangwaySupervisor

/// Long work whose host ends: the user reads that it was not finished, and a script fails.
@MainActor @Suite struct LongWorkCrashTests {
  private let workshop: Workshop

  init() throws { workshop = try Workshop() }

  @Test(arguments: ["Crash", "Kill"]) func aScriptFailsWithTheWorkThatWasNotFinished(_ end: String) async throws {
    let result = try await workshop.gangway(
      ["run", "--plugin", try await workshop.plugin("Packer", Self.source), "--script", "-"],
      input: "start \(end)\nwait 3\nscreen\n")
    #expect(result.code == 1, "\(result.output)")
    #expect(result.errors.hasPrefix("line 2: "), "\(result.errors)")
    #expect(result.errors.contains("Not finished: tap on '\(end)'."), "\(result.errors)")
    #expect(!result.errors.contains("Nothing was lost"), "\(result.errors)")
  }

  @Test func theUserReadsThatTheWorkWasNotFinished() async throws {
    let supervisor = try workshop.supervisor([try await workshop.plugin("Packer", Self.source)])
    _ = try await supervisor.start()
    var said: [String] = []
    supervisor.onUpdate = { said += $0.notices.map(\.text) }
    try await supervisor.tap("Kill")
    try await eventually { said.contains { $0.contains("Not finished: tap on 'Kill'.") } }
    #expect(!said.joined().contains("Nothing was lost"), "\(said)")
    // The work is not running in the next host, so it can begin again.
    try await supervisor.shows("Kill")
    await supervisor.stop()
  }

  private static let source = """
    import Gangway
    import Glibc

    final class Packing: StackCoordinator {
      enum Route: NavigationRoute { case box }
      let start = Route.box
      let crash = Work(), kill = Work()
      func destination(for route: Route) -> Destination {
        .screen { [crash, kill] router in Box(crash: crash, kill: kill, router: router) }
      }
    }
    struct Box: Screen {
      let crash: Work, kill: Work, router: Router<Packing>
      var body: some Content {
        Button("Crash") {
          try router.start(crash) { _ in
            try await Task.sleep(for: .milliseconds(700))
            fatalError("the box is torn")
          }
        }
        Button("Kill") {
          try router.start(kill) { _ in
            try await Task.sleep(for: .milliseconds(700))
            Glibc.kill(getpid(), SIGKILL)
            return nil
          }
        }
        Progress("Crashing", work: crash)
        Progress("Killing", work: kill)
      }
    }
    final class PackerPlugin: Plugin {
      static let id = "packer", version = "1.0.0"
      func register(in registry: Registrar) { registry.tab("main", title: "Packer") { _ in Packing() } }
    }
    @c(gangway_plugin) public func gangwayPlugin() -> UnsafeMutableRawPointer { exportPlugin(PackerPlugin.self) }
    """
}
