import FoundationEssentials
@_spi(FrontEnd) import Gangway
@_spi(FrontEnd) import GangwayTesting
import Glibc
import Testing

/// The test kit finds the mistakes that it promises to find.
@MainActor @Suite(.serialized) struct TestKitTests {
  @Test func aCoordinatorThatOutlivesItsFlowFailsTheStep() async throws {
    let flow = try await FlowTester(Hoarder())
    try await flow.tap("Show")
    let failure = await #expect(throws: FlowFailure.self) { try await flow.back() }
    #expect(failure?.message.hasPrefix("Still in memory after the end of their entries: Cellar.") == true)
    #expect(failure?.line == #line - 2)
  }

  @Test func theLeakCheckCanBeTurnedOff() async throws {
    let flow = try await FlowTester(Hoarder())
    flow.checksLeaks = false
    try await flow.tap("Show")
    try await flow.back()
    #expect(flow.path == [.home])
  }

  @Test func whatWouldNotComeBackFailsTheStep() async throws {
    let flow = try await FlowTester(Dice())
    let failure = await #expect(throws: FlowFailure.self) { try await flow.tap("Roll") }
    #expect(failure?.message.hasPrefix("The restored flow differs: node 1 was {") == true)
  }

  @Test func linksOpenAsTheAppIsConfigured() async throws {
    let flow = try await FlowTester(
      plugins: [Castle.self], schemes: ["castle"], origins: ["https://example.org/app"], ignoresCase: true)
    try await flow.open("https://example.org/app/HALLS/7")
    #expect(flow.url == "castle://halls/7")
    try await flow.restart()
    try await flow.open("castle://Halls/SECRET")
    #expect(flow.presentation.path.map(\.title) == ["Gate", "Secret"])
    let failure = await #expect(throws: FlowFailure.self) { try await flow.open("gangway://halls/7") }
    #expect(failure?.message.contains("Its schemes and origins are: castle, https://example.org/app.") == true)
    // A flow without an app of plugins takes the same settings.
    let shelf = try await FlowTester(Shelf(), plugins: [ShelfLinks.self], schemes: ["Shelves"])
    try await shelf.open("shelves://shelf/a")
    #expect(shelf.presentation.path.map(\.title) == ["Stairs", "Barrel"])
  }

  @Test func wrongSettingsOfLinksAreAFailure() async throws {
    let origin = await #expect(throws: FlowFailure.self) { try await FlowTester(Dice(), origins: ["example.org"]) }
    #expect(origin?.message.hasPrefix("'example.org' is not a web address such as https://example.org") == true)
    let scheme = await #expect(throws: FlowFailure.self) { try await FlowTester(Dice(), schemes: []) }
    #expect(scheme?.message == "LinkSettings has no scheme. Give at least one, such as 'gangway'.")
    // Two links that differ in case alone match the same URLs.
    let twins = await #expect(throws: FlowFailure.self) {
      try await FlowTester(plugins: [LowerCase.self, UpperCase.self], ignoresCase: true)
    }
    #expect(twins?.message.contains("which matches the same URLs as room/list") == true, "\(twins!)")
    _ = try await FlowTester(plugins: [LowerCase.self, UpperCase.self])
  }

  @Test func aSnapshotIsRecordedComparedAndItsDifferenceShown() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "gangway-snapshots-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "SomeTests.swift").path
    let flow = try await FlowTester(TodosCoordinator(store: TodoStore(["Buy milk", "Sleep"])))

    let missing = #expect(throws: FlowFailure.self) { try flow.snapshot("list", path: path) }
    #expect(missing?.message.hasPrefix("There is no snapshot \(folder.path)/Snapshots/SomeTests/") == true)
    setenv("RECORD_SNAPSHOTS", "1", 1)
    try flow.snapshot("list", path: path)
    unsetenv("RECORD_SNAPSHOTS")
    try flow.snapshot("list", path: path)

    let other = try await FlowTester(TodosCoordinator(store: TodoStore(["Buy bread", "Sleep"])))
    let changed = #expect(throws: FlowFailure.self) { try other.snapshot("list", path: path) }
    #expect(
      changed?.message.contains("  List\n- Buy milk\n+ Buy bread\n  Sleep\n  New\n") == true,
      "\(changed?.message ?? "")")
  }

  @Test func aScriptSaysWhichLineFailedAndPrintsWhatItAskedFor() async throws {
    let flow = try await FlowTester(TodosCoordinator(store: .inMemory()))
    let output = try await flow.run(
      script:
        "# a comment\ntap New\nset Title = Buy milk\nrestart\nexpect [Buy milk]\ntap Save\nscreen\nundo\nhistory\n")
    // The commits before the restart are gone with their host.
    #expect(output == "List > Todo\nTodo number 1\n1  code  finish\n2  code  show detail(1)  (undone)\n")
    let failure = await #expect(throws: FlowFailure.self) { try await flow.run(script: "screen\ntap Nix\n") }
    #expect(failure?.message.hasPrefix("The script failed: line 2: There is no 'Nix' on the screen.") == true)
  }

  @Test func finishingAStubThatIsNotShownSaysWhatWas() async throws {
    let flow = try await FlowTester(Halls(), stubs: [.place("lodge.room", taking: Int.self, endingWith: String.self)])
    let failure = await #expect(throws: FlowFailure.self) { try await flow.finishStub("lodge.room", with: "x") }
    #expect(failure?.message == "No stub lodge.room with the result String is open. Stubs that were shown: [].")
  }

  /// Otherwise the test can move the clock before the sleep begins, and the sleep never ends.
  @Test func aSleepOfTheTestsOwnTaskBeginsWithTheCall() async throws {
    let clock = TestClock()
    let flow = try await FlowTester(Hoarder())
    let sleep = Task.immediate { try await clock.sleep(for: .seconds(1)) }
    let end = Task {
      try await Task.sleep(for: .seconds(10))
      sleep.cancel()
    }
    try await flow.advance(clock, by: .seconds(1))
    await #expect(throws: Never.self) { try await sleep.value }
    end.cancel()
  }
}

/// A coordinator that keeps the child coordinators that it showed.
@MainActor private final class Hoarder: StackCoordinator {
  enum Route: NavigationRoute { case home, child }
  let start = Route.home
  var hoard: [Cellar] = []

  func destination(for route: Route) -> Destination {
    switch route {
    case .home: .screen { router in HoarderScreen(router: router) }
    case .child:
      .flow {
        let cellar = Cellar()
        self.hoard.append(cellar)
        return cellar
      }
    }
  }
}

private struct HoarderScreen: Screen {
  let router: Router<Hoarder>
  var body: some Content { Button("Show") { try await router.show(.child) } }
}

/// A coordinator whose state is not the value that was set.
@MainActor private final class Dice: StackCoordinator {
  enum Route: NavigationRoute { case table }
  let start = Route.table
  private var rolled = 0
  var state: Int {
    get { rolled }
    set { rolled = newValue + 1 }
  }
  func destination(for route: Route) -> Destination { .screen { DiceScreen(roll: { self.rolled = 6 }) } }
}

private struct DiceScreen: Screen {
  let roll: @MainActor () -> Void
  var body: some Content { Button("Roll") { roll() } }
}

private final class LowerCase: Plugin {
  static let id = "lower-case"
  static let version = "1.0.0"
  func register(in registry: Registrar) { registry.multiStepLink("room/list") { (_: NoPayload) in LinkPlan.here } }
}

private final class UpperCase: Plugin {
  static let id = "upper-case"
  static let version = "1.0.0"
  func register(in registry: Registrar) { registry.multiStepLink("room/LIST") { (_: NoPayload) in LinkPlan.here } }
}
