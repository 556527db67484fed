@_spi(FrontEnd) import GangwayProtocol
import Gangway
import GangwayTesting
import Observation
import Testing

/// A form with `isDirty:` asks before the user leaves it with changes.
@MainActor @Suite struct UnsavedFormTests {
  @Test func leavingWithChangesAsks() async throws {
    let flow = try await FlowTester(PostOffice())
    try await flow.tap("Write")
    try await flow.type("Dear", into: "Text")
    #expect(flow.presentation.asksBeforeLeaving == true)
    try await flow.back()
    #expect(flow.screen.contains("Discard your changes?"), "\(flow.screen)")
    try await flow.tap("Keep editing")
    #expect(flow.path == [.home, .letter] && flow.screen.contains("Text: [Dear]"), "\(flow.screen)")
    #expect(!flow.screen.contains("Discard"), "\(flow.screen)")
    // It asks each time.
    try await flow.back()
    try await flow.tap("Discard")
    #expect(flow.path == [.home])
    #expect(flow.presentation.asksBeforeLeaving == nil)
  }

  @Test func withoutChangesNothingIsAsked() async throws {
    let flow = try await FlowTester(PostOffice())
    try await flow.tap("Write")
    #expect(flow.presentation.asksBeforeLeaving == nil)
    try await flow.type("Dear", into: "Text")
    try await flow.type("", into: "Text")
    try await flow.back()
    #expect(flow.path == [.home])
  }

  /// A text that the model refused is not in the model, but the user typed it.
  @Test func aRefusedTextIsAChange() async throws {
    let flow = try await FlowTester(PostOffice())
    try await flow.tap("Write")
    try await flow.type("many", into: "Copies")
    try await flow.back()
    #expect(flow.screen.contains("Discard your changes?"), "\(flow.screen)")
    try await flow.tap("Discard")
    #expect(flow.path == [.home])
  }

  /// The action of the form may leave at once, or after it has waited.
  @Test func submittingDoesNotAsk() async throws {
    let flow = try await FlowTester(PostOffice())
    try await flow.tap("Write")
    try await flow.type("Dear", into: "Text")
    try await flow.submit()
    #expect(flow.path == [.home], "\(flow.screen)")
    // An action that fails has saved nothing.
    try await flow.tap("Write")
    try await flow.type("fail", into: "Text")
    await #expect(throws: FlowFailure.self) { try await flow.submit() }
    try await flow.back()
    #expect(flow.screen.contains("Discard your changes?"), "\(flow.screen)")
    try await flow.tap("Discard")
  }

  /// The checkpoint has the changes also while the form is submitted, so the restored copy is the same.
  @Test func aFormThatFinishesItsFlowHasChangesUntilItIsGone() async throws {
    let flow = try await FlowTester(PostCard())
    try await flow.type("Dear", into: "Text")
    try await flow.submit()
    #expect(flow.result == "Dear")
  }

  /// Nobody sees a question on a covered screen, so the navigation is refused and names the screen.
  @Test func aCoveredFormRefusesWithItsTitle() async throws {
    let flow = try await FlowTester(PostOffice())
    try await flow.tap("Write")
    try await flow.type("Dear", into: "Text")
    try await flow.tap("Help")
    let failure = await #expect(throws: FlowFailure.self) { try await flow.tap("Home") }
    #expect(failure?.message.contains("'Letter' has changes that are not saved. Go back to it first.") == true)
    try await flow.restart()
    let later = await #expect(throws: FlowFailure.self, "the form is as unsaved as before") {
      try await flow.tap("Home")
    }
    #expect(later?.message.contains("'Letter' has changes that are not saved. Go back to it first.") == true)
    #expect(flow.path == [.home, .letter, .help])
    try await flow.back()
    #expect(flow.screen.contains("Text: [Dear]"))
  }

  /// A restart keeps the changes, and the form still asks.
  @Test func afterARestartItAsksStill() async throws {
    let flow = try await FlowTester(PostOffice())
    try await flow.tap("Write")
    try await flow.type("Dear", into: "Text")
    try await flow.restart()
    try await flow.back()
    #expect(flow.screen.contains("Discard your changes?"), "\(flow.screen)")
    try await flow.tap("Keep editing")
  }

  @Test func aFormThatDoesNotAskIsLeft() async throws {
    let flow = try await FlowTester(PostOffice())
    try await flow.tap("Note")
    try await flow.type("Dear", into: "Text")
    try await flow.back()
    #expect(flow.path == [.home])
  }
}

private final class PostOffice: StackCoordinator {
  enum Route: NavigationRoute { case home, letter, help, note }
  let start = Route.home

  func destination(for route: Route) -> Destination {
    switch route {
    case .home: .screen { PostHome(router: $0) }
    case .letter: .screen { PostLetter(router: $0) }
    case .help: .screen { PostHelp(router: $0) }
    case .note: .screen { _ in PostNote() }
    }
  }
}

private final class PostCard: StackCoordinator {
  typealias Output = String
  enum Route: NavigationRoute { case card }
  let start = Route.card
  func destination(for route: Route) -> Destination { .screen { PostCardScreen(router: $0) } }
}

private struct PostCardScreen: Screen {
  @Bindable var draft = PostDraft()
  let router: Router<PostCard>
  var body: some Content {
    Form("Card", submit: "Send", isDirty: !draft.text.isEmpty) {
      TextField("Text", text: $draft.text).required()
    } onSubmit: {
      try await Task.sleep(for: .milliseconds(1))
      try await router.finish(draft.text)
    }
  }
}

private struct PostHome: Screen {
  let router: Router<PostOffice>
  var body: some Content {
    Button("Write") { try await router.show(.letter) }
    Button("Note") { try await router.show(.note) }
  }
}

private struct PostRefused: Error {}

@MainActor @Observable private final class PostDraft {
  var text = ""
  var copies = 1
}

private struct PostLetter: Screen {
  @Bindable var draft = PostDraft()
  let router: Router<PostOffice>
  var title: String? { "Letter" }
  var body: some Content {
    Form("Letter", submit: "Send", isDirty: !draft.text.isEmpty) {
      TextField("Text", text: $draft.text)
      NumberField("Copies", value: $draft.copies)
    } onSubmit: {
      await Task.yield()
      if draft.text == "fail" { throw PostRefused() }
      try await router.pop()
    }
    Button("Help") { try await router.show(.help) }
  }
}

private struct PostHelp: Screen {
  let router: Router<PostOffice>
  var body: some Content { Button("Home") { try await router.popToRoot() } }
}

private struct PostNote: Screen {
  @Bindable var draft = PostDraft()
  var body: some Content {
    Form("Note", submit: "Save") {
      TextField("Text", text: $draft.text)
    } onSubmit: {
    }
  }
}
