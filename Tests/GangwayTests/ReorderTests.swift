@_spi(FrontEnd) @testable import Gangway
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) @testable import GangwayTesting
import Observation
import Testing

/// Entries that stay in a stack while `set` changes their order.
@MainActor @Suite struct ReorderTests {
  private func notes(_ routes: [Jottings.Route]) async throws -> (FlowTester<Jottings>, Router<Jottings>) {
    let flow = try await FlowTester(Jottings())
    let router = try #require(flow.coordinator).router
    try await router.set(routes)
    try await flow.settle()
    return (flow, router)
  }

  @Test(arguments: ["set", "a plan"])
  func entriesKeepTheirTextWhereverTheyMove(_ way: String) async throws {
    let (flow, router) = try await notes([.note("a"), .note("b")])
    try await flow.type("typed", into: "Note b")
    let wanted = [Jottings.Route.note("b"), .note("a")]
    if way == "set" {
      try await router.set(wanted)
    } else {
      try await router.transaction { try $0.set(wanted) }
    }
    try await flow.settle()
    #expect(flow.path == wanted)
    #expect(!flow.screen.contains("typed"))
    try await flow.back()
    #expect(flow.screen.contains("typed"))
    #expect(flow.coordinator?.made == ["a", "b"])
  }

  @Test func newEntriesGoBetweenThoseThatStay() async throws {
    let (flow, router) = try await notes([.note("a"), .note("b"), .note("c")])
    try await flow.type("typed", into: "Note c")
    try await router.set([.note("new"), .note("c"), .note("other"), .note("a")])
    #expect(flow.path == [.note("new"), .note("c"), .note("other"), .note("a")])
    try await flow.settle()
    try await flow.back()
    try await flow.back()
    #expect(flow.screen.contains("typed"))
    try await flow.back()
    #expect(flow.path == [.note("new")])
    #expect(flow.coordinator?.made == ["a", "b", "c", "new", "other"])
  }

  @Test func theFirstEntryMayGoWhileAnotherTakesItsPlace() async throws {
    let (flow, router) = try await notes([.note("a"), .note("b")])
    try await flow.type("typed", into: "Note b")
    try await router.set([.note("b")])
    try await flow.settle()
    #expect(flow.path == [.note("b")])
    #expect(flow.screen.contains("typed"))
    #expect(!flow.presentation.canGoBack)
    try await flow.restart()
    #expect(flow.screen.contains("typed"))
    #expect(flow.coordinator?.made == ["b"])
  }

  @Test func equalRoutesKeepTheirOrder() async throws {
    let (flow, router) = try await notes([.note("a"), .note("a"), .note("b")])
    let ids = flow.presentation.path.map(\.node)
    try await router.set([.note("b"), .note("a"), .note("a"), .note("a")])
    try await flow.settle()
    let moved = flow.presentation.path.map(\.node)
    #expect(moved.prefix(3) == [ids[2], ids[0], ids[1]])
    #expect(!ids.contains(moved[3]))
  }

  @Test func aModalThatStaysIsNotMadeAgain() async throws {
    let (flow, router) = try await notes([.note("a"), .popup("p")])
    try await flow.type("typed", into: "Note p")
    try await router.set([.note("a"), .note("b"), .popup("p")])
    try await flow.settle()
    #expect(flow.screen.contains("typed"))
    #expect(flow.presentation.layers.map(\.style) == [.base, .modal])
    // The first entry of a stack is no modal, so it is made again.
    try await router.set([.popup("p"), .note("a")])
    try await flow.settle()
    #expect(flow.presentation.layers.map(\.style) == [.base])
    #expect(flow.path == [.popup("p"), .note("a")])
    try await router.set([.note("a"), .popup("p")])
    try await flow.settle()
    #expect(flow.presentation.layers.map(\.style) == [.base, .modal])
  }

  @Test func aReorderingIsUndoneAndRedone() async throws {
    let (flow, router) = try await notes([.note("a"), .note("b"), .note("c")])
    let before = flow.path
    let after = [Jottings.Route.note("c"), .note("new"), .note("a")]
    try await router.set(after)
    try await flow.settle()
    try await flow.undo()
    #expect(flow.path == before)
    try await flow.redo()
    #expect(flow.path == after)
    try await flow.restart()
    #expect(flow.path == after)
  }

  @Test func aFailedReorderingChangesNothing() async throws {
    let (flow, router) = try await notes([.note("a"), .note("b"), .popup("p")])
    try await flow.type("typed", into: "Note p")
    let before = (flow.checkpoint, flow.screen)
    await #expect(throws: NavigationError.self) { try await router.set([.popup("p"), .note("b"), .broken]) }
    try await flow.settle()
    #expect((flow.checkpoint, flow.screen) == before)
  }

  @Test func theCommitTellsOnlyWhatCameAndWent() async throws {
    let (flow, router) = try await notes([.note("a"), .note("b")])
    var commits = flow.session.commits.makeAsyncIterator()
    _ = await commits.next()
    try await router.set([.note("b"), .note("a")])
    try await flow.settle()
    let commit = await commits.next()
    #expect(commit?.came.isEmpty == true && commit?.went.isEmpty == true)
    #expect(commit?.path.map(\.location.description) == ["note(\"b\")", "note(\"a\")"])
  }
}

@MainActor final class Jottings: StackCoordinator {
  enum Route: NavigationRoute { case note(String), popup(String), broken }
  struct Broken: Error {}
  let start = Route.note("a")
  var made: [String] = []

  func destination(for route: Route) -> Destination {
    switch route {
    case .note(let name): .screen { self.screen(name) }
    case .popup(let name): .screen(.modal) { self.screen(name) }
    case .broken: .screen { () throws -> JottingScreen in throw Broken() }
    }
  }

  private func screen(_ name: String) -> JottingScreen {
    made.append(name)
    return JottingScreen(name: name)
  }
}

@MainActor @Observable final class Jotting {
  var text = ""
}

struct JottingScreen: Screen {
  let name: String
  @Bindable var note = Jotting()
  var body: some Content { TextField("Note \(name)", text: $note.text) }
}
