@_spi(FrontEnd) import GangwayTesting
import Testing

@MainActor @Suite struct AuthorsViewTests {
  @Test func creatingShowsTheNewTodo() async throws {
    let flow = try await FlowTester(TodosCoordinator(store: .inMemory()))
    try await flow.tap("New")
    try await flow.type("Buy milk", into: "Title")
    try await flow.tap("Save")
    #expect(flow.path == [.list, .detail(1)])
    #expect(flow.screen == "List > Todo\nTodo number 1")
  }

  @Test func aModalIsAnnouncedAndDismissed() async throws {
    let flow = try await FlowTester(TodosCoordinator(store: .inMemory()))
    #expect(flow.screen == "List\nNothing to do\nNew")
    try await flow.tap("New")
    #expect(flow.screen == "List > Form\n(modal) Form\nTitle: []\nSecret: off\nSave\nCancel")
    try await flow.dismiss()
    #expect(flow.screen == "List\nNothing to do\nNew")
  }

  @Test func whatWasTypedAndChosenSurvivesARestartButSecretsDoNot() async throws {
    let store = TodoStore.inMemory()
    let flow = try await FlowTester(TodosCoordinator(store: store))
    try await flow.tap("New")
    try await flow.type("Buy milk", into: "Title")
    try await flow.toggle("Secret")
    try await flow.type("hunter2", into: "Passphrase")
    let before = flow.tree
    try await flow.restart()
    #expect(flow.tree == before)
    #expect(flow.screen.contains("Title: [Buy milk]\nSecret: on\nPassphrase: []"))
    try await flow.tap("Save")
    #expect(flow.path == [.list, .detail(1)])
    #expect(store.open.map(\.title) == ["Buy milk"])
  }

  @Test func aStepOnWhatIsNotThereSaysWhatIs() async throws {
    let flow = try await FlowTester(TodosCoordinator(store: .inMemory()))
    let failure = await #expect(throws: FlowFailure.self) { try await flow.tap("Neu") }
    #expect(failure?.message == "There is no 'Neu' on the screen. Did you mean 'New'? Visible: 'New'.")
    #expect(failure?.line == #line - 2)
  }

  @Test func twoElementsOfOneLabelAreToldApart() async throws {
    let flow = try await FlowTester(TodosCoordinator(store: TodoStore(["Twin", "Twin"])))
    let failure = await #expect(throws: FlowFailure.self) { try await flow.tap("Twin") }
    #expect(
      failure?.message == "'Twin' is ambiguous: 2 elements have that label. Use 'Twin #1' (id #0[1].0) or 'Twin #2' "
        + "(id #0[2].0).")
    try await flow.tap("Twin #2")
    #expect(flow.path == [.list, .detail(2)])
  }
}
