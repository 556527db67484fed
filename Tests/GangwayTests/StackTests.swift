@_spi(FrontEnd) import Gangway
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import GangwayTesting
import Testing

@MainActor @Suite struct StackTests {
  @Test func showingPushesAndBackPops() async throws {
    let flow = try await FlowTester(Maze())
    let router = try #require(flow.coordinator).router
    try await router.show(.room(1))
    try await router.show(.room(2))
    #expect(flow.path == [.entrance, .room(1), .room(2)])
    try await flow.settle()
    #expect(flow.screen.hasPrefix("Entrance > Room > Room\n"))
    try await flow.back()
    #expect(flow.path == [.entrance, .room(1)])
  }

  @Test func popLastWithNothingToPopIsNoError() async throws {
    let flow = try await FlowTester(Maze())
    let router = try #require(flow.coordinator).router
    #expect(try await router.popLast() == false)
    try await router.show(.sheet)
    #expect(try await router.popLast())
    #expect(flow.path == [.entrance])
  }

  @Test func popFromAScreensRouterRemovesItAndAllAboveIt() async throws {
    let flow = try await FlowTester(Maze())
    let maze = try #require(flow.coordinator)
    try await maze.router.show(.room(1))
    try await flow.settle()
    // The router of room 1's own screen, kept while other entries are on top of it.
    let screens = Screens(flow)
    let leave = try screens.action("Leave")
    try await maze.router.show(.room(2))
    try await maze.router.show(.room(3))
    try await leave()
    #expect(flow.path == [.entrance])
  }

  @Test func theFirstEntryCannotBePopped() async throws {
    let flow = try await FlowTester(Maze())
    let failure = await #expect(throws: FlowFailure.self) { try await flow.tap("Leave") }
    #expect(failure?.message.contains("is the first entry of its stack") == true)
    #expect(flow.path == [.entrance])
  }

  @Test func aScreenThatIsGoneCannotPop() async throws {
    let flow = try await FlowTester(Maze())
    let maze = try #require(flow.coordinator)
    try await maze.router.show(.room(1))
    try await flow.settle()
    let leave = try Screens(flow).action("Leave")
    try await maze.router.popToRoot()
    try await maze.router.show(.room(2))
    let error = await #expect(throws: NavigationError.self) { try await leave() }
    #expect(error?.code == .entryGone)
    #expect(flow.path == [.entrance, .room(2)])
  }

  @Test func popToRootIsOneCommit() async throws {
    let flow = try await FlowTester(Maze())
    let router = try #require(flow.coordinator).router
    for room in 1...5 { try await router.show(.room(room)) }
    try await flow.settle()
    let revision = flow.presentation.revision
    try await router.popToRoot()
    try await flow.settle()
    #expect(flow.path == [.entrance])
    #expect(flow.presentation.revision == revision + 1)
  }

  @Test func theRootIsSwitchedAndTheStackCleared() async throws {
    let flow = try await FlowTester(Maze())
    let router = try #require(flow.coordinator).router
    try await router.show(.room(1))
    try await router.root(.room(7))
    #expect(flow.path == [.room(7)])
    #expect(router.isRoot(.room(7)))
    #expect(!router.isRoot(.entrance))
  }

  @Test func theRootIsSwitchedUnderAStackOnRequest() async throws {
    let flow = try await FlowTester(Maze())
    let router = try #require(flow.coordinator).router
    try await router.show(.room(1))
    try await router.root(.room(7), keepingStack: true)
    #expect(flow.path == [.room(7), .room(1)])
    let before = flow.tree
    try await flow.restart()
    #expect(flow.tree == before)
  }

  @Test func theSameRootAgainChangesNothing() async throws {
    let flow = try await FlowTester(Maze())
    let router = try #require(flow.coordinator).router
    try await router.show(.room(1))
    let before = flow.checkpoint
    try await router.root(.entrance)
    #expect(flow.checkpoint == before)
  }

  @Test func aDestinationOfStyleRootReplacesTheStack() async throws {
    let flow = try await FlowTester(Maze())
    let router = try #require(flow.coordinator).router
    try await router.show(.room(1))
    try await router.show(.newEntrance)
    #expect(flow.path == [.newEntrance])
  }

  @Test func aChildIsReturnedForChaining() async throws {
    let flow = try await FlowTester(Maze())
    let router = try #require(flow.coordinator).router
    try await router.show(.child, as: Cellar.self).show(.barrel(3))
    try await flow.settle()
    #expect(flow.screen.hasPrefix("Entrance > Stairs > Barrel\n"))
  }

  @Test func aChildOfAnotherTypeIsATypedErrorAndNothingIsShown() async throws {
    let flow = try await FlowTester(Maze())
    let router = try #require(flow.coordinator).router
    let before = flow.checkpoint
    let error = await #expect(throws: NavigationError.self) {
      _ = try await router.show(.child, as: Question.self)
    }
    #expect(error?.code == .unexpectedDestination)
    #expect(error?.message == "The route child shows Cellar, not Question.")
    #expect(flow.checkpoint == before)
  }

  @Test func backLeavesAChildFlowEntryByEntry() async throws {
    let flow = try await FlowTester(Maze())
    try await #require(flow.coordinator).router.show(.child)
    try await flow.settle()
    try await flow.tap("Barrel")
    try await flow.back()
    #expect(flow.screen.hasPrefix("Entrance > Stairs\n"))
    try await flow.back()
    #expect(flow.path == [.entrance])
    await #expect(throws: FlowFailure.self) { try await flow.back() }
  }

  @Test func aFlowDismissesItself() async throws {
    let flow = try await FlowTester(Maze())
    try await #require(flow.coordinator).router.show(.child)
    try await flow.settle()
    try await flow.tap("Barrel")
    try await flow.tap("Up")
    #expect(flow.path == [.entrance])
  }

  @Test func theRootFlowCannotBeDismissed() async throws {
    let flow = try await FlowTester(Maze())
    let router = try #require(flow.coordinator).router
    let error = await #expect(throws: NavigationError.self) { try await router.dismissFlow() }
    #expect(error?.code == .noParent)
  }

  @Test func aScreenReachesTheRouterOfAnAncestor() async throws {
    let flow = try await FlowTester(Maze())
    try await #require(flow.coordinator).router.show(.child)
    try await flow.settle()
    try await flow.tap("Barrel")
    try await flow.tap("To the entrance")
    #expect(flow.path == [.entrance])
    let error = #expect(throws: NavigationError.self) {
      _ = try flow.coordinator?.router.ancestor(Question.self)
    }
    #expect(
      error?.message
        == "Neither this coordinator nor any above it is of type Question. From here up to the root: Maze.")
  }

  @Test func aRouterOutlivesItsCoordinatorWithoutHarm() async throws {
    let flow = try await FlowTester(Maze())
    let router = try #require(flow.coordinator).router
    let child = try await router.show(.child, as: Cellar.self)
    try await router.popToRoot()
    let error = await #expect(throws: NavigationError.self) { try await child.show(.stairs) }
    #expect(error?.code == .detached)
    #expect(!child.isAttached)
    #expect(child.coordinator == nil)
  }
}
