@_spi(FrontEnd) @testable import Gangway
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) @testable import GangwayTesting
import Observation
import Testing

@MainActor @Suite struct MovingTabTests {
  @Test func tabsComeAndGoWhileTheSessionRuns() async throws {
    let flow = try await FlowTester(Shelf())
    let shelf = try #require(flow.coordinator)
    shelf.state = ["a", "b"]
    try await flow.settle()
    #expect(flow.screen.hasPrefix("[a*] [b]\n"))
    shelf.state = ["c", "b", "a"]
    try await flow.settle()
    #expect(flow.screen.hasPrefix("[c] [b] [a*]\n"))
  }

  @Test(arguments: [TabRemoval.keepStack, .close])
  func theStackOfATabThatGoesIsKeptOrClosed(_ removal: TabRemoval) async throws {
    let flow = try await FlowTester(Shelf())
    let shelf = try #require(flow.coordinator)
    shelf.removal = removal
    shelf.state = ["a", "b"]
    try await flow.settle()
    try await flow.tab("b")
    try await flow.tap("Barrel")
    shelf.state = ["a"]
    try await flow.settle()
    #expect(flow.screen.hasPrefix("[a*]\nStairs\n"))
    try await flow.restart()
    try #require(flow.coordinator).state = ["a", "b"]
    try await flow.settle()
    try await flow.tab("b")
    #expect(flow.presentation.path.map(\.title) == (removal == .close ? ["Stairs"] : ["Stairs", "Barrel"]))
  }

  @Test func whereTheTabShownGoesTheNextOneTakesItsPlaceInOneCommit() async throws {
    let flow = try await FlowTester(Shelf())
    let shelf = try #require(flow.coordinator)
    shelf.state = ["a", "b", "c"]
    try await flow.settle()
    try await flow.tab("b")
    let commits = flow.history.count
    shelf.closed = ["a"]
    shelf.state = ["a", "c"]
    try await flow.settle()
    // The guard of the first tab denies it.
    #expect(flow.selection == Shelf.Tab(name: "c"))
    #expect(flow.history.count == commits + 1)
    shelf.state = []
    try await flow.settle()
    #expect(flow.screen.contains("No feature has a tab."))
    shelf.state = ["d"]
    try await flow.settle()
    #expect(flow.selection == Shelf.Tab(name: "d"))
  }

  /// No update comes between the change of the state and the navigation.
  @Test(arguments: ["select", "a plan", "a link"])
  func aNewTabCanBeSelectedInTheSameTurn(_ way: String) async throws {
    let flow = try await FlowTester(Shelf(), plugins: [ShelfLinks.self])
    let shelf = try #require(flow.coordinator)
    let new = Shelf.Tab(name: "b")
    shelf.state = ["a", "b"]
    switch way {
    case "select": try await shelf.router.select(new, as: Cellar.self).show(.barrel(1))
    case "a plan": try await shelf.router.transaction { try $0.select(new, as: Cellar.self).show(.barrel(1)) }
    default: try await flow.session.open("gangway://shelf/b")
    }
    #expect(shelf.router.selection == new)
    #expect(shelf.router.child(in: new, as: Cellar.self)?.path == [.stairs, .barrel(1)])
    try await flow.settle()
    #expect(flow.screen.hasPrefix("[a] [b*]\n"))
    #expect(flow.notices.isEmpty)
  }

  @Test func aNewTabCanBeSelectedInTheClosureThatMakesIt() async throws {
    let flow = try await FlowTester(Shelf())
    let shelf = try #require(flow.coordinator)
    try await shelf.router.transaction { plan in
      shelf.state = ["b", "a"]
      try plan.select(Shelf.Tab(name: "b"))
    }
    #expect(shelf.router.selection == Shelf.Tab(name: "b"))
  }

  @Test func aTabCannotBeSelectedInTheTurnThatRemovesIt() async throws {
    let flow = try await FlowTester(Shelf())
    let shelf = try #require(flow.coordinator)
    shelf.state = ["a", "b"]
    try await flow.settle()
    try await shelf.router.select(Shelf.Tab(name: "b"))
    shelf.state = ["a"]
    let error = await #expect(throws: NavigationError.self) {
      try await shelf.router.select(Shelf.Tab(name: "b"))
    }
    #expect(error?.code == .unknownTab)
    #expect(shelf.router.selection == Shelf.Tab(name: "a"))
  }

  /// The bar still follows, after the guard has answered.
  @Test func aGuardThatSelectsANewTabIsRefused() async throws {
    let flow = try await FlowTester(Shelf())
    let shelf = try #require(flow.coordinator)
    shelf.selecting = "b"
    shelf.state = ["a", "b"]
    try await flow.settle()
    let error = await #expect(throws: NavigationError.self) {
      try await shelf.router.select(Shelf.Tab(name: "b"))
    }
    #expect(error?.code == .insideGuard)
    try await flow.settle()
    #expect(flow.screen.hasPrefix("[a*] [b] [c]\n"))
  }

  /// The guard of the next tab waits for the user. The new tab is selected after the answer.
  @Test func aNewTabWaitsForTheGuardOfTheTabThatReplacesTheShownOne() async throws {
    let flow = try await FlowTester(Shelf())
    let shelf = try #require(flow.coordinator)
    shelf.asking = "b"
    shelf.state = ["b", "c"]
    flow.session.work.start(event: 1, plugin: nil) { try await shelf.router.select(Shelf.Tab(name: "c")) }
    try await flow.settle()
    shelf.answer.give(.deny("It is closed."))
    try await flow.settle()
    #expect(shelf.router.selection == Shelf.Tab(name: "c"))
    #expect(flow.notices.isEmpty)
  }

  @Test func aPluginPutsItsTabOnTheBarAndTakesItOff() async throws {
    let flow = try await FlowTester(plugins: [Castle.self, Porter.self])
    #expect(flow.screen.hasPrefix("[Gatehouse*] [Halls] | [Towers]\n"))
    try await flow.tap("Show")
    #expect(flow.screen.hasPrefix("[Gatehouse*] [Halls] | [Towers] | [Cellar]\n"))
    try await flow.restart()
    try await flow.tab("Cellar")
    try await flow.tap("Barrel")
    try await flow.tab("Gatehouse")
    try await flow.tap("Hide")
    #expect(flow.screen.hasPrefix("[Gatehouse*] [Halls] | [Towers]\n"))
    try await flow.tap("Show")
    try await flow.tab("Cellar")
    #expect(flow.presentation.path.map(\.title) == ["Stairs", "Barrel"])
    try await flow.tab("Gatehouse")
    let failure = await #expect(throws: FlowFailure.self) { try await flow.tap("Mistake") }
    #expect(failure?.message.contains("The plugin porter did not register the tab 'attic'.") == true)
  }

  @Test func theHostPlacesTabs() async throws {
    var placement = Placement()
    placement.order = ["castle.vault", "lodge.hall"]
    placement.hidden = ["castle.towers"]
    placement.groups = [.init(title: "Mine", tabs: ["castle.halls", "lodge.hall"])]
    placement.start = "castle.halls"
    let flow = try await FlowTester(plugins: [Castle.self, Lodge.self], placement: placement)
    #expect(flow.screen.hasPrefix("[Hall] [Halls*]\n"))
    #expect(flow.contributions.tabs.map(\.id) == ["castle.vault", "lodge.hall", "castle.halls", "castle.towers"])
  }

  @Test func theHostMayStartWithALink() async throws {
    var placement = Placement()
    placement.start = "gangway://halls/7"
    let flow = try await FlowTester(plugins: [Castle.self], placement: placement)
    #expect(flow.presentation.path.map(\.title) == ["Gate", "Hall"])
    try await flow.back()
    try await flow.restart()
    #expect(flow.presentation.path.map(\.title) == ["Gate"])
  }
}

/// A tab coordinator whose tabs change by name.
@MainActor @Observable final class Shelf: TabCoordinator {
  struct Tab: NavigationRoute { let name: String }
  var state = ["a"]
  @ObservationIgnored var removal = TabRemoval.keepStack
  @ObservationIgnored var closed: Set<String> = []
  @ObservationIgnored var asking: String?
  @ObservationIgnored var selecting: String?
  @ObservationIgnored let answer = PendingAnswer<GuardVerdict>()
  var tabs: [Tab] { state.map { Tab(name: $0) } }
  func item(for tab: Tab) -> TabItem { TabItem(title: tab.name, destination: .flow { Cellar() }) }
  func onRemoval(of tab: Tab) -> TabRemoval { removal }
  func guards(for tab: Tab) -> [NavigationGuard] {
    if tab.name == asking { return [NavigationGuard("asks", timeout: nil) { [answer] _ in try await answer.value() }] }
    if tab.name == selecting {
      return [
        NavigationGuard("selects") { [unowned self] _ in
          state = ["a", "b", "c"]
          try await router.select(Tab(name: "c"))
          return .allow
        }
      ]
    }
    return closed.contains(tab.name) ? [NavigationGuard("closed") { _ in .deny("It is closed.") }] : []
  }
}

/// A plugin with links to the tabs of a shelf.
final class ShelfLinks: Plugin {
  static let id = "shelf-links"
  static let version = "1.0.0"
  func register(in registry: Registrar) {
    registry.multiStepLink("shelf/:name") { (tab: Shelf.Tab) in
      LinkPlan.root.show(tab).show(Cellar.Route.barrel(1))
    }
  }
}

/// A plugin whose tab appears and disappears.
final class Porter: Plugin {
  static let id = "porter"
  static let version = "1.0.0"
  func register(in registry: Registrar) {
    registry.tab("gatehouse", title: "Gatehouse", order: 1) { Gatehouse($0) }
    registry.tab("cellar", title: "Cellar", group: "Below", isShown: false) { _ in Cellar() }
  }
}

@MainActor final class Gatehouse: StackCoordinator {
  enum Route: NavigationRoute { case door }
  let start = Route.door
  private let context: PluginContext
  init(_ context: PluginContext) { self.context = context }
  func destination(for route: Route) -> Destination { .screen { GatehouseScreen(context: self.context) } }
}

struct GatehouseScreen: Screen {
  let context: PluginContext
  var body: some Content {
    Button("Show") { try context.showTab("cellar") }
    Button("Hide") { try context.hideTab("cellar") }
    Button("Mistake") { try context.showTab("attic") }
  }
}
