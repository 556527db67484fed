import Foundation
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import TestSupport
import Testing

@_spi(FrontEnd) @testable import GangwaySupervisor

/// Entries that cannot be left.
@MainActor @Suite struct LeavingTests {
  private let workshop: Workshop

  init() throws { workshop = try Workshop() }

  /// Code that crashes or loops at the end of its flow would hold the user there forever.
  @Test(arguments: ["abort()", "while true { usleep(1000) }"], [Event.Action.dismiss, .back])
  func anEntryThatCannotBeLeftIsTakenAwayTheSecondTime(_ end: String, _ action: Event.Action) async throws {
    let plugin = try await workshop.plugin("Sticky", Self.stickySource(end))
    let supervisor = try workshop.supervisor([plugin, "scenes"]) { $0.patience = .seconds(1) }
    _ = try await supervisor.start()
    try await supervisor.tap("Stick")
    try await supervisor.shows("No way out")
    var told: [String] = []
    supervisor.onUpdate = { told += $0.notices.map(\.developerText) }
    func leave() async throws {
      let host = supervisor.hostProcessID
      told += try await supervisor.send(action).notices.map(\.developerText)
      if end.hasPrefix("while") {
        try await supervisor.shows("does not answer")
        told += try await supervisor.tap("Restart").notices.map(\.developerText)
      }
      try await eventually { ![nil, host].contains(supervisor.hostProcessID) && supervisor.keeper.isShown }
    }
    try await leave()
    try await supervisor.shows("No way out")
    try await leave()
    try await eventually { !supervisor.presentation.plainText.contains("No way out") }
    try await eventually { told.count > (end.hasPrefix("while") ? 5 : 1) }
    #expect(
      told.contains {
        // The text after the mark is a file, which front ends open or leave out.
        $0.contains(#/ 'Stuck' could not be closed in two attempts, so it was removed\. Report: \/\S+$/#)
      },
      "\(told)")
    // The screen below it is shown, and works.
    try await supervisor.tap("Stick")
    try await supervisor.shows("No way out")
    await supervisor.stop()
  }

  /// Without a host, the last screen stays up, and the user's events apply to that screen.
  @Test(arguments: [Event.Action.dismiss, .back])
  func nothingIsLeftThatThePersonHasNotSeen(_ action: Event.Action) async throws {
    let held = workshop.path("held")
    try await workshop.constructor("Stone", Workshop.waiting(for: held))
    let plugin = try await workshop.plugin("Sticky", Self.stickySource(""), libraries: ["Stone"])
    let supervisor = try workshop.supervisor([plugin, "scenes"]) { $0.keepsSpare = false }
    _ = try await supervisor.start()
    try await supervisor.tap("Stick")
    try await supervisor.shows("No way out")
    try Data().write(to: URL(fileURLWithPath: held))
    let host = try #require(supervisor.hostProcessID)
    kill(host, SIGKILL)
    try await eventually { supervisor.hostProcessID != nil && supervisor.hostProcessID != host }
    try await supervisor.shows("No way out")
    let answer = try await supervisor.send(action)
    #expect(
      answer.notices.map(\.developerText) == [
        "Not done: 'Stuck' is no longer in front; 'Sticky' is. Repeat the action if it is meant for the current screen."
      ])
    try FileManager.default.removeItem(atPath: held)
    try await supervisor.shows("No way out")
    _ = try await supervisor.send(action)
    try await eventually { !supervisor.presentation.plainText.contains("No way out") }
    try await supervisor.shows("Stick")
    await supervisor.stop()
  }

  private static func stickySource(_ end: String) -> String {
    """
    import Gangway
    import Glibc
    final class Flow: StackCoordinator {
      enum Route: NavigationRoute { case start, stuck }
      let start = Route.start
      func destination(for route: Route) -> Destination {
        switch route {
        case .start: .screen { router in Start(router: router) }
        case .stuck: .flow(.modal) { Stuck() }
        }
      }
    }
    struct Start: Screen {
      let router: Router<Flow>
      var body: some Content { Button("Stick") { try await router.show(.stuck) } }
    }
    final class Stuck: StackCoordinator {
      enum Route: NavigationRoute { case start }
      let start = Route.start
      func destination(for route: Route) -> Destination { .screen { StuckScreen() } }
      deinit { \(end) }
    }
    struct StuckScreen: Screen {
      var title: String? { "Stuck" }
      var body: some Content { Text("No way out") }
    }
    final class Sticky: Plugin {
      static let id = "sticky", version = "1.0.0"
      func register(in registry: Registrar) { registry.tab("main", title: "Sticky", order: -1) { _ in Flow() } }
    }
    @c(gangway_plugin) public func gangwayPlugin() -> UnsafeMutableRawPointer { exportPlugin(Sticky.self) }
    """
  }
}
