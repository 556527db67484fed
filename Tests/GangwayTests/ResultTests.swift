@_spi(FrontEnd) import Gangway
@_spi(FrontEnd) import GangwayTesting
import Testing

@MainActor @Suite struct ResultTests {
  @Test func onFinishHearsTheValueOnce() async throws {
    let flow = try await FlowTester(Maze())
    let maze = try #require(flow.coordinator)
    try await maze.router.show(.question)
    try await flow.settle()
    try await flow.tap("Forty-two")
    #expect(maze.answers == ["finished 42"])
    #expect(flow.path == [.entrance])
  }

  @Test func onFinishHearsTheValueAlsoAfterARestart() async throws {
    let flow = try await FlowTester(Maze())
    try await #require(flow.coordinator).router.show(.question)
    try await flow.settle()
    try await flow.tap("More")
    try await flow.restart()
    try await flow.tap("Forty-two")
    #expect(flow.coordinator?.answers == ["finished 42"])
  }

  @Test(arguments: [
    ("back", "cancelled back"), ("dismiss", "cancelled back"), ("No answer", "cancelled cancelled"),
    ("show", "cancelled superseded"), ("root", "cancelled superseded"), ("popLast", "cancelled popped"),
  ])
  func aFlowThatEndsWithoutAValueSaysWhy(_ way: String, _ answer: String) async throws {
    let flow = try await FlowTester(Maze())
    let maze = try #require(flow.coordinator)
    try await maze.router.show(.question)
    try await flow.settle()
    switch way {
    case "back": try await flow.back()
    case "dismiss": try await flow.dismiss()
    case "show": try await maze.router.show(.room(1))
    case "root": try await maze.router.root(.menu)
    case "popLast": try await maze.router.popLast()
    default: try await flow.tap(way)
    }
    try await flow.settle()
    #expect(maze.answers == [answer])
  }

  @Test func aResultIsAwaited() async throws {
    let flow = try await FlowTester(Maze())
    let router = try #require(flow.coordinator).router
    async let outcome = router.show(.question, awaiting: Question.self)
    try await yieldUntil(flow.path.count >= 2)
    try await flow.settle()
    try await flow.tap("Forty-two")
    #expect(try await outcome == .finished(42))
  }

  @Test func anAwaitedResultIsCancelledWithItsReason() async throws {
    let flow = try await FlowTester(Maze())
    let router = try #require(flow.coordinator).router
    async let outcome = router.show(.question, awaiting: Question.self)
    try await yieldUntil(flow.path.count >= 2)
    try await flow.settle()
    try await flow.back()
    #expect(try await outcome == .cancelled(.back))
  }

  @Test func aFlowThatFailsThrowsItsErrorToWhoWaits() async throws {
    let flow = try await FlowTester(Maze())
    let router = try #require(flow.coordinator).router
    let outcome = Task { try await router.show(.question, awaiting: Question.self) }
    try await yieldUntil(flow.path.count >= 2)
    try await #require(flow.router(of: Question.self)).fail(Maze.BrokenRoom())
    await #expect(throws: Maze.BrokenRoom.self) { _ = try await outcome.value }
    #expect(flow.coordinator?.answers == ["cancelled failed"])
    try await router.show(.question)
    try await #require(flow.router(of: Question.self)).fail(Maze.BrokenRoom())
    await #expect(throws: FlowFailure.self) { try await flow.settle() }
    #expect(flow.notices.map(\.text) == ["'Question' failed: the ceiling came down"])
    // One step throws it.
    try await flow.settle()
    #expect(flow.path == [.entrance])
  }

  @Test func awaitingWhatIsNoFlowIsATypedError() async throws {
    let flow = try await FlowTester(Maze())
    let router = try #require(flow.coordinator).router
    let error = await #expect(throws: NavigationError.self) {
      _ = try await router.show(.room(1), awaiting: Question.self)
    }
    #expect(error?.code == .unexpectedDestination)
    #expect(flow.path == [.entrance])
  }

  @Test(arguments: ["popLast", "popToRoot", "root", "back", "game"])
  func onDismissRunsOnceHoweverTheEntryGoes(_ way: String) async throws {
    let flow = try await FlowTester(Maze())
    let router = try #require(flow.coordinator).router
    let count = Counter()
    try await router.show(.game, onDismiss: { count.value += 1 })
    switch way {
    case "popLast": try await router.popLast()
    case "popToRoot": try await router.popToRoot()
    case "root": try await router.root(.menu)
    case "back": try await flow.back()
    default: try await router.show(.game)
    }
    try await router.show(.room(1))
    try await router.popToRoot()
    #expect(count.value == 1)
  }

  @Test func aValueNobodyWaitsForAnyMoreIsTold() async throws {
    let flow = try await FlowTester(Awaiting())
    try await flow.tap("Ask")
    try await flow.restart()
    try await flow.tap("Forty-two")
    #expect(flow.notices.map(\.kind) == [.information])
    #expect(flow.notices.first?.text.contains("was lost because the app restarted while '") == true)
    #expect(flow.notices.first?.detail?.contains("Declare onFinish: at the destination") == true)
  }

  @Test func waitingForAFlowDoesNotKeepTheSessionBusy() async throws {
    let flow = try await FlowTester(Awaiting())
    try await flow.tap("Ask")
    try await flow.tap("Forty-two")
    #expect(flow.coordinator?.log == ["finished(42)"])
  }
}

@MainActor final class Counter { var value = 0 }

/// A flow that awaits an answer, without a handler at the destination.
@MainActor final class Awaiting: StackCoordinator {
  enum Route: NavigationRoute { case home, question }
  let start = Route.home
  var log: [String] = []
  func destination(for route: Route) -> Destination {
    switch route {
    case .home: .screen { router in Asking(coordinator: self, router: router) }
    case .question: .flow(.modal) { Question() }
    }
  }
}

struct Asking: Screen {
  let coordinator: Awaiting
  let router: Router<Awaiting>
  var body: some Content {
    Button("Ask") { coordinator.log.append("\(try await router.show(.question, awaiting: Question.self))") }
  }
}
