@_spi(FrontEnd) import Gangway
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import GangwayTesting
import Testing

@MainActor @Suite struct TransactionTests {
  @Test(arguments: [
    (Maze.Route.broken, NavigationError.Code.makingFailed), (.elsewhere("nobody.home"), .unknownPlace),
  ])
  func aFailureLeavesTheTreeAsItWas(_ route: Maze.Route, _ code: NavigationError.Code) async throws {
    let flow = try await FlowTester(Maze())
    let maze = try #require(flow.coordinator)
    try await maze.router.show(.room(1))
    try await maze.router.show(.sheet)
    let before = flow.checkpoint
    let error = await #expect(throws: NavigationError.self) { try await maze.router.show(route) }
    #expect(error?.code == code)
    // The sheet still exists. The navigation would have dismissed it first.
    #expect(flow.checkpoint == before)
    #expect(maze.answers.isEmpty)
  }

  @Test func theErrorSaysWhatFailedAndWhy() async throws {
    let flow = try await FlowTester(Maze())
    let router = try #require(flow.coordinator).router
    let error = await #expect(throws: NavigationError.self) { try await router.show(.broken) }
    #expect(error?.message == "'Broken' could not be created: the ceiling came down.")
  }

  @Test func aCoordinatorThatIsShownAlreadyIsRefused() async throws {
    let flow = try await FlowTester(Maze())
    let router = try #require(flow.coordinator).router
    try await router.show(.itself)
    let before = flow.checkpoint
    let error = await #expect(throws: NavigationError.self) { try await router.show(.itself) }
    #expect(error?.code == .coordinatorInUse)
    #expect(flow.checkpoint == before)
  }

  @Test func aCoordinatorThatReturnsItselfAsItsChildIsRefused() async throws {
    let flow = try await FlowTester(Ouroboros())
    let router = try #require(flow.coordinator).router
    let before = flow.checkpoint
    let error = await #expect(throws: NavigationError.self) { try await router.show(.tail) }
    #expect(error?.code == .coordinatorInUse)
    #expect(flow.checkpoint == before)
  }

  @Test func aPlanOfSeveralOperationsIsOneCommitOrNothingAndNamesTheStepThatFailed() async throws {
    let flow = try await FlowTester(Maze())
    let router = try #require(flow.coordinator).router
    try await router.show(.room(1))
    let (before, commits) = (try Line.encode(flow.checkpoint), flow.history.count)
    let error = await #expect(throws: NavigationError.self) {
      try await router.transaction { plan in
        try plan.popToRoot()
        try plan.show(.child, as: Cellar.self).show(.barrel(1)).show(.barrel(2))
        try plan.show(.broken)
        try plan.show(.room(2))
      }
    }
    #expect(
      error?.message
        == "Step 5 of the plan, show broken, failed: 'Broken' could not be created: the ceiling came down.")
    #expect(try Line.encode(flow.checkpoint) == before)
    try await router.transaction { plan in
      try plan.popToRoot()
      try plan.show(.child, as: Cellar.self).show(.barrel(1)).show(.barrel(2))
      try plan.show(.room(2))
    }
    #expect(flow.path == [.entrance, .child, .room(2)])
    #expect(flow.history.count == commits + 1)
  }

  @Test func aPlanHoldsOnlyWhileItsClosureRuns() async throws {
    let flow = try await FlowTester(Maze())
    let router = try #require(flow.coordinator).router
    var kept: NavigationPlan<Maze>?
    try await router.transaction { plan in
      try plan.show(.room(1))
      kept = plan
    }
    let before = flow.checkpoint
    #expect(throws: NavigationError.self) { try kept?.show(.room(2)) }
    #expect(flow.checkpoint == before)
    #expect(flow.path == [.entrance, .room(1)])
  }

  @Test func theTabsOfAPlanAreThoseOfAnyAncestor() async throws {
    let flow = try await FlowTester(House(initial: .maze))
    let router = try #require(flow.router(of: Maze.self))
    try await router.transaction { plan in
      try plan.show(.room(1))
      try plan.ancestor(House.self).select(.cellar, as: Cellar.self).show(.barrel(3))
    }
    try await flow.settle()
    #expect(flow.selection == .cellar)
    #expect(flow.presentation.path.map(\.title) == ["Stairs", "Barrel"])
    #expect(router.path == [.entrance, .room(1)])
  }

  @Test func whatIsNotThereCannotBeFocusedScrolledOrAnswered() async throws {
    let flow = try await FlowTester(Maze())
    let before = flow.checkpoint
    try await flow.send(.focus(99, "nothing"))
    try await flow.send(.scroll(99, lines: 5))
    await #expect(throws: FlowFailure.self) { try await flow.send(.tab(99)) }
    await #expect(throws: FlowFailure.self) { try await flow.send(.tap(.init(node: 99, element: "nothing"))) }
    await #expect(throws: FlowFailure.self) { try await flow.send(.dismiss) }
    await #expect(throws: FlowFailure.self) { try await flow.send(.back) }
    await #expect(throws: FlowFailure.self) { try await flow.send(.undo) }
    #expect(flow.checkpoint == before)
  }

  @Test func aFlowThatStartsItselfForEverIsRefused() async throws {
    let screen = try await FlowTester(Abyss()).screen
    #expect(screen.contains("because of a mistake in the feature: it would open itself again and again."))
  }

  @Test func aNavigationAskedForDuringACommitComesAfterIt() async throws {
    let flow = try await FlowTester(Eager())
    // Its destination navigates, which a destination must not do.
    flow.checksRestoration = false
    try await flow.tap("Go")
    #expect(flow.path == [.home, .first, .second])
  }
}

/// A coordinator that is its own child, and so bites its own tail.
@MainActor final class Ouroboros: StackCoordinator {
  enum Route: NavigationRoute { case head, tail }
  let start = Route.head
  func destination(for route: Route) -> Destination {
    switch route {
    case .head: .screen { PlainScreen() }
    case .tail: .flow { self }
    }
  }
}

/// A coordinator whose first entry is another coordinator of its type.
@MainActor final class Abyss: StackCoordinator {
  enum Route: NavigationRoute { case deeper }
  let start = Route.deeper
  func destination(for route: Route) -> Destination { .flow { Abyss() } }
}

/// A coordinator that navigates during a navigation.
@MainActor final class Eager: StackCoordinator {
  enum Route: NavigationRoute { case home, first, second }
  let start = Route.home
  private var isAsking = true

  func destination(for route: Route) -> Destination {
    if route == .first, isAsking {
      isAsking = false
      Task.immediate { try await self.router.show(.second) }
    }
    return .screen { router in EagerScreen(router: router) }
  }
}

struct EagerScreen: Screen {
  let router: Router<Eager>
  var body: some Content {
    Button("Go") {
      try await router.show(.first)
      // The coordinator's task is not tracked, so let it run.
      try await yieldUntil(router.path.count >= 3)
    }
  }
}
