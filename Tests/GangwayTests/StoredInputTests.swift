import Gangway
import GangwayProtocol
import GangwayTesting
import Observation
import Testing

/// What a person entered waits for its element, as long as the entry lives.
@MainActor @Suite struct StoredInputTests {
  /// Lets a screen's data come when a test says so.
  @MainActor final class Source {
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private var isOpen = true

    func close() { isOpen = false }

    func open() {
      isOpen = true
      for continuation in waiting { continuation.resume() }
      waiting = []
    }

    func data() async -> [String] {
      if !isOpen { await withCheckedContinuation { waiting.append($0) } }
      return ["Ada", "Grace", "Edith"]
    }
  }

  @Observable @MainActor final class Model {
    var people: [String] = []
    var note = ""
    var person = "nobody"
    var selection: Set<String> = []
    var isUrgent = false
  }

  struct Person: Identifiable { let id: String }

  final class Flow: StackCoordinator {
    enum Route: NavigationRoute { case start }
    let start = Route.start
    let source: Source
    init(_ source: Source) { self.source = source }
    func destination(for route: Route) -> Destination { .screen { [source] in Form(source: source) } }
  }

  /// Everything in it appears only when its data has been loaded.
  struct Form: Screen {
    let source: Source
    @Bindable var model = Model()

    var body: some Content {
      Progress("Loading").task { model.people = await source.data() }
      List(model.people.map { Person(id: $0) }, selection: $model.selection) { Text($0.id) }
      Picker("Person", selection: $model.person, options: ["nobody"] + model.people)
      if !model.people.isEmpty {
        TextField("Note", text: $model.note).id("note")
        Toggle("Urgent", isOn: $model.isUrgent)
        Disclosure("More") { NumberField("Guests", value: .constant(1), in: 1...5) }
      }
    }
  }

  private static let filled = [
    "Loading …", "* Ada", "Grace", "* Edith", "Person: Grace", "Note: [Bring cake]", "Urgent: on", "- More",
    "Guests: [many] (problem: 'many' is no number.)",
  ]

  private func filledFlow(_ source: Source) async throws -> FlowTester<Flow> {
    let flow = try await FlowTester(Flow(source))
    // What is compared is compared at once, and here all depends on what is loaded.
    flow.checksRestoration = false
    try await flow.type("Bring cake", into: "Note")
    try await flow.toggle("Urgent")
    try await flow.choose("Grace", in: "Person")
    try await flow.select("Ada", "Edith")
    try await flow.expand("More")
    try await flow.type("many", into: "Guests")
    let node = try #require(flow.presentation.top?.node)
    try await flow.send(.focus(node, "note"))
    try await flow.send(.scroll(node, lines: 3))
    #expect(flow.lines == Self.filled)
    return flow
  }

  @Test func whatAppearsAfterLoadingHoldsWhatWasEntered() async throws {
    let source = Source()
    let flow = try await filledFlow(source)
    try await flow.restart()
    #expect(flow.lines == Self.filled)
    #expect(flow.presentation.top?.focus == "note" && flow.presentation.top?.scroll == 3)
  }

  @Test func whatIsStoredOutlivesACrashBeforeItsElementIsThere() async throws {
    let source = Source()
    let flow = try await filledFlow(source)
    source.close()
    flow.quietLimit = .milliseconds(50)
    try await flow.restart()
    #expect(flow.lines == ["Loading …", "Person: nobody"], "nothing is there yet")
    try await flow.restart()
    try await flow.restart()
    source.open()
    try await flow.settle()
    #expect(flow.lines == Self.filled, "three hosts later")
  }

  @Test func whatThePersonEntersMeanwhileWins() async throws {
    let source = Source()
    let flow = try await filledFlow(source)
    try await flow.restart()
    try await flow.type("Bring tea", into: "Note")
    try await flow.choose("Ada", in: "Person")
    try await flow.select("Grace")
    try await flow.restart()
    #expect(flow.lines[1...5] == ["Ada", "* Grace", "Edith", "Person: Ada", "Note: [Bring tea]"])
  }

  @Test func whatIsChosenBeforeTheOldChoiceIsThereWins() async throws {
    let source = Source()
    let flow = try await filledFlow(source)
    source.close()
    flow.quietLimit = .milliseconds(50)
    try await flow.restart()
    try await flow.choose("nobody", in: "Person")
    try await flow.select()
    source.open()
    try await flow.settle()
    #expect(flow.lines[1...4] == ["Ada", "Grace", "Edith", "Person: nobody"])
  }
}
