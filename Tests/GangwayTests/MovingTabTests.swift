@_spi(FrontEnd) @_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import Gangway
@_spi(FrontEnd) import GangwayTesting
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
  var tabs: [Tab] { state.map { Tab(name: $0) } }
  func item(for tab: Tab) -> TabItem { TabItem(title: tab.name, destination: .flow { Cellar() }) }
  func onRemoval(of tab: Tab) -> TabRemoval { removal }
  func guards(for tab: Tab) -> [NavigationGuard] {
    closed.contains(tab.name) ? [NavigationGuard("closed") { _ in .deny("It is closed.") }] : []
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
