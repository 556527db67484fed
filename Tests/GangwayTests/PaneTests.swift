@_spi(FrontEnd) @testable import Gangway
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) @testable import GangwayTesting
import Observation
import Testing

/// Entries that are the details of those below them: side by side if there is room, otherwise one after another.
@MainActor @Suite struct PaneTests {
  private func mail(_ post: Mailbox = Mailbox()) async throws -> FlowTester<Mail> { try await FlowTester(Mail(post)) }

  private func titles(_ flow: FlowTester<Mail>) -> [String] { flow.presentation.path.map(\.title) }
  private func columns(_ flow: FlowTester<Mail>) -> [String] { flow.presentation.top?.columns.map(\.title) ?? [] }

  // MARK: Display

  @Test func aDetailIsShownBesideWhatItIsTheDetailOf() async throws {
    let flow = try await mail()
    #expect(flow.presentation.top?.panes == nil)
    try await flow.tap("Inbox")
    #expect(columns(flow) == ["Folders", "Messages"])
    try await flow.tap("Letter 1")
    #expect(columns(flow) == ["Folders", "Messages", "Letter"])
    #expect(flow.panes.map { $0.split(separator: "\n").first ?? "" } == ["Inbox", "Letter 1", "This is letter 1"])
    // One column shows only the top, as after a push.
    #expect(flow.screen.split(separator: "\n").first == "Folders > Messages > Letter")
    #expect(flow.screen.contains("This is letter 1"))
    #expect(!flow.screen.contains("Inbox"))
    #expect(flow.presentation.layers.count == 1)
  }

  /// In tests and in scripts, as for a user who sees all columns.
  @Test func stepsFindElementsAndRowsInEachColumn() async throws {
    let post = Mailbox()
    let flow = try await mail(post)
    for label in ["Inbox", "Letter 1"] { try await flow.tap(label) }
    try await flow.tap("Pin", inRow: "Letter B")
    try await flow.select("Letter A")
    #expect(post.pinned == ["Letter B"] && post.selected == ["Letter A"])
    try await flow.run(script: "action Letter A = Pin\nselect Letter B\nset Find = two\ntap Contacts")
    #expect(
      post.pinned == ["Letter B", "Letter A"] && post.selected == ["Letter A", "Letter B"] && post.words == "two")
    #expect(columns(flow) == ["Folders", "People"])
  }

  @Test func whatIsPushedOnADetailTakesItsColumn() async throws {
    let flow = try await mail()
    for label in ["Inbox", "Letter 1", "Headers"] { try await flow.tap(label) }
    #expect(columns(flow) == ["Folders", "Messages", "Headers"])
    try await flow.back()
    #expect(columns(flow) == ["Folders", "Messages", "Letter"])
  }

  @Test func moreThanThreeColumnsAreNotShown() async throws {
    let flow = try await mail()
    for label in ["Inbox", "Letter 1", "Attachment"] { try await flow.tap(label) }
    #expect(columns(flow) == ["Messages", "Letter", "Attachment"])
    #expect(titles(flow) == ["Folders", "Messages", "Letter", "Attachment"])
    try await flow.back()
    #expect(columns(flow) == ["Folders", "Messages", "Letter"])
  }

  @Test func aModalStandsOverAllColumns() async throws {
    let flow = try await mail()
    for label in ["Inbox", "Letter 1"] { try await flow.tap(label) }
    // The list shows the modal, and the columns beside the list stay.
    try await flow.tap("New")
    #expect(flow.presentation.layers.map(\.style) == [.base, .modal])
    #expect(flow.presentation.layers[0].columns.map(\.title) == ["Folders", "Messages", "Letter"])
    #expect(flow.presentation.layers[1].panes == nil)
    await #expect(throws: FlowFailure.self) { try await flow.tap("Letter 2") }
    try await flow.back()
    #expect(columns(flow) == ["Folders", "Messages", "Letter"])
  }

  // MARK: Acting

  @Test func whatAListShowsTakesThePlaceOfItsDetail() async throws {
    let flow = try await mail()
    for label in ["Inbox", "Letter 1", "Headers"] { try await flow.tap(label) }
    try await flow.expectChange {
      $0.pop(2)
      $0.push("letter(2)", as: "detail")
    } when: {
      try await flow.tap("Letter 2")
    }
    #expect(flow.panes.last?.contains("This is letter 2") == true)
    // One step undoes everything.
    try await flow.undo()
    #expect(titles(flow) == ["Folders", "Messages", "Letter", "Headers"])
    // As with one column, an entry pushed from a column replaces the columns after it.
    try await flow.tap("Settings")
    #expect(titles(flow) == ["Folders", "Settings"])
    #expect(flow.presentation.top?.panes == nil)
  }

  @Test func theSameDetailStaysWhereItsRouteSaysSo() async throws {
    let flow = try await mail()
    for label in ["Inbox", "Letter 3", "Headers"] { try await flow.tap(label) }
    let entry = try #require(flow.router(of: Mail.self)?.attached().node.children[2].id)
    try await flow.tap("Letter 3")
    #expect(titles(flow) == ["Folders", "Messages", "Letter"])
    #expect(try flow.router(of: Mail.self)?.attached().node.children[2].id == entry)
  }

  @Test func aPaneThatIsNotSeenCannotBeActedOn() async throws {
    let flow = try await mail()
    let top = try #require(flow.presentation.top)
    let inbox = Event.ElementReference(node: top.node, element: top.elements[0].id)
    for label in ["Inbox", "Letter 1"] { try await flow.tap(label) }
    try await flow.send(.tap(inbox))
    #expect(titles(flow) == ["Folders", "Messages"])
    for label in ["Letter 1", "Attachment"] { try await flow.tap(label) }
    let failure = await #expect(throws: FlowFailure.self) { try await flow.send(.tap(inbox)) }
    #expect(failure?.message.contains("no longer in front") == true)
  }

  @Test func backIsTheSameInOneColumnAndInSeveral() async throws {
    let flow = try await mail()
    for label in ["Inbox", "Letter 1"] { try await flow.tap(label) }
    try await flow.type("lamp", into: "Find")
    // The list does not handle this step back, because its detail is in front.
    try await flow.back()
    #expect(columns(flow) == ["Folders", "Messages"])
    #expect(flow.coordinator?.post.words == "lamp")
    try await flow.back()
    #expect(flow.coordinator?.post.words == "")
    try await flow.back()
    #expect(titles(flow) == ["Folders"])
  }

  @Test func theKeyboardIsWhereThePersonActedLastAsLongAsTheTopIsTheSame() async throws {
    let flow = try await mail()
    for label in ["Inbox", "Letter 1"] { try await flow.tap(label) }
    #expect(flow.presentation.top?.activePane == nil)
    let list = try #require(flow.presentation.top?.panes?.last)
    try await flow.send(.focus(list.node, "find"))
    #expect(flow.presentation.top?.activePane == list.node)
    #expect(flow.presentation.top?.panes?.last?.focus == "find")
    try await flow.type("lamp", into: "Find")
    #expect(flow.presentation.top?.activePane == list.node)
    // As with one column, the new detail has the focus.
    try await flow.tap("Letter 2")
    #expect(flow.presentation.top?.activePane == nil)
    #expect(flow.presentation.top?.panes?.last?.focus == "find")
  }

  @Test func anAlertInOneColumnWaitsForAllOthers() async throws {
    let flow = try await mail()
    for label in ["Inbox", "Letter 1", "Delete all"] { try await flow.tap(label) }
    #expect(flow.presentation.alert?.label == "Delete all letters?")
    #expect(flow.presentation.alertNode == flow.presentation.top?.panes?.last?.node)
    let headers = try #require(flow.presentation.top?.elements.flattened.first { $0.label == "Headers" })
    let node = try #require(flow.presentation.top?.node)
    let failure = await #expect(throws: FlowFailure.self) {
      try await flow.send(.tap(.init(node: node, element: headers.id)))
    }
    #expect(failure?.message.contains("Answer 'Delete all letters?' first.") == true)
    try await flow.tap("Keep")
    #expect(flow.presentation.alert == nil)
    // A step back answers the alert.
    try await flow.tap("Delete all")
    try await flow.back()
    #expect(flow.presentation.alert == nil)
    #expect(columns(flow) == ["Folders", "Messages", "Letter"])
  }

  // MARK: Lifetime

  @Test func columnsComeBackAfterARestartWithTheirScreens() async throws {
    let flow = try await mail()
    for label in ["Inbox", "Letter 1", "Headers"] { try await flow.tap(label) }
    try await flow.type("lamp", into: "Find")
    let before = flow.presentation.layers
    try await flow.restart()
    #expect(columns(flow) == ["Folders", "Messages", "Headers"])
    #expect(flow.presentation.layers.map { $0.columns.map(\.elements) } == before.map { $0.columns.map(\.elements) })
    try await flow.tap("Letter 2")
    #expect(columns(flow) == ["Folders", "Messages", "Letter"])
  }

  @Test func theWorkOfAListGoesOnBesideItsDetail() async throws {
    let post = Mailbox()
    let flow = try await mail(post)
    try await flow.tap("Inbox")
    #expect(post.log == ["list begins"])
    try await flow.tap("Letter 1")
    #expect(post.log == ["list begins"])
    post.count = 5
    try await flow.settle()
    #expect(flow.panes.count == 3)
    #expect(flow.panes[1].contains("5 letters"))
    // A push from the first column covers it.
    try await flow.tap("Settings")
    #expect(post.log == ["list begins", "list ends"])
  }

  @Test func aFlowMayBeADetailAndHaveDetailsOfItsOwn() async throws {
    let flow = try await mail()
    try await flow.tap("Contacts")
    #expect(columns(flow) == ["Folders", "People"])
    try await flow.tap("Ada")
    #expect(columns(flow) == ["Folders", "People", "Person"])
    try await flow.tap("Grace")
    #expect(titles(flow) == ["Folders", "People", "Person"])
    #expect(flow.panes.last == "This is Grace")
    try await flow.restart()
    #expect(columns(flow) == ["Folders", "People", "Person"])
    try await flow.tap("Ada")
    #expect(flow.panes.last == "This is Ada")
    try await flow.tap("Inbox")
    #expect(titles(flow) == ["Folders", "Messages"])
  }

  @Test func aPresentationWithPanesIsReadByThoseWhoKnowOfNone() async throws {
    let flow = try await mail()
    try await flow.tap("Inbox")
    let line = try Line.encode(flow.presentation)
    #expect(try Line.decode(Presentation.self, from: line) == flow.presentation)
    let old = try Line.decode(OldPresentation.self, from: line)
    #expect(old.layers.map(\.title) == ["Messages"])
    // Without panes, the encoding does not mention them.
    try await flow.back()
    #expect(!String(decoding: try Line.encode(flow.presentation), as: UTF8.self).contains("pane"))
  }
}

/// The presentation in a front end that was built before panes existed.
private struct OldPresentation: Codable {
  struct Layer: Codable { let node: Int, title: String, elements: [Element] }
  let layers: [Layer]
}

@MainActor @Observable private final class Mailbox {
  var words = ""
  var count = 3
  var asksToDelete = false
  var selected: Set<String> = []
  @ObservationIgnored var pinned: [String] = []
  @ObservationIgnored var log: [String] = []
}

private final class Mail: StackCoordinator {
  enum Route: NavigationRoute {
    case folders, settings, messages, letter(Int), headers, attachment, new, people

    var onRepeat: RepeatPolicy { self == .letter(3) ? .reuseTop : .push }
  }
  let start = Route.folders
  let post: Mailbox
  init(_ post: Mailbox) { self.post = post }

  func destination(for route: Route) -> Destination {
    switch route {
    case .folders:
      .screen { router in
        Buttons([
          ("Inbox", { try await router.show(.messages) }), ("Settings", { try await router.show(.settings) }),
          ("Contacts", { try await router.show(.people) }),
        ])
      }
    case .settings, .headers, .new: .screen(route == .new ? .modal : .push) { PlainScreen() }
    case .messages: .screen(.detail) { [post] router in MessageList(post: post, router: router) }
    case .letter(let number):
      .screen(.detail) { router in
        Buttons(
          [
            ("Headers", { try await router.show(.headers) }), ("Attachment", { try await router.show(.attachment) }),
          ], text: "This is letter \(number)")
      }
    case .attachment: .screen(.detail) { PlainScreen() }
    case .people: .flow(.detail) { People() }
    }
  }
}

private final class People: StackCoordinator {
  enum Route: NavigationRoute { case people, person(String) }
  let start = Route.people
  func destination(for route: Route) -> Destination {
    switch route {
    case .people:
      .screen { router in
        Buttons(["Ada", "Grace"].map { name in (name, { try await router.show(.person(name)) }) })
      }
    case .person(let name): .screen(.detail) { Buttons([], text: "This is \(name)") }
    }
  }
}

private struct Buttons: Screen {
  let actions: [(label: String, run: @MainActor () async throws -> Void)]
  let text: String?
  init(_ actions: [(String, @MainActor () async throws -> Void)], text: String? = nil) {
    self.actions = actions.map { ($0.0, $0.1) }
    self.text = text
  }

  var body: some Content {
    if let text { Text(text) }
    for action in actions { Button(action.label) { try await action.run() } }
  }
}

private struct MessageList: Screen {
  @Bindable var post: Mailbox
  let router: Router<Mail>
  var body: some Content {
    for number in 1...3 { Button("Letter \(number)") { try await router.show(.letter(number)) } }
    Text("\(post.count) letters")
    List(["Letter A", "Letter B"], id: \.self, selection: $post.selected) { title in
      Row(title).actions { Button("Pin") { post.pinned.append(title) } }
    }
    TextField("Find", text: $post.words).id("find").onBack(isEnabled: !post.words.isEmpty) { post.words = "" }
    Button("New") { try await router.show(.new) }
    Button("Delete all") { post.asksToDelete = true }
    Alert("Delete all letters?", isPresented: $post.asksToDelete) {
      Button("Delete", role: .destructive) {}
      Button("Keep", role: .cancel) {}
    }
    EmptyContent().task { [post] in
      post.log.append("list begins")
      defer { post.log.append("list ends") }
      for await _ in Observations({ post.count }) {}
    }
  }
}
