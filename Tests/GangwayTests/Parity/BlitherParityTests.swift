@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) @testable import Gangway
@_spi(FrontEnd) import GangwayTesting
import Testing

/// The behavior of Blither's AppCoordinator and of the MVVM-C article, with a test for each row of the comparison.
///
/// The sample plugins Blither and Scenes are the two systems themselves.
@MainActor @Suite struct BlitherParityTests {
  private func maze() async throws -> (FlowTester<Maze>, Router<Maze>) {
    let flow = try await FlowTester(Maze())
    return (flow, try #require(flow.coordinator).router)
  }

  @Test func oneRouteEnumAndOneCall() async throws {
    let (flow, router) = try await maze()
    for route in [Maze.Route.room(1), .child, .room(2)] { try await router.show(route) }
    #expect(flow.path == [.entrance, .room(1), .child, .room(2)])
  }

  @Test func aPresentedSheetGivesWayToAnyNavigationInTheSameCommit() async throws {
    let (flow, router) = try await maze()
    try await router.show(.sheet)
    let commits = flow.history.count
    try await router.show(.room(1))
    #expect(flow.path == [.entrance, .room(1)])
    #expect(flow.history.count == commits + 1)
  }

  /// Blither dismisses the sheet and pops too.
  @Test func backIsOneStepAModalFirst() async throws {
    let (flow, router) = try await maze()
    try await router.append([.room(1), .sheet])
    try await flow.back()
    #expect(flow.path == [.entrance, .room(1)])
    try await flow.back()
    #expect(flow.path == [.entrance])
  }

  @Test func aGameOverAGameIsAFreshOneInItsPlace() async throws {
    let (flow, router) = try await maze()
    try await router.root(.menu)
    try await router.show(.sheet)
    try await router.show(.game)
    let first = flow.checkpoint.records.values.first { $0.routeText == "game" }?.id
    try await router.show(.game)
    #expect(flow.path == [.menu, .game])
    #expect(flow.checkpoint.records.values.first { $0.routeText == "game" }?.id != first)
    #expect(flow.presentation.layers.count == 1)
  }

  @Test func theMenuOverTheMenuIsNothing() async throws {
    let (flow, router) = try await maze()
    try await router.root(.menu)
    let before = flow.checkpoint
    try await router.show(.menu)
    #expect(flow.checkpoint == before)
  }

  /// Blither's router is optional and silently nil.
  @Test func aDeadRouterIsATypedError() async throws {
    let (flow, router) = try await maze()
    defer { withExtendedLifetime(flow) {} }
    let cellar = try await router.show(.child, as: Cellar.self)
    try await router.popToRoot()
    #expect(cellar.coordinator == nil)
    await #expect(throws: NavigationError(.detached, "")) { try await cellar.show(.barrel(1)) }
  }

  // MARK: The MVVM-C article

  @Test func oneRouteEnumWithAStylePerRoute() async throws {
    let (flow, router) = try await maze()
    try await router.append([.room(1), .sheet])
    try await flow.settle()
    #expect(flow.presentation.layers.map(\.style) == [.base, .modal])
  }

  @Test func routesAreValuesThatCanBeComparedAndStored() async throws {
    let (flow, router) = try await maze()
    try await router.show(.room(4))
    try await flow.restart()
    #expect(flow.path == [.entrance, .room(4)])
    #expect(Set(flow.path) == [.entrance, .room(4)])
  }

  @Test func aTypedPayloadArrivesInTheNextScene() async throws {
    let flow = try await FlowTester(TodosCoordinator(store: .inMemory()))
    try await flow.tap("New")
    try await flow.type("Buy milk", into: "Title")
    try await flow.tap("Save")
    #expect(flow.screen.contains("Todo number 1"))
  }
}
