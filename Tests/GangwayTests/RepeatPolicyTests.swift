@_spi(FrontEnd) import Gangway
@_spi(FrontEnd) import GangwayTesting
@_spi(FrontEnd) import GangwayProtocol
import Testing

@MainActor @Suite struct RepeatPolicyTests {
  @Test func aRepeatIsPushedByDefault() async throws {
    let flow = try await FlowTester(Maze())
    let router = try #require(flow.coordinator).router
    try await router.show(.room(1))
    try await router.show(.room(1))
    #expect(flow.path == [.entrance, .room(1), .room(1)])
  }

  @Test func blithersGameOverGameIsAFreshGame() async throws {
    let flow = try await FlowTester(Maze())
    let maze = try #require(flow.coordinator)
    try await maze.router.root(.menu)
    try await maze.router.show(.sheet)
    try await maze.router.show(.game)
    let first = flow.checkpoint.nextNode
    try await maze.router.show(.game)
    #expect(flow.path == [.menu, .game])
    #expect(flow.checkpoint.records[first] != nil)
    #expect(flow.presentation.layers.count == 1)
  }

  @Test func blithersMenuOverMenuChangesNothing() async throws {
    let flow = try await FlowTester(Maze())
    let router = try #require(flow.coordinator).router
    try await router.root(.menu)
    let before = flow.checkpoint
    try await router.show(.menu)
    #expect(flow.checkpoint == before)
  }

  @Test func popToReturnsToTheEarlierEntry() async throws {
    let flow = try await FlowTester(Maze())
    let router = try #require(flow.coordinator).router
    try await router.show(.archive(1))
    try await router.show(.archive(2))
    try await router.show(.room(1))
    try await router.show(.archive(1))
    #expect(flow.path == [.entrance, .archive(1)])
    try await router.show(.archive(3))
    #expect(flow.path == [.entrance, .archive(1), .archive(3)])
  }

  @Test func twoTapsOnOneButtonShowOneEntry() async throws {
    let flow = try await FlowTester(Maze())
    let top = try #require(flow.presentation.top)
    let button = try #require(top.elements.first { $0.label == "Go on" })
    let target = Event.ElementReference(node: top.node, element: button.id)
    try await flow.send(.tap(target))
    let failure = await #expect(throws: FlowFailure.self) { try await flow.send(.tap(target)) }
    #expect(failure?.message.contains("'Entrance' is no longer in front") == true)
    #expect(flow.path == [.entrance, .room(9)])
  }
}
