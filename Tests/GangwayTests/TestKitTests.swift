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
    #expect(failure?.message.hasPrefix("Cellar ended with its entry, but is still in memory") == true)
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
