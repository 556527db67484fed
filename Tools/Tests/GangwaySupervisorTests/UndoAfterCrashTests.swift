@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import TestSupport
import Testing

@_spi(FrontEnd) @testable import GangwaySupervisor

/// The undo action of a message, whose host ends.
@MainActor @Suite struct UndoAfterCrashTests {
  private let workshop: Workshop

  init() throws { workshop = try Workshop() }

  @Test func aMessageStopsOfferingItsUndoAndTheUserReadsIt() async throws {
    let supervisor = try workshop.supervisor([try await workshop.plugin("Shelf", Self.source)])
    _ = try await supervisor.start()
    var told = NoticeList()
    supervisor.onUpdate = { told.add($0.notices) }
    told.add(try await supervisor.tap("Remove").notices)
    #expect(told.notices.contains { $0.undo != nil })
    try await supervisor.tap("Crash later")
    try await eventually { told.notices.contains { $0.text.contains("The app restarted after a crash.") } }
    let text = try #require(told.notices.last { $0.text.contains("The app restarted") }).text
    #expect(text.contains("Earlier actions can no longer be undone."), "\(text)")
    #expect(!text.contains("Nothing was lost"), "\(text)")
    #expect(!told.notices.contains { $0.undo != nil })
    // The next host keeps its own undo actions, and loses nothing if there is none.
    told.add(try await supervisor.tap("Remove").notices)
    #expect(told.notices.contains { $0.undo != nil })
    await supervisor.stop()
  }

  @Test func withoutAnUndoNothingWasLost() async throws {
    let supervisor = try workshop.supervisor([try await workshop.plugin("Shelf", Self.source)])
    _ = try await supervisor.start()
    var said: [String] = []
    supervisor.onUpdate = { said += $0.notices.map(\.text) }
    try await supervisor.tap("Crash later")
    try await eventually { said.contains { $0.hasPrefix("The app restarted after a crash. Nothing was lost.") } }
    await supervisor.stop()
  }

  /// A restart that the user asks for is no failure, so a script goes on.
  @Test func aScriptRestartsAfterAMessageWithAnUndo() async throws {
    let result = try await workshop.gangway(
      ["run", "--plugin", try await workshop.plugin("Shelf", Self.source), "--script", "-"],
      input: "tap Remove\nrestart\nexpect Remove\n")
    #expect(result.code == 0, "\(result.errors)")
    #expect(result.errors.contains("The features were restarted. Earlier actions can no longer be undone."))
  }

  private static let source = """
    import Gangway

    final class Shelf: StackCoordinator {
      enum Route: NavigationRoute { case books }
      let start = Route.books
      func destination(for route: Route) -> Destination { .screen { router in Books(router: router) } }
    }
    struct Books: Screen {
      let router: Router<Shelf>
      var body: some Content {
        Button("Remove") { router.tell("Removed Emma.") {} }
        Button("Crash later") {
          // Work of no one, so no action is lost.
          Task.detached {
            try await Task.sleep(for: .milliseconds(300))
            fatalError("the shelf falls")
          }
        }
      }
    }
    final class ShelfPlugin: Plugin {
      static let id = "shelf", version = "1.0.0"
      func register(in registry: Registrar) { registry.tab("main", title: "Shelf") { _ in Shelf() } }
    }
    @c(gangway_plugin) public func gangwayPlugin() -> UnsafeMutableRawPointer { exportPlugin(ShelfPlugin.self) }
    """
}
