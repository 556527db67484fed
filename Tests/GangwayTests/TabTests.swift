@_spi(FrontEnd) import Gangway
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import GangwayTesting
import Testing

@MainActor @Suite struct TabTests {
  @Test func aTabIsMadeWhenFirstShown() async throws {
    let flow = try await FlowTester(House())
    #expect(flow.coordinator?.made == [.cellar])
    try await flow.tab("Maze")
    try await flow.tab("Cellar")
    #expect(flow.coordinator?.made == [.cellar, .maze])
    #expect(flow.screen.hasPrefix("[Cellar*] [Maze] [Plain]\nStairs\n"))
  }

  @Test func aTabMayBeAMereScreen() async throws {
    let flow = try await FlowTester(House(initial: .plain))
    #expect(flow.screen == "[Cellar] [Maze] [Plain*]\nPlain\nJust a screen")
    let before = flow.tree
    try await flow.restart()
    #expect(flow.tree == before)
  }

  @Test func eachTabKeepsItsStack() async throws {
    let flow = try await FlowTester(House())
    try await flow.tap("Barrel")
    try await flow.tab("Maze")
    try await flow.tap("Go on")
    try await flow.tab("Cellar")
    #expect(flow.presentation.path.map(\.title) == ["Stairs", "Barrel"])
    try await flow.tab("Maze")
    #expect(flow.presentation.path.map(\.title) == ["Entrance", "Room"])
  }

  @Test func tappingTheActiveTabPopsItsStack() async throws {
    let flow = try await FlowTester(House())
    try await flow.tap("Barrel")
    try await flow.tab("Cellar")
    #expect(flow.presentation.path.map(\.title) == ["Stairs"])
    #expect(flow.coordinator?.taps == ["cellar true"])
  }

  /// An unfinished letter asks before it goes. The plan then runs again with the answer, and the tap is reported once.
  @Test func aTapIsToldOnceAlsoWhereALeaveGuardAnswers() async throws {
    let flow = try await FlowTester(Bureau())
    try await flow.tap("Write")
    try await flow.type("Dear", into: "Letter")
    try await flow.tab("Desk")
    #expect(flow.screen.contains("(alert)"))
    try await flow.tap("Leave")
    #expect(flow.coordinator?.taps == ["desk true"])
    #expect(flow.presentation.path.count == 1)
  }

  @Test func aCoordinatorMayKeepTheStackOnARepeatedTap() async throws {
    let flow = try await FlowTester(House())
    flow.coordinator?.answer = .stay
    try await flow.tap("Barrel")
    try await flow.tab("Cellar")
    #expect(flow.presentation.path.map(\.title) == ["Stairs", "Barrel"])
  }

  @Test func selectingByCodeIsNoTap() async throws {
    let flow = try await FlowTester(House())
    let router = try #require(flow.coordinator).router
    let maze = try await router.select(.maze, as: Maze.self)
    try await maze.show(.room(1))
    #expect(flow.selection == .maze)
    #expect(flow.coordinator?.taps == [])
  }

  @Test func anUnknownTabIsATypedError() async throws {
    let flow = try await FlowTester(House())
    let router = try #require(flow.coordinator).router
    let error = await #expect(throws: NavigationError.self) { try await router.select(.wrapped) }
    #expect(error?.message == "House has no tab wrapped. It has 'Cellar', 'Maze', 'Plain'.")
  }

  @Test func aTabTappedUnderAModalDismissesItInTheSameCommit() async throws {
    let flow = try await FlowTester(House())
    try await flow.tap("Trapdoor")
    let revision = flow.presentation.revision
    try await flow.tab("Maze")
    #expect(flow.presentation.revision == revision + 1)
    try await flow.tab("Cellar")
    #expect(flow.presentation.layers.count == 1)
    #expect(flow.presentation.path.map(\.title) == ["Stairs"])
  }

  @Test func theActiveTabTappedUnderAModalOnlyDismissesIt() async throws {
    let flow = try await FlowTester(House())
    try await flow.tap("Barrel")
    try await flow.tap("Trapdoor")
    try await flow.tab("Cellar")
    #expect(flow.presentation.path.map(\.title) == ["Stairs", "Barrel"])
  }

  @Test func aModalThatMustBeAnsweredKeepsItsTab() async throws {
    let flow = try await FlowTester(House(initial: .maze))
    let router = try #require(flow.coordinator).router
    try await router.select(.maze, as: Maze.self).show(.fixedSheet)
    try await flow.settle()
    await #expect(throws: FlowFailure.self) { try await flow.tab("Cellar") }
    #expect(flow.selection == .maze)
  }

  @Test func allStacksSurviveARestartAndHiddenTabsAreMadeWhenShown() async throws {
    let flow = try await FlowTester(House())
    try await flow.tap("Barrel")
    try await flow.tab("Maze")
    let before = (flow.screen, flow.tree)
    try await flow.restart()
    #expect((flow.screen, flow.tree) == before)
    #expect(flow.coordinator?.made == [.maze])
    try await flow.tab("Cellar")
    #expect(flow.presentation.path.map(\.title) == ["Stairs", "Barrel"])
  }
}

/// A tab coordinator with a letter in its tab.
@MainActor final class Bureau: TabCoordinator {
  enum Tab: String, NavigationRoute { case desk }
  let tabs = [Tab.desk]
  private(set) var taps: [String] = []
  func item(for tab: Tab) -> TabItem { TabItem(title: "Desk", destination: .flow { Desk() }) }
  func didTap(_ tab: Tab, isRepeat: Bool) -> RepeatedTap {
    taps.append("\(tab) \(isRepeat)")
    return .popToRoot
  }
}
