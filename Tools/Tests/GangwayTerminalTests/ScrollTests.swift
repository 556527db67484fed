import Foundation
@_spi(FrontEnd) import TestSupport
import Testing

/// Scroll positions, which the next run must restore.
@MainActor @Suite(.serialized) struct ScrollTests {
  private static let source = """
    import Gangway
    final class Long: StackCoordinator {
      enum Route: NavigationRoute { case lines }
      let start = Route.lines
      func destination(for route: Route) -> Destination { .screen { LinesScreen() } }
    }
    struct LinesScreen: Screen {
      var body: some Content {
        Button("At the top") {}
        for number in 1...90 { Text("Line \\(number).") }
      }
    }
    final class LongPlugin: Plugin {
      static let id = "long", version = "1.0.0"
      func register(in registry: Registrar) { registry.tab("main", title: "Long") { _ in Long() } }
    }
    @c(gangway_plugin) public func gangwayPlugin() -> UnsafeMutableRawPointer { exportPlugin(LongPlugin.self) }
    """

  @Test func aScreenIsScrolledAsItWasInTheRunBefore() async throws {
    let workshop = try Workshop()
    let plugin = try await workshop.plugin("Long", Self.source)
    let state = workshop.path("state")
    let command =
      "env -u NO_COLOR XDG_STATE_HOME=\(state) XDG_DATA_HOME=\(workshop.path("data")) LANG=C.UTF-8 "
      + "\(Workshop.built)/gangway run --plugin \(plugin)"
    try await RealTerminal.running(command, columns: 60, rows: 20) { terminal in
      try await terminal.await("Line 9.")
      try await terminal.press("NPage", "NPage")
      let scrolled = try await terminal.await("Line 40.")
      #expect(!scrolled.contains("At the top"))
      // The host learns the position when scrolling stops.
      try await eventually {
        let files = FileManager.default.enumerator(atPath: state)?.compactMap { $0 as? String } ?? []
        return files.contains { file in
          (try? String(contentsOfFile: state + "/" + file, encoding: .utf8))?.contains("\"scroll\":") == true
        }
      }
      try await terminal.press("q")
      try await terminal.await("ENDED 0")
    }
    try await RealTerminal.running(command, columns: 60, rows: 20) { terminal in
      let again = try await terminal.await("Line 40.")
      #expect(!again.contains("At the top"))
      try await terminal.press("q")
      try await terminal.await("ENDED 0")
    }
  }
}
