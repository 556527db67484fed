@_spi(FrontEnd) import GangwayProtocol
import Foundation
@_spi(FrontEnd) import TestSupport
import Testing

@_spi(FrontEnd) @testable import GangwaySupervisor

/// Hosts that die while they load a plugin or restore its screens; only deaths in a row count.
@MainActor @Suite struct BringingBackTests {
  private let workshop: Workshop

  init() throws { workshop = try Workshop() }

  /// Two deaths at the same place count only in a row; between these two, a restore succeeds.
  @Test func whatCameBackInBetweenIsNotCountedAgain() async throws {
    let held = workshop.path("held")
    let plugin = try await workshop.plugin(
      "Slow", Self.slowSource("while access(\"\(held)\", F_OK) == 0 { usleep(1000) }"))
    let supervisor = try workshop.supervisor([plugin, "scenes"]) { $0.keepsSpare = false }
    _ = try await supervisor.start()
    try await supervisor.shows("All is calm")
    let line = try #require(supervisor.keeper.line as? HostLine)
    for _ in 1...3 {
      try Data().write(to: URL(fileURLWithPath: held))
      kill(try #require(supervisor.hostProcessID), SIGKILL)
      try await eventually { line.incident.restoring?.plugin == "slow" }
      try FileManager.default.removeItem(atPath: held)
      // The kill comes before the restore continues or just after; the next restore must succeed.
      kill(try #require(supervisor.hostProcessID), SIGKILL)
      try await eventually { supervisor.keeper.isShown && line.incident.isUp }
      try await supervisor.shows("All is calm")
    }
    #expect(supervisor.pool.ledger.quarantined.isEmpty, "\(supervisor.pool.ledger.quarantined)")
    await supervisor.stop()
  }

  /// A slow library is restored after the session is shown, and the system may kill the host for what the library does
  /// then.
  ///
  /// There is no report and no event, so the restarts would never end. No plugin gets the blame, but the app continues
  /// without this one.
  @Test(arguments: [300_000, 2_300_000])
  func whatIsBroughtBackLateAndEndsTheHostEachTimeIsSetAside(microseconds: Int) async throws {
    let deadly = workshop.path("deadly")
    try await delay(microseconds)
    let plugin = try await workshop.plugin(
      "Slow", Self.slowSource("if access(\"\(deadly)\", F_OK) == 0 { kill(getpid(), SIGKILL) }"), libraries: ["Stone"])
    let supervisor = try workshop.supervisor([plugin, "scenes"]) { $0.keepsSpare = false }
    _ = try await supervisor.start()
    try await supervisor.shows("All is calm")
    try Data().write(to: URL(fileURLWithPath: deadly))
    kill(try #require(supervisor.hostProcessID), SIGKILL)
    try await supervisor.shows("'Slow' is not available.", within: .seconds(60))
    try await supervisor.showsUnavailable(
      "Slow", because: "the app was closed 4 times while screens of this feature were being restored")
    try await eventually { supervisor.statuses["slow"]?.state == .quarantined }
    await supervisor.stop()
  }

  /// The library may be loaded after its placeholder was announced and before the first update, which restores nothing.
  /// The host before had it loaded, which says nothing of this host.
  @Test func anUpdateWithAPlaceholderForgivesNoDeaths() {
    var incident = Incident(restoreDeaths: ["main": [2: .init(own: 0, kills: 3)]])
    incident.willRestore(2, of: "main", plugin: "slow")
    incident.note("slow", isLoaded: true)
    incident.didUpdate("main")
    #expect(incident.restoring == nil)
    #expect(incident.restoreDeaths["main"]?[2]?.kills == 3)
    // An update of another session says nothing of this one.
    incident.willRestore(2, of: "main", plugin: "slow")
    incident.didUpdate("other")
    #expect(incident.restoring?.node == 2 && incident.restoreDeaths["main"]?[2]?.kills == 3)
    incident.didUpdate("main")
    #expect(incident.restoring == nil && incident.restoreDeaths["main"]?[2] == nil)
    // The next host begins without loaded plugins.
    #expect(Incident(restoreDeaths: incident.restoreDeaths, failedStarts: 1).loaded.isEmpty)
  }

  private func delay(_ microseconds: Int) async throws {
    try await workshop.constructor("Stone", "if (!getenv(\"GANGWAY_PROBE_PROCESSES\")) usleep(\(microseconds));")
  }

  /// The placeholder of a loading plugin would replace the field that the user was typing in.
  @Test func whatThePersonWasAtStaysOnTheScreenUntilItIsBack() async throws {
    try await delay(500_000)
    let plugin = try await workshop.plugin("Slow", Self.slowSource(""), libraries: ["Stone"])
    let supervisor = try workshop.supervisor([plugin, "scenes"]) { $0.keepsSpare = false }
    _ = try await supervisor.start()
    try await supervisor.shows("All is calm")
    var shown: [String] = []
    supervisor.onUpdate = { [unowned supervisor] _ in shown.append(supervisor.presentation.plainText) }
    let host = try #require(supervisor.hostProcessID)
    kill(host, SIGKILL)
    try await eventually { supervisor.keeper.isShown && supervisor.hostProcessID != host && !shown.isEmpty }
    try await supervisor.shows("All is calm")
    #expect(shown.allSatisfy { $0.contains("All is calm") }, "\(shown)")
    await supervisor.stop()
  }

  /// Returns the source of a flow whose creation runs some code.
  private static func slowSource(_ making: String) -> String {
    """
    import Gangway
    import Glibc
    final class Slow: StackCoordinator {
      enum Route: NavigationRoute { case start }
      let start = Route.start
      init() { \(making) }
      func destination(for route: Route) -> Destination { .screen { Calm() } }
    }
    struct Calm: Screen { var body: some Content { Text("All is calm") } }
    final class SlowPlugin: Plugin {
      static let id = "slow", version = "1.0.0"
      func register(in registry: Registrar) { registry.tab("main", title: "Slow", order: -1) { _ in Slow() } }
    }
    @c(gangway_plugin) public func gangwayPlugin() -> UnsafeMutableRawPointer { exportPlugin(SlowPlugin.self) }
    """
  }

  @Test func aLoadThatSucceededInBetweenIsNotCountedAgain() {
    let ledger = PluginLedger(isSafe: false)
    #expect(ledger.countKill(whileLoading: "/a.so") == 1)
    #expect(ledger.countKill(whileLoading: "/a.so") == 2)
    ledger.note(.init(.active, id: "a", version: "1", file: "/a.so"))
    #expect(ledger.countKill(whileLoading: "/a.so") == 1)
  }
}
