import Foundation
@_spi(FrontEnd) import Gangway
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import GangwayTesting
import Observation
import Testing

@testable import Todos

@MainActor @Suite struct TodosFlowTests {
  private let desk: Desk

  init() throws { desk = try Desk() }

  private func add(_ flow: FlowTester<RootCoordinator>, _ title: String) async throws {
    try await flow.tap("New todo")
    try await flow.type(title, into: "Title")
    try await flow.submit()
  }

  /// Runs the script that also runs in a host with the loaded library.
  @Test func theScriptRunsInIsolation() async throws {
    let script = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Scripts/todos.txt")
    let flow = try await FlowTester(plugins: [TodosPlugin.self], stubs: desk.stubs)
    try await flow.run(script: String(contentsOf: script, encoding: .utf8))
  }

  @Test func whatIsCreatedIsShownCountedAndThereAfterARestart() async throws {
    let flow = try await desk.flow()
    try await flow.tap("New todo")
    await #expect(throws: FlowFailure.self) { try await flow.submit() }
    #expect(flow.screen.contains("Fill in 'Title'."))
    try await flow.type("Buy milk", into: "Title")
    try await flow.toggle("Has a date")
    try await flow.restart()
    #expect(flow.screen.contains("Title: [Buy milk]"))
    #expect(flow.screen.contains("Due: "))
    try await flow.submit()
    #expect(flow.screen.contains("Todos > Buy milk\n"))
    #expect(flow.url == "gangway://todos/1")
    try await flow.back()
    #expect(flow.screen.contains("All (1)"))
    try await flow.restart()
    #expect(flow.screen.contains("All (1)"))
  }

  @Test func aTodoHasItsAddressWhicheverWayTheUserTook() async throws {
    let flow = try await desk.flow()
    try await add(flow, "Buy milk")
    try await flow.back()
    #expect(flow.presentation.url == "gangway://todos/lists/all" || flow.presentation.url == "gangway://todos")
    if flow.presentation.url == "gangway://todos" { try await flow.tap("All") }
    try await flow.tap("Buy milk")
    #expect(flow.presentation.path.map(\.title) == ["Todos", "All", "Buy milk"])
    #expect(flow.presentation.url == "gangway://todos/1")
    #expect(flow.url == nil)
    try await flow.tap("Edit")
    #expect(flow.presentation.url == nil)
  }

  @Test func aTodoIsStoredOnceAlsoWhenTheHostDiesWhileStoring() async throws {
    let flow = try await desk.flow()
    try await flow.tap("New todo")
    try await flow.type("Buy milk", into: "Title")
    let create = try #require(flow.router(of: CreateTodo.self)?.coordinator)
    let store = try #require(flow.router(of: TodosCoordinator.self)?.coordinator?.shelf.store)
    // The todo was stored, and the host crashed before the flow knew it. The form is restored, and the user presses
    // Save again.
    _ = try await store.add(Todo(key: create.state.key, title: "Buy milk"))
    try await flow.restart()
    try await flow.submit()
    #expect(flow.url == "gangway://todos/1")
    try await flow.back()
    #expect(flow.screen.contains("All (1)"))
  }

  @Test func whoIsNotSignedInSignsInAndGoesOnToWhereTheLinkLed() async throws {
    let flow = try await desk.flow()
    try await add(flow, "Buy milk")
    desk.user = nil
    try await flow.settle()
    // The screens that need a user are gone.
    #expect(flow.presentation.path.map(\.title) == ["Todos"], "\(flow.screen)")
    #expect(flow.screen.contains("These todos are samples") && !flow.screen.contains("Buy milk"), "\(flow.screen)")
    try await flow.open("gangway://todos/1")
    #expect(flow.screen.contains("account.sign-in"))
    desk.user = "ada"
    try await flow.finishStub("account.sign-in", with: "ada")
    #expect(flow.screen.contains("Buy milk\n"))
    #expect(flow.url == "gangway://todos/1")
  }

  @Test func anotherUserSeesNothingOfIt() async throws {
    let flow = try await desk.flow()
    try await add(flow, "Buy milk")
    desk.user = nil
    try await flow.settle()
    #expect(!flow.screen.contains("milk"))
    try await flow.tap("Sign in")
    desk.user = "grace"
    try await flow.finishStub("account.sign-in", with: "grace")
    #expect(flow.screen.contains("Todos\n"))
    #expect(!flow.screen.contains("milk"))
    try await flow.open("gangway://todos/1")
    #expect(flow.screen.contains("This todo does not exist"))
    try await flow.tap("Show all")
    #expect(!flow.screen.contains("All ("))
  }

  @Test func guestsSeeSamplesAndSignInToKeepTodos() async throws {
    desk.user = nil
    let flow = try await desk.flow()
    #expect(flow.screen.contains("These todos are samples") && flow.screen.contains("All (4)"), "\(flow.screen)")
    try await flow.tap("All")
    try await flow.type("train", into: "Search")
    try await flow.tap("Book the train to the coast")
    #expect(flow.screen.contains("State: open (★)"), "\(flow.screen)")
    // Nobody can change a sample.
    for label in ["Done", "Edit", "Delete"] { #expect(!flow.screen.contains(label), "\(flow.screen)") }
    try await flow.restart()
    #expect(flow.screen.contains("Book the train to the coast"))
    // The user's own todos take the place of the samples.
    try await flow.tap("Sign in")
    desk.user = "ada"
    try await flow.finishStub("account.sign-in", with: "ada")
    #expect(flow.screen.contains("This sample todo is no longer shown"), "\(flow.screen)")
    try await flow.tap("Show all")
    #expect(!flow.screen.contains("samples") && !flow.screen.contains("All ("), "\(flow.screen)")
  }

  @Test func nothingOfAUserStaysAfterTheSignOut() async throws {
    let flow = try await desk.flow()
    try await add(flow, "Buy milk")
    try await flow.back()
    try await flow.tap("New list")
    try await flow.type("Ada's list", into: "Name")
    try await flow.submit()
    try await flow.back()
    try await flow.tap("All")
    try await flow.tap("Delete", inRow: "Buy milk")
    try await flow.type("secret words", into: "Search")
    desk.user = nil
    try await flow.settle()
    #expect(flow.presentation.path.map(\.title) == ["Todos"], "\(flow.screen)")
    await #expect(throws: FlowFailure.self) { try await flow.undo("'Buy milk' was deleted.") }
    try await flow.tap("All")
    #expect(flow.screen.contains("Water the plants") && !flow.screen.contains("secret"), "\(flow.screen)")
  }

  /// The question of one user must not delete the list of another, which has the same id.
  @Test func aQuestionAboutAListIsForItsUserOnly() async throws {
    desk.user = "grace"
    let flow = try await desk.flow()
    for user in ["grace", "ada"] {
      if user == "ada" {
        desk.user = nil
        try await flow.settle()
        try await flow.tap("Sign in")
        desk.user = user
        try await flow.finishStub("account.sign-in", with: user)
      }
      try await flow.tap("New list")
      try await flow.type("Home of \(user)", into: "Name")
      try await flow.submit()
      try await flow.back()
    }
    try await flow.tap("Delete", inRow: "Home of ada")
    #expect(flow.screen.contains("Delete 'Home of ada'?"), "\(flow.screen)")
    desk.user = "grace"
    try await flow.settle()
    #expect(flow.screen.contains("Home of grace") && !flow.screen.contains("Delete '"), "\(flow.screen)")
  }

  @Test func aGuestWhoAddsATodoSignsInFirst() async throws {
    desk.user = nil
    let flow = try await desk.flow()
    try await flow.tap("New todo")
    #expect(flow.screen.contains("account.sign-in"), "\(flow.screen)")
    desk.user = "ada"
    try await flow.finishStub("account.sign-in", with: "ada")
    try await flow.type("Buy milk", into: "Title")
    try await flow.submit()
    #expect(flow.url == "gangway://todos/1")
  }

  @Test func todosAreSearchedMarkedMovedDeletedAndTakenBack() async throws {
    let flow = try await desk.flow()
    for title in ["Buy milk", "Buy bread", "Write a letter"] {
      try await add(flow, title)
      try await flow.back()
    }
    try await flow.tap("All")
    try await flow.type("bu", into: "Search")
    #expect(flow.screen.contains("Buy milk") && flow.screen.contains("Buy bread"))
    #expect(!flow.screen.contains("letter"))
    try await flow.type("buy br", into: "Search")
    #expect(!flow.screen.contains("Buy milk"))
    try await flow.type("nothing like it", into: "Search")
    #expect(flow.screen.contains("No results"))
    // A step back clears the search first.
    try await flow.back()
    #expect(flow.screen.contains("letter"))
    try await flow.tap("Write a letter")
    try await flow.tap("Move up")
    try await flow.back()
    #expect(
      flow.screen.range(of: "letter")?.lowerBound ?? flow.screen.endIndex < flow.screen.range(of: "bread")?.lowerBound
        ?? flow.screen.startIndex)
    try await flow.tap("Favourite", inRow: "Buy bread")
    try await flow.tap("Done", inRow: "Buy milk")
    #expect(!flow.screen.contains("Buy milk"))
    try await flow.tap("Delete", inRow: "Buy bread")
    #expect(!flow.screen.contains("Buy bread"))
    try await flow.undo("'Buy bread' was deleted.")
    #expect(flow.screen.contains("Buy bread (★)"))
  }

  @Test func listsAreMadeFilledRenamedAndDeleted() async throws {
    let flow = try await desk.flow()
    try await flow.tap("New list")
    try await flow.type("Home", into: "Name")
    try await flow.submit()
    #expect(flow.screen.contains("Todos > Home\n"))
    #expect(flow.url == "gangway://todos/lists/1")
    try await flow.tap("New todo")
    try await flow.type("Paint the wall", into: "Title")
    try await flow.choose("Home", in: "List")
    try await flow.submit()
    try await flow.open("gangway://todos/lists/1")
    #expect(flow.screen.contains("Paint the wall"))
    try await flow.tab("Todos")
    try await flow.tap("Rename", inRow: "Home")
    try await flow.type("House", into: "Name")
    try await flow.submit()
    #expect(flow.screen.contains("House (1)"))
    try await flow.tap("Delete", inRow: "House")
    try await flow.tap("Delete the list")
    #expect(!flow.screen.contains("House"))
    #expect(!flow.screen.contains("All ("))
  }

  /// After a restart, the form is there before the session says whose todos to read.
  @Test func aFormThatEditsATodoIsRestored() async throws {
    let flow = try await FlowTester(plugins: [TodosPlugin.self], stubs: desk.slowStubs)
    try await add(flow, "Buy milk")
    try await flow.tap("Edit")
    try await flow.type("Two bottles", into: "Note")
    desk.isSilent = true
    try await flow.restart()
    #expect(flow.screen.contains("Loading your todos"), "\(flow.screen)")
    desk.isSilent = false
    try await flow.settle()
    #expect(flow.screen.contains("Note: [Two bottles]"), "\(flow.screen)")
    try await flow.submit()
    #expect(flow.screen.contains("Two bottles"))
  }

  @Test func aTodoIsEditedAndItsTabSaysWhatIsDue() async throws {
    let flow = try await desk.flow()
    try await add(flow, "Buy milk")
    try await flow.tap("Edit")
    try await flow.toggle("Has a date")
    try await flow.type("2020-01-01T12:00", into: "Due")
    try await flow.type("of the cow", into: "Note")
    try await flow.submit()
    #expect(flow.notices.map(\.text) == ["'Buy milk' was saved."])
    #expect(flow.screen.hasPrefix("[Todos* (1)]"))
    #expect(flow.screen.contains("Overdue"))
    #expect(flow.screen.contains("Due: 1 Jan 2020 12:00"))
    #expect(flow.screen.contains("of the cow"))
    try await flow.tap("Done")
    #expect(flow.screen.hasPrefix("[Todos*]"))
  }

  /// The bars are the same as for any long list: 20 KB for an update, and 5 ms in a release build.
  @Test func aHundredThousandAreScrolledThrough() async throws {
    let flow = try await desk.flow()
    try await add(flow, "Buy milk")
    let store = try #require(flow.router(of: TodosCoordinator.self)?.coordinator?.shelf.store)
    try await store.database.write { database in
      for number in 0..<100_000 {
        var todo = Todo(key: "\(number)", title: "Number \(number)")
        todo.position = Double(number + 10)
        try todo.insert(database)
      }
    }
    try await flow.open("gangway://todos/lists/all")
    let list = try #require(flow.presentation.top?.elements.first { $0.rowCount == 100_001 })
    let target = Event.ElementReference(node: try #require(flow.presentation.top?.node), element: list.id)
    var slowest = Duration.zero
    for first in [50_000, 99_900, 0, 31_415] {
      let time = try await ContinuousClock().measure { try await flow.send(.window(target, first: first, count: 60)) }
      slowest = max(slowest, time)
      #expect(flow.screen.contains("Number \(first + 5)\n"))
      #expect(try Line.encode(flow.presentation).count < 40_000)
    }
    // The limit is for a debug build, with the checks of the test kit after each step.
    #expect(slowest < .seconds(2), "\(slowest)")
  }

  @Test func whatIsTooLongIsSaidAndNothingOfItIsLost() async throws {
    let flow = try await desk.flow()
    try await flow.tap("New todo")
    try await flow.type("Long", into: "Title")
    try await flow.type(String(repeating: "a", count: 1_000_000), into: "Note")
    await #expect(throws: FlowFailure.self) { try await flow.submit() }
    #expect(flow.screen.contains("Use at most 100000 characters; this note has 1000000."))
    try await flow.type("short", into: "Note")
    try await flow.submit()
    #expect(flow.screen.contains("short"))
  }

  @Test func anotherFeatureHasATodoMadeAndGetsIt() async throws {
    let flow = try await FlowTester(plugins: [TodosPlugin.self, AskingPlugin.self], stubs: desk.stubs)
    try await flow.tab("Asking")
    try await flow.tap("Remind me")
    #expect(flow.screen.contains("Title: [Rematch]"))
    try await flow.restart()
    try await flow.submit()
    #expect(flow.screen.contains("Made: Rematch"))
  }

  @Test(arguments: ["gangway://todos", "gangway://todos/lists/due", "gangway://todos/7", "gangway://todos/new?title=A"])
  func eachLinkLeadsWhereItSaysAndBack(_ url: String) async throws {
    let flow = try await desk.flow()
    try await flow.open(url)
    #expect(flow.url == url)
  }

  @Test func aLinkToNoListIsRefused() async throws {
    let flow = try await desk.flow()
    await #expect(throws: FlowFailure.self) { try await flow.open("gangway://todos/lists/nonsense") }
    #expect(flow.screen.hasPrefix("[Todos*]"))
  }
}

/// Another feature, which creates a todo.
private final class AskingPlugin: Plugin {
  static let id = "asking", version = "1.0.0"
  func register(in registry: Registrar) { registry.tab("main", title: "Asking") { _ in Asking() } }
}

@Observable private final class Asking: StackCoordinator {
  enum Route: NavigationRoute { case start, remind }
  let start = Route.start
  var state = ""
  func destination(for route: Route) -> Destination {
    switch route {
    case .start: .screen { router in AskingScreen(asking: self, router: router) }
    case .remind:
      .place("todos.create", with: ["title": "Rematch"], style: .modal) { [weak self] (made: CreatedTodo) in
        self?.state = made.title
      }
    }
  }
}

private struct AskingScreen: Screen {
  let asking: Asking
  let router: Router<Asking>
  var body: some Content {
    Text("Made: \(asking.state)")
    Button("Remind me") { try await router.show(.remind) }
  }
}
