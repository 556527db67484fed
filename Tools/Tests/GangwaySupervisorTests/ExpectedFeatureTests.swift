import Foundation
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import TestSupport
import Testing

@_spi(FrontEnd) @testable import GangwaySupervisor

/// Features that arrive while the app runs: `tabs.expected` of the configuration.
@MainActor @Suite struct ExpectedFeatureTests {
  private let workshop: Workshop

  init() throws {
    workshop = try Workshop()
    try FileManager.default.createDirectory(atPath: workshop.path("plugins"), withIntermediateDirectories: true)
    try """
    {"tabs": {
      "order": ["scenes.main", "late.main"],
      "expected": [
        {"tab": "late.main", "title": "Late", "text": "Building Late"},
        {"tab": "scenes.main", "title": "Never shown"}
      ]
    }}
    """.write(toFile: workshop.path("app.json"), atomically: true, encoding: .utf8)
  }

  private func start(_ change: (inout SupervisorOptions) -> Void = { _ in }) async throws -> Supervisor {
    let supervisor = try workshop.supervisor([]) {
      $0.launch.folders = [workshop.path("plugins")]
      change(&$0)
      $0.launch.configuration = workshop.path("app.json")
    }
    let notices = try await supervisor.start()
    #expect(!notices.contains { $0.text.contains("late") }, "\(notices)")
    await supervisor.listed()
    return supervisor
  }

  private func build() async throws {
    let built = try await workshop.plugin(
      "Late",
      """
      import Gangway
      struct LateScreen: Screen { var body: some Content { Text("Here at last") } }
      final class Late: StackCoordinator {
        enum Route: NavigationRoute { case start }
        let start = Route.start
        func destination(for route: Route) -> Destination { .screen { _ in LateScreen() } }
      }
      final class LatePlugin: Plugin {
        static let id = "late", version = "1.0.0"
        func register(in registry: Registrar) { registry.tab("main", title: "Late") { _ in Late() } }
      }
      @c(gangway_plugin) public func gangwayPlugin() -> UnsafeMutableRawPointer { exportPlugin(LatePlugin.self) }
      """)
    try FileManager.default.moveItem(atPath: built, toPath: workshop.path("plugins/libLate.so"))
  }

  private func titles(_ supervisor: Supervisor) -> [String] {
    supervisor.presentation.tabBars.first?.map(\.title) ?? []
  }

  @Test func itsTabSaysThatItComesAndThenItIsThere() async throws {
    let supervisor = try await start()
    #expect(titles(supervisor).prefix(2) == ["Scenes", "Late"], "\(titles(supervisor))")
    #expect(titles(supervisor).filter { $0 == "Scenes" }.count == 1)
    try await supervisor.type("typed", into: "Text")
    try await supervisor.tab("Late")
    try await supervisor.shows("Building Late")
    let elements = supervisor.presentation.layers.last?.elements ?? []
    #expect(elements.map(\.kind) == [.progress], "Nobody can try again: \(elements)")
    try await build()
    #expect(try await supervisor.reload("late") == "The plugin late 1.0.0 was reloaded.")
    try await supervisor.shows("Here at last")
    try await supervisor.tab("Scenes")
    try await supervisor.shows("typed")
    await supervisor.stop()
  }

  /// Reloading a feature that has not arrived fails with a message, and changes nothing.
  @Test func aReloadBeforeItIsThereIsRefused() async throws {
    let supervisor = try await start()
    let host = supervisor.hostProcessID
    let failure = await #expect(throws: SupervisorFailure.self) { _ = try await supervisor.reload("late") }
    #expect(
      failure?.description == "The plugin late was not reloaded: Building Late. The previous version keeps running.")
    #expect(supervisor.hostProcessID == host)
    try await supervisor.tab("Late")
    try await supervisor.shows("Building Late")
    await supervisor.stop()
  }

  /// A spare host that started before the feature arrived does not know it, and must not take over.
  @Test func aCrashDoesNotTakeAFeatureAwayThatHasCome() async throws {
    let supervisor = try await start {
      $0.keepsSpare = true
      $0.spareDelay = .zero
      $0.launch.folders = []
      $0.environment["GANGWAY_PLUGIN_PATH"] = workshop.path("plugins")
    }
    try await supervisor.tab("Late")
    try await eventually { supervisor.pool.spareProcessID != nil }
    try await build()
    let host = try #require(supervisor.hostProcessID)
    await supervisor.nextStart { kill(host, SIGKILL) }
    try await supervisor.shows("Here at last")
    await supervisor.stop()
  }

  /// A restart before the feature arrives keeps its placeholder.
  @Test func itIsExpectedByTheNextHostToo() async throws {
    let supervisor = try await start()
    try await supervisor.tab("Late")
    try await supervisor.restart()
    try await supervisor.shows("Building Late")
    try await build()
    try await supervisor.restart()
    try await supervisor.shows("Here at last")
    await supervisor.stop()
  }
}
