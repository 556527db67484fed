@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import GangwayTesting
import Observation
import Testing

@_spi(FrontEnd) @testable import Gangway

/// Messages to the user, and their undo actions.
@MainActor @Suite struct TellingTests {
  @Observable final class Notes: StackCoordinator {
    enum Route: NavigationRoute { case start, detail, leaving }
    let start = Route.start
    var state = ["Milk", "Bread"]

    func destination(for route: Route) -> Destination {
      switch route {
      case .start: .screen { NotesScreen(notes: self) }
      case .detail: .screen { RemoveScreen(notes: self) }
      case .leaving: .screen { LeavingScreen(router: $0) }
      }
    }

    func remove(_ name: String) {
      let before = state
      state.removeAll { $0 == name }
      router.tell("Removed \(name).") { [weak self] in self?.state = before }
    }
  }

  /// Long work outlives the screen that started it, and its messages must reach the user all the same.
  @Test func aMessageAppearsAlsoAfterItsScreenHasGone() async throws {
    let flow = try await FlowTester(Notes())
    try await flow.coordinator?.router.show(.leaving)
    try await flow.settle()
    try await flow.tap("Leave")
    #expect(flow.screen.contains("Milk"))
    try await flow.expect("Told after the end.")
  }

  struct LeavingScreen: Screen {
    let router: Router<Notes>
    var body: some Content {
      Button("Leave") {
        try await router.pop()
        Task {
          try await yieldUntil(!router.isAttached)
          router.tell("Told after the end.")
        }
      }
    }
  }

  struct NotesScreen: Screen {
    let notes: Notes
    var body: some Content {
      for name in notes.state { Text(name).id(name) }
      Button("Save") { notes.router.tell("Saved.") }
      Button("Remove Milk") { notes.remove("Milk") }
      Button("Detail") { try await notes.router.show(.detail) }
      Button("Lose") {
        notes.router.tell("Lost.") { throw NoWay() }
      }
    }
  }

  struct RemoveScreen: Screen {
    let notes: Notes
    var body: some Content {
      Button("Remove Bread") {
        notes.remove("Bread")
        try await notes.router.pop()
      }
    }
  }

  struct NoWay: Error, CustomStringConvertible { let description = "it is gone for good" }

  @Test func whatIsToldIsANoticeOfTheFeature() async throws {
    let flow = try await FlowTester(Notes())
    try await flow.tap("Save")
    #expect(flow.notices.map(\.text) == ["Saved."] && flow.notices.first?.kind == .information)
    #expect(flow.notices.first?.undo == nil)
    await #expect(throws: FlowFailure.self) { try await flow.undo("Saved.") }
  }

  @Test func whatWasDoneIsUndoneOnce() async throws {
    let flow = try await FlowTester(Notes())
    try await flow.tap("Remove Milk")
    #expect(flow.coordinator?.state == ["Bread"])
    let id = try #require(flow.notices.first?.undo)
    try await flow.undo("Removed Milk.")
    #expect(flow.coordinator?.state == ["Milk", "Bread"])
    await #expect(throws: FlowFailure.self) { try await flow.undo("Removed Milk.") }
    // A front end that sends the undo again cannot undo it either.
    let before = flow.screen
    await #expect(throws: FlowFailure.self) { try await flow.send(.undoNotice(id)) }
    #expect(flow.notices.first?.text.contains("can no longer be undone") == true && flow.screen == before)
  }

  @Test func whatWasDoneOnAScreenThatIsGoneCanBeUndone() async throws {
    let flow = try await FlowTester(Notes())
    try await flow.tap("Detail")
    try await flow.tap("Remove Bread")
    #expect(flow.screen.contains("Milk") && !flow.screen.contains("\nBread"))
    try await flow.undo("Removed Bread.")
    #expect(flow.screen.contains("Bread"))
  }

  @Test func afterARestartItCannotBeUndone() async throws {
    let flow = try await FlowTester(Notes())
    try await flow.tap("Remove Milk")
    let told = try #require(flow.notices.first?.undo)
    try await flow.restart()
    await #expect(throws: FlowFailure.self) { try await flow.undo("Removed Milk.") }
    #expect(flow.coordinator?.state == ["Bread"])
    // The next notice has another number. So a front end that still shows the first message does not undo the second.
    try await flow.tap("Remove Milk")
    #expect(try #require(flow.notices.first?.undo) > told)
  }

  @Test func itsNumberIsThatOfNoScreen() async throws {
    let flow = try await FlowTester(Notes())
    try await flow.tap("Remove Milk")
    let told = NodeID(rawValue: try #require(flow.notices.first?.undo).rawValue)
    try await flow.tap("Detail")
    #expect(try #require(flow.presentation.top?.node) > told)
    #expect(flow.checkpoint.records[told] == nil)
  }

  @Test func whatCannotBeUndoneSaysWhy() async throws {
    let flow = try await FlowTester(Notes())
    try await flow.tap("Lose")
    await #expect(throws: FlowFailure.self) { try await flow.undo("Lost.") }
    #expect(flow.notices.map(\.developerText) == ["it is gone for good"])
  }

  @Test func theLastFiftyAreKept() async throws {
    let flow = try await FlowTester(Notes())
    flow.checksRestoration = false
    for _ in 0..<60 { try await flow.tap("Save") }
    #expect(flow.told.notices.count == 50)
  }

  @Test func aScriptUndoesWhatWasTold() async throws {
    let flow = try await FlowTester(Notes())
    let output = try await flow.run(
      script: "tap Save\ntap Remove Milk\nmessages\nundo Removed Milk.\nexpect Milk\nmessages")
    #expect(output == "Saved.\nRemoved Milk. (undo)\nSaved.\nRemoved Milk.\n")
    await #expect(throws: FlowFailure.self) { try await flow.run(script: "undo Removed Milk.") }
  }

  @Test func theEventIsWrittenAndRead() throws {
    let event = Event(id: 3, revision: 4, action: .undoNotice(7))
    let line = try Line.encode(event)
    #expect(String(decoding: line, as: UTF8.self).contains("\"action\":\"undoNotice\""))
    #expect(try Line.decode(Event.self, from: line) == event)
  }
}
