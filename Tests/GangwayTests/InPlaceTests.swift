@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) @testable import Gangway
@_spi(FrontEnd) import GangwayTesting
import Observation
import Testing

/// Entries that change in place, and ways back to existing entries.
@MainActor @Suite struct InPlaceTests {
  @Test func anEntryTakesAnotherPayloadInItsPlace() async throws {
    let flow = try await FlowTester(plugins: [SearchPlugin.self])
    try await flow.tap("Search")
    let (entries, commits) = (flow.presentation.path.map(\.node), flow.history.count)
    try await flow.tap("Look for b")
    #expect(flow.url == "gangway://search?words=b")
    #expect(flow.presentation.url == "gangway://search?words=b")
    #expect(flow.presentation.path.map(\.node) == entries)
    #expect(flow.presentation.path.last?.url == "gangway://search?words=b")
    #expect(flow.history.count == commits)
    #expect(flow.screen.contains("Made for a"))
    // Undo skips the update.
    try await flow.undo()
    #expect(flow.presentation.path.count == 1)
    try await flow.redo()
    #expect(flow.url == "gangway://search?words=b")
    #expect(flow.presentation.url == "gangway://search?words=b")
    // The next host makes the screen for the updated payload.
    try await flow.restart()
    #expect(flow.screen.contains("Made for b"))
    #expect(flow.url == "gangway://search?words=b")
    #expect(flow.presentation.url == "gangway://search?words=b")
  }

  @Test func anUpdateThatIsRecordedIsUndoneAndDoneAgain() async throws {
    let flow = try await FlowTester(plugins: [SearchPlugin.self])
    try await flow.tap("Search")
    try await flow.tap("Note c")
    #expect(flow.url == "gangway://search?words=c")
    #expect(flow.presentation.url == "gangway://search?words=c")
    try await flow.undo()
    #expect(flow.url == "gangway://search?words=a")
    #expect(flow.presentation.url == "gangway://search?words=a")
    #expect(flow.screen.contains("Made for a"))
    try await flow.redo()
    #expect(flow.url == "gangway://search?words=c")
    #expect(flow.presentation.url == "gangway://search?words=c")
    #expect(flow.screen.contains("Made for c"))
  }

  @Test func anotherCaseAndARefusalChangeNothing() async throws {
    let flow = try await FlowTester(plugins: [SearchPlugin.self])
    try await flow.tap("Search")
    let router = try #require(flow.router(of: SearchFlow.self))
    let before = flow.checkpoint
    let other = await #expect(throws: NavigationError.self) { try await router.update(.home) }
    #expect(other?.code == .otherRoute)
    let denied = await #expect(throws: NavigationError.self) { try await router.update(.search("forbidden")) }
    #expect(denied?.code == .denied)
    #expect(flow.checkpoint == before)
    try await router.update(.search("a"))
    #expect(flow.checkpoint == before)
  }

  /// Undo runs the guards of the payload that returns, and not those of the payload that goes.
  @Test func undoOfAnUpdateAsksTheGuardsOfWhatComesBack() async throws {
    let flow = try await FlowTester(plugins: [SearchPlugin.self])
    try await flow.tap("Search")
    let router = try #require(flow.router(of: SearchFlow.self))
    try await router.update(.search("locked"), isRecorded: true)
    try await router.update(.search("b"), isRecorded: true)
    try #require(router.coordinator).isLocked = true
    await #expect(throws: FlowFailure.self) { try await flow.undo() }
    #expect(flow.url == "gangway://search?words=b")
    #expect(flow.presentation.url == "gangway://search?words=b")
    try #require(router.coordinator).isLocked = false
    try await flow.undo()
    #expect(flow.url == "gangway://search?words=locked")
    #expect(flow.presentation.url == "gangway://search?words=locked")
  }

  @Test func theLastEntryOfARouteIsFound() async throws {
    let flow = try await FlowTester(Maze())
    let router = try #require(flow.coordinator).router
    try await router.append([.room(1), .room(2), .room(1), .room(3)])
    try await router.focusLast(.room(1))
    #expect(flow.path == [.entrance, .room(1), .room(2), .room(1)])
    try await router.focusLast { if case .room(let number) = $0 { number == 2 } else { false } }
    #expect(flow.path == [.entrance, .room(1), .room(2)])
    let error = await #expect(throws: NavigationError.self) { try await router.focusLast(.menu) }
    #expect(error?.code == .unknownEntry)
  }

  /// Modals that were hidden by another modal also cover the flow.
  @Test func modalsThatCameToLightAreDismissedToo() async throws {
    let flow = try await FlowTester(Warren(WarrenState(kinds: [:]), tabs: ["x", "y"]))
    flow.checksRestoration = false
    let tabs = try #require(flow.router(of: Warren.self))
    let outer = try await tabs.select(.init(name: "x"), as: Burrow.self)
    let inner = try await outer.show(.flow(1), as: Burrow.self)
    // While another tab is shown, nothing of this tab is visible.
    try await tabs.select(.init(name: "y"))
    try await inner.show(.sheet(1))
    try await outer.show(.sheet(2))
    try await tabs.select(.init(name: "x"))
    try await flow.settle()
    #expect(flow.presentation.layers.count == 3)
    try await outer.dismissModals()
    try await flow.settle()
    #expect(flow.presentation.layers.count == 1)
    #expect(outer.path == [.start, .flow(1)])
    #expect(inner.path == [.start])
  }

  @Test func allModalsOverAFlowAreDismissedAtOnce() async throws {
    let flow = try await FlowTester(Maze())
    let router = try #require(flow.coordinator).router
    try await router.append([.room(1), .sheet, .cover, .sheet])
    let commits = flow.history.count
    try await router.dismissModals()
    #expect(flow.path == [.entrance, .room(1)])
    #expect(flow.history.count == commits + 1)
    try await router.dismissModals()
    #expect(flow.history.count == commits + 1)
    try await router.append([.fixedSheet])
    let error = await #expect(throws: NavigationError.self) { try await router.dismissModals() }
    #expect(error?.code == .modalNotDismissible)
  }
}

private final class SearchPlugin: Plugin {
  static let id = "search", version = "1.0.0"
  struct Words: Codable { let words: String }
  func register(in registry: Registrar) {
    registry.tab("main", title: "Home") { _ in SearchFlow() }
    registry.link("search?words") { (link: Words) in
      SearchFlow.Route.search(link.words)
    } url: { route in
      if case .search(let words) = route { Words(words: words) } else { nil }
    }
  }
}

private final class SearchFlow: StackCoordinator {
  enum Route: NavigationRoute { case home, search(String) }
  let start = Route.home
  func destination(for route: Route) -> Destination {
    switch route {
    case .home: .screen { router in SearchHome(router: router) }
    case .search(let words): .screen { router in SearchScreen(words: words, router: router) }
    }
  }
  var isLocked = false
  func guards(for route: Route) -> [NavigationGuard] {
    guard case .search(let words) = route, words == "forbidden" || words == "locked" else { return [] }
    return [
      NavigationGuard("words") { [weak self] _ in
        words == "forbidden" || self?.isLocked == true ? .deny("Not that.") : .allow
      }
    ]
  }
}

private struct SearchHome: Screen {
  let router: Router<SearchFlow>
  var body: some Content { Button("Search") { try await router.show(.search("a")) } }
}

private struct SearchScreen: Screen {
  let words: String
  let router: Router<SearchFlow>
  var body: some Content {
    Text("Made for \(words)")
    Button("Look for b") { try await router.update(.search("b")) }
    Button("Note c") { try await router.update(.search("c"), isRecorded: true) }
  }
}
