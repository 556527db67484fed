import FoundationEssentials
@_spi(FrontEnd) @testable import Gangway
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) @testable import GangwayTesting
import Observation
import Testing

@MainActor @Suite struct SessionTests {
  @Test func anEventIsAnsweredWhenItsActionFirstSuspends() async throws {
    let gate = TestClock()
    let fixture = SessionFixture(Registry()) { _ in Slow(gate) }
    var later: [Update] = []
    fixture.session.onUpdate = { later.append($0) }
    let first = try fixture.session.start()
    let button = try #require(first.presentation?.top?.elements.first { $0.label == "Slow" })
    let target = Event.ElementReference(node: first.presentation?.top?.node ?? 0, element: button.id)
    let answer = fixture.session.handle(Event(id: 7, revision: 1, action: .tap(target)))
    #expect(answer.event == 7)
    #expect(answer.presentation?.plainText.contains("working") == true)
    #expect(answer.pending == [.init(event: 7, plugin: nil, isWaiting: true)])
    #expect(await fixture.session.idle())
    #expect(later.isEmpty)
    #expect(gate.wake())
    #expect(await fixture.session.idle())
    #expect(later.map(\.event) == [nil])
    #expect(later.last?.presentation?.plainText.contains("done") == true)
    #expect(later.last?.pending == [])
  }

  @Test func whatAnActionThrowsIsToldToThePerson() async throws {
    let flow = try await FlowTester(Slow(TestClock()))
    let failure = await #expect(throws: FlowFailure.self) { try await flow.tap("Fail") }
    #expect(failure?.message.hasPrefix("out of luck") == true)
  }

  @Test func aChangeOnAnotherThreadIsRendered() async throws {
    let fixture = SessionFixture(Registry()) { _ in Shared() }
    _ = try fixture.session.start()
    let model = try #require(fixture.session.rootCoordinator as? Shared).model
    await confirmation { confirm in
      fixture.session.onUpdate = { update in
        if update.presentation?.plainText.contains("Value 5") == true { confirm() }
      }
      await Task.detached { model.set(5) }.value
      #expect(await fixture.session.idle())
    }
  }

  /// Work that never ends would keep the caller waiting forever.
  @Test func aSessionThatStaysBusyIsReportedWhenTheLimitPasses() async throws {
    let fixture = SessionFixture(Registry()) { _ in Observed() }
    _ = try fixture.session.start()
    let work = fixture.session.work.start(event: nil, plugin: nil) { try await Task.sleep(for: .seconds(3_600)) }
    #expect(await !fixture.session.idle(within: .milliseconds(20)))
    work.cancel()
    #expect(await fixture.session.idle())
  }

  @Test func severalChangesAreOneUpdate() async throws {
    let fixture = SessionFixture(Registry()) { _ in Observed() }
    var updates = 0
    fixture.session.onUpdate = { _ in updates += 1 }
    _ = try fixture.session.start()
    let model = try #require(fixture.session.rootCoordinator as? Observed)
    for _ in 1...10 { model.state += 1 }
    #expect(await fixture.session.idle())
    #expect(updates == 1)
    #expect(fixture.session.presentation.plainText.contains("Count 10"))
  }

  @Test func anEventThatChangesNothingCarriesNoPresentation() async throws {
    let fixture = SessionFixture(Registry())
    _ = try fixture.session.start()
    let update = fixture.session.handle(Event(id: 1, revision: 1, action: .back))
    #expect(update.presentation == nil)
    #expect(update.checkpoint == nil)
    #expect(update.notices.map(\.kind) == [.refusal])
    #expect(update.revision == 1)
  }

  @Test func aRootThatCannotBeMadeSaysWhy() async throws {
    let fixture = SessionFixture(Registry()) { _ in throw Maze.BrokenRoom() }
    let update = try fixture.session.start()
    #expect(update.presentation?.plainText == "Root\n'Root' cannot be shown: the ceiling came down.")
  }

  @Test func closingCancelsWhatIsOpen() async throws {
    let fixture = SessionFixture(Registry())
    _ = try fixture.session.start()
    let maze = try #require(fixture.session.rootCoordinator as? Maze)
    try await maze.router.show(.question)
    fixture.session.close()
    #expect(maze.answers == ["cancelled sessionEnded"])
    #expect(!maze.router.isAttached)
  }

  @Test func twoSessionsOfOneRegistryShareNoState() async throws {
    let registry = Registry()
    try registry.register(Counting.self)
    let first = SessionFixture(registry, root: { RootCoordinator($0) })
    let second = SessionFixture(registry, root: { RootCoordinator($0) })
    _ = try first.session.start()
    _ = try second.session.start()
    func tap(_ session: Session) throws {
      let top = try #require(session.presentation.top)
      let button = try #require(top.elements.first { $0.label == "More" })
      let target = Event.ElementReference(node: top.node, element: button.id)
      _ = session.handle(Event(id: 1, revision: session.presentation.revision, action: .tap(target)))
    }
    try tap(first.session)
    #expect(first.session.presentation.plainText.contains("Count 1"))
    #expect(second.session.presentation.plainText.contains("Count 0"))
  }
}

/// A plugin whose tab counts in a service of the session.
final class Counting: Plugin {
  static let id = "counting"
  static let version = "1.0.0"
  func register(in registry: Registrar) {
    registry.service { _ in Observed() }
    registry.tab("main", title: "Counting") { context in
      let counter: Observed = try context.service()
      return Showing(counter)
    }
  }
}

@MainActor final class Showing: StackCoordinator {
  enum Route: NavigationRoute { case home }
  let start = Route.home
  let counter: Observed
  init(_ counter: Observed) { self.counter = counter }
  func destination(for route: Route) -> Destination {
    .screen { CountScreen(count: { self.counter.state }, more: { self.counter.state += 1 }) }
  }
}

@MainActor @Observable final class Slow: StackCoordinator {
  enum Route: NavigationRoute { case home }
  let start = Route.home
  var word = "idle"
  @ObservationIgnored let gate: TestClock
  init(_ gate: TestClock) { self.gate = gate }
  func destination(for route: Route) -> Destination { .screen { SlowScreen(slow: self) } }
}

struct SlowScreen: Screen {
  struct Unlucky: Error, CustomStringConvertible { let description = "out of luck" }
  let slow: Slow
  var body: some Content {
    Text(slow.word)
    Button("Slow") {
      slow.word = "working"
      try await slow.gate.sleep(for: .seconds(1))
      slow.word = "done"
    }
    Button("Fail") { throw Unlucky() }
  }
}

/// A model that any thread may change.
@Observable final class SharedModel: @unchecked Sendable {
  private(set) var value = 0
  func set(_ value: Int) { self.value = value }
}

@MainActor final class Shared: StackCoordinator {
  enum Route: NavigationRoute { case home }
  let start = Route.home
  let model = SharedModel()
  func destination(for route: Route) -> Destination { .screen { SharedScreen(model: self.model) } }
}

struct SharedScreen: Screen {
  let model: SharedModel
  var body: some Content { Text("Value \(model.value)") }
}

extension TestClock {
  /// Advances to the next sleeper, and returns whether there is one.
  @MainActor func wake() -> Bool { wakeNext(until: now.advanced(by: .seconds(60))) }
}

/// The effect of an event that arrives late.
@MainActor @Suite struct StaleEventTests {
  @Test func anEventOnWhatHasChangedItsKindIsANotice() throws {
    let fixture = SessionFixture(Registry()) { _ in Shifting() }
    let first = try fixture.session.start()
    let node = try #require(first.presentation?.top?.node)
    let model = try #require(fixture.session.rootCoordinator as? Shifting).model
    let tap = Event.Action.tap(.init(node: node, element: "it"))
    // The user sees a button, which becomes a link before the tap arrives.
    model.state = 1
    let late = fixture.session.handle(Event(id: 1, revision: 1, action: tap))
    #expect(late.notices.map(\.text) == ["'Now a link' had only just appeared, so nothing was done. Try again."])
    #expect(fixture.session.presentation.path.count == 1)
    let timely = fixture.session.handle(Event(id: 2, revision: 2, action: tap))
    #expect(timely.notices.isEmpty)
    #expect(fixture.session.presentation.path.count == 2)
  }

  @Test func anEventOnWhatOnlyChangedItsLabelIsHandled() throws {
    let fixture = SessionFixture(Registry()) { _ in Observed() }
    let first = try fixture.session.start()
    let node = try #require(first.presentation?.top?.node)
    let button = try #require(first.presentation?.top?.elements.first { $0.label == "More" })
    let tap = Event.Action.tap(.init(node: node, element: button.id))
    for id: EventID in [1, 2, 3] {
      #expect(fixture.session.handle(Event(id: id, revision: 1, action: tap)).notices.isEmpty)
    }
    #expect(fixture.session.presentation.plainText.contains("Count 3"))
  }
}

@MainActor final class Shifting: StackCoordinator {
  enum Route: NavigationRoute { case home, other }
  let start = Route.home
  let model = Observed()
  func destination(for route: Route) -> Destination {
    .screen { router in ShiftingScreen(model: self.model, router: router) }
  }
}

struct ShiftingScreen: Screen {
  let model: Observed
  let router: Router<Shifting>
  var body: some Content {
    if model.state == 0 {
      Button("A button") {}.id("it")
    } else {
      Link("Now a link", to: .other, in: router).id("it")
    }
  }
}
