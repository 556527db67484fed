import Foundation
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import TestSupport
import Testing

@_spi(FrontEnd) @testable import GangwaySupervisor

/// Host deaths without any evidence of their cause.
@MainActor @Suite struct CulpritSearchTests {
  private let workshop: Workshop

  init() throws { workshop = try Workshop() }

  @Test func afterThreeStopsAllComeBackOneByOne() {
    var search = CulpritSearch(minimumTrial: .seconds(2))
    let start = ContinuousClock.now
    #expect(search.noteStop(after: .seconds(1), loaded: ["a", "b"], at: start) == .nothing)
    #expect(search.noteStop(after: .seconds(5), loaded: ["a", "b"], at: start + .seconds(61)) == .nothing)
    #expect(search.noteStop(after: .seconds(1), loaded: ["a", "b"], at: start + .seconds(62)) == .nothing)
    #expect(search.noteStop(after: .seconds(1), loaded: ["a", "b"], at: start + .seconds(63)) == .begin(["a", "b"]))
    #expect(search.trial == .seconds(10))
    // A death of a host from before the search.
    #expect(search.noteStop(after: .seconds(1), loaded: ["a", "b"], at: start + .seconds(63)) == .nothing)
    #expect(search.next() == "a")
    search.begin("a")
    #expect(search.next() == "b")
    search.begin("b")
    #expect(
      search.noteStop(after: .seconds(1), loaded: [], inTrialOf: "b", at: start + .seconds(70)) == .found("b"))
    #expect(search.noteStop(after: .seconds(1), loaded: [], inTrialOf: "b", at: start + .seconds(70)) == .nothing)
    #expect(search.next() == nil)
    #expect(!search.isUnderWay)
    #expect(search.found == ["b"])
  }

  /// The report of a stop can be written so late that the next plugin is on trial.
  @Test func aStopThatIsKnownLateBlamesThePluginOfItsOwnTrial() {
    var search = CulpritSearch(minimumTrial: .seconds(2))
    for _ in 0..<3 { _ = search.noteStop(after: .seconds(1), loaded: ["a", "b"], at: .now) }
    #expect(search.next() == "a")
    search.begin("a")
    #expect(search.next() == "b")
    search.begin("b")
    #expect(search.noteStop(after: .seconds(1), loaded: [], inTrialOf: "a", at: .now) == .found("a"))
    #expect(search.noteStop(after: .seconds(1), loaded: [], inTrialOf: "a", at: .now) == .nothing)
    #expect(search.onTrial == "b")
    #expect(search.found == ["a"])
  }

  /// No event is being handled and no frame is a plugin's, so only trials with and without each plugin find the cause.
  @Test(arguments: ["exit(3)", "_exit(4)", "kill(getpid(), SIGTERM)"])
  func thePluginThatEndsHostsFromAThreadIsFoundAndTheOthersStay(_ end: String) async throws {
    let supervisor = try workshop.supervisor(
      [try await workshop.plugin("Leaver", Self.source(end)), "scenes"]
    ) { $0.trial = .seconds(1) }
    var told: [String] = []
    supervisor.onUpdate = { told += $0.notices.map(\.developerText) }
    _ = try await supervisor.start()
    try await eventually(within: .seconds(60)) { told.contains { $0.hasPrefix("The plugin leaver stopped the host:") } }
    let search = "The host crashed 3 times within a minute, and the faulty plugin is unknown (last cause: "
    #expect(told.contains { $0.hasPrefix(search) })
    try await eventually(within: .seconds(60)) { told.contains("All other features are back.") }
    try await eventually { supervisor.statuses["leaver"]?.state == .quarantined }
    try await supervisor.tab("Scenes")
    try await supervisor.type("kept", into: "Text")
    // The last trial may still replace the host. With the plugin, each host would end after 0.3 s.
    var (host, isSteady) = (supervisor.hostProcessID, false)
    for _ in 0..<10 where !isSteady {
      try await Task.sleep(for: .seconds(2))
      isSteady = supervisor.hostProcessID == host
      host = supervisor.hostProcessID
    }
    #expect(isSteady, "\(told)")
    #expect(supervisor.statuses["scenes"]?.state == .active)
    await supervisor.stop()
  }

  private static func source(_ end: String) -> String {
    """
    import Foundation
    import Gangway
    import Glibc
    final class Flow: StackCoordinator {
      enum Route: NavigationRoute { case start }
      let start = Route.start
      func destination(for route: Route) -> Destination { .screen { Leaving() } }
    }
    struct Leaving: Screen { var body: some Content { Text("Here") } }
    final class Leaver: Plugin {
      static let id = "leaver", version = "1.0.0"
      func register(in registry: Registrar) {
        registry.tab("main", title: "Leaver", order: -1) { _ in Flow() }
        Thread.detachNewThread {
          usleep(300_000)
          \(end)
        }
      }
    }
    @c(gangway_plugin) public func gangwayPlugin() -> UnsafeMutableRawPointer { exportPlugin(Leaver.self) }
    """
  }
}
