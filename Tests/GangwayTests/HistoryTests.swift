@_spi(FrontEnd) import Gangway
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import GangwayTesting
import Testing

@MainActor @Suite struct HistoryTests {
  @Test func theCommitsOfASessionAreRead() async throws {
    let flow = try await FlowTester(House(initial: .maze))
    try await flow.tap("Go on")
    try await flow.tab("Cellar")
    try await flow.tap("Barrel")
    try await flow.back()
    #expect(
      flow.history.map(\.description) == [
        "1  code  show room(9)", "2  person  select 'Cellar'", "3  code  show barrel(1)", "4  person  back",
      ])
  }

  @Test func everyCommitIsSteppedBackAndForward() async throws {
    let flow = try await FlowTester(House(initial: .maze))
    // The content of a tab is made when the tab is first shown, and then stays.
    try await flow.tab("Cellar")
    try await flow.tab("Maze")
    let base = flow.history.count
    var trees = [flow.tree]
    func note(_ step: () async throws -> Void) async throws {
      try await step()
      try await flow.settle()
      trees.append(flow.tree)
    }
    let router = try #require(flow.router(of: Maze.self))
    try await note { try await flow.tap("Go on") }
    try await note { try await router.show(.childSheet, as: Cellar.self).show(.barrel(1)) }
    trees.removeLast()
    trees.append(flow.tree)
    try await note { try await flow.dismiss() }
    try await note { try await router.root(.menu) }
    try await note { try await router.show(.game) }
    try await note { try await router.show(.game) }
    try await note { try await flow.tab("Cellar") }
    let count = flow.history.count - base
    // The child sheet took two commits.
    #expect(count == trees.count)
    var seen = [flow.tree]
    for _ in 0..<count {
      try await flow.undo()
      seen.append(flow.tree)
    }
    #expect(seen.first == trees.last)
    #expect(seen.last == trees.first)
    #expect(Set(trees).isSubset(of: Set(seen)))
    #expect(flow.history.filter(\.isUndone).count == count)
    for _ in 0..<count { try await flow.redo() }
    #expect(flow.tree == trees.last)
    let failure = await #expect(throws: FlowFailure.self) { try await flow.redo() }
    #expect(failure?.message.hasPrefix("There is nothing to redo.") == true)
  }

  @Test func aNewCommitEndsWhatCouldBeSteppedForwardTo() async throws {
    let flow = try await FlowTester(Maze())
    try await flow.tap("Go on")
    try await flow.undo()
    try await #require(flow.coordinator).router.show(.room(2))
    #expect(flow.history.map(\.operation) == ["show room(2)"])
    await #expect(throws: FlowFailure.self) { try await flow.redo() }
  }

  @Test func whatWasTypedComesBackWithItsEntry() async throws {
    let flow = try await FlowTester(TodosCoordinator(store: .inMemory()))
    try await flow.tap("New")
    try await flow.type("Buy milk", into: "Title")
    try await flow.dismiss()
    try await flow.undo()
    #expect(flow.screen.contains("Title: [Buy milk]"))
    try await flow.tap("Save")
    #expect(flow.path == [.list, .detail(1)])
  }

  @Test func aBoundedNumberOfCommitsIsKept() async throws {
    let flow = try await FlowTester(Maze())
    let router = try #require(flow.coordinator).router
    for room in 1...250 { try await router.show(.room(room)) }
    #expect(flow.history.count == 100)
    #expect(flow.history.first?.number == 151)
    for _ in 0..<100 { try await flow.undo() }
    #expect(flow.path.count == 151)
    await #expect(throws: FlowFailure.self) { try await flow.undo() }
  }

  /// "A flow ends with a value, once."
  @Test func undoDoesNotBringBackAFlowThatEndedWithAValue() async throws {
    let flow = try await FlowTester(Maze())
    let maze = try #require(flow.coordinator)
    try await maze.router.show(.question)
    try await flow.settle()
    try await flow.tap("Forty-two")
    _ = try? await flow.undo()
    #expect(flow.path == [.entrance])
    #expect(throws: (any Error).self) {
      try ElementLookup("Forty-two", kinds: [.button]).find(in: flow.presentation)
    }
    #expect(maze.answers == ["finished 42"])
  }

  @Test func anEntryThatWentByUndoIsCancelledWithThatReason() async throws {
    let flow = try await FlowTester(Maze())
    let maze = try #require(flow.coordinator)
    try await maze.router.show(.question)
    try await flow.settle()
    try await flow.undo()
    #expect(maze.answers == ["cancelled undone"])
    try await flow.redo()
    try await flow.tap("Forty-two")
    #expect(maze.answers == ["cancelled undone", "finished 42"])
  }
}
