@_spi(FrontEnd) import Gangway
@_spi(FrontEnd) import GangwayClient
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import GangwayTesting
import Observation
import Testing

/// Content that no author intends. Each mistake is reported in its place, and the rest of the screen works.
@MainActor @Suite struct HostileContentTests {
  struct Row: Identifiable {
    var id: Int
    var title: String
  }

  @Observable @MainActor final class Model {
    var rows: [Row] = []
    var hasList = true
    var selection: Set<Int> = []
    var pressed: [String] = []
    var taps = 0
  }

  private let model = Model()

  /// A long list, with a button beside it that must keep working.
  private func flow() async throws -> FlowTester<ShownContent> {
    try await ShownContent.flow { [model] in
      if model.hasList {
        List(model.rows, selection: Bindable(wrappedValue: model).selection) { row in
          Gangway.Row(row.title) { model.pressed.append(row.title) }
        }
      }
      Button("Count") { model.taps += 1 }
    }
  }

  @Test(arguments: [3, 1_000])
  func rowsOfOneKeyAreToldAndBothStand(_ count: Int) async throws {
    model.rows = (0..<count).map { Row(id: $0, title: "Row \($0)") }
    model.rows[1].id = 0
    let flow = try? await flow()
    // The test kit fails when the flow starts. A user sees both rows.
    #expect(flow == nil)
    let session = Session(
      registry: Registry(),
      folders: PluginFolders(data: .temporaryDirectory, cache: .temporaryDirectory, log: { _ in })
    ) { [model] _ in
      ShownContent {
        List(model.rows) { row in Gangway.Row(row.title) {} }
        Button("Count") { model.taps += 1 }
      }
    }
    let update = try session.start()
    #expect(update.notices.contains { $0.text.contains("[0]") || $0.text.contains("'0'") }, "\(update.notices)")
    let text = session.presentation.plainText
    #expect(text.contains("Row 0") && text.contains("Row 1") && text.contains("Row 2") && text.contains("Count"))
    session.close()
  }

  @Test func aKeyThatChangesIsAnotherRow() async throws {
    model.rows = (0..<1_000).map { Row(id: $0, title: "Row \($0)") }
    let flow = try await flow()
    try await flow.select("Row 5")
    #expect(model.selection == [5])
    for index in model.rows.indices { model.rows[index].id += 10_000 }
    try await flow.tap("Count")
    try await flow.tap("Row 5")
    #expect(model.pressed == ["Row 5"] && model.taps == 1)
    // The selected row is gone, and another one can be selected.
    try await flow.select("Row 6")
    #expect(model.selection.contains(10_006) && !model.selection.contains(10_005))
  }

  @Test func aWindowOfAListThatIsGoneIsRefused() async throws {
    model.rows = (0..<1_000).map { Row(id: $0, title: "Row \($0)") }
    let flow = try await flow()
    let list = try #require(flow.presentation.reachable.first { $0.rowCount != nil })
    let node = try #require(flow.presentation.top?.node)
    model.hasList = false
    try await flow.settle()
    await #expect(throws: FlowFailure.self) {
      try await flow.send(.window(.init(node: node, element: list.id), first: 500, count: 100))
    }
    #expect(flow.notices.first?.text.contains("is gone") == true)
    await #expect(throws: FlowFailure.self) {
      try await flow.send(.window(.init(node: 999, element: "nothing"), first: -1, count: -1))
    }
    try await flow.tap("Count")
    #expect(model.taps == 1)
  }

  @Test func aMillionRowsAreNoMoreThanAHundred() async throws {
    let flow = try await ShownContent.flow { [model] in
      List((0..<1_000_000).lazy.map { Row(id: $0, title: "Row \($0)") }) { row in
        Gangway.Row(row.title) { model.pressed.append(row.title) }
      }
    }
    let list = try #require(flow.presentation.reachable.first { $0.rowCount != nil })
    #expect(list.rowCount == 1_000_000 && list.children.count == 100)
    try await flow.scroll(toRows: 999_900..<1_000_000)
    try await flow.tap("Row 999999")
    #expect(model.pressed == ["Row 999999"])
  }

  @Test func markdownOfAnyDepthAndLengthIsShownOrRefused() async throws {
    for text in [
      String(repeating: "> ", count: 10_000) + "deep", String(repeating: "- ", count: 10_000) + "deep",
      String(repeating: "*", count: 10_000) + "deep", String(repeating: "[", count: 10_000),
      (0..<2_000).map { String(repeating: " ", count: $0 * 2) + "- deeper" }.joined(separator: "\n"),
    ] {
      let flow = try await ShownContent.flow { [model] in
        Markdown(text)
        Button("Count") { model.taps += 1 }
      }
      try await flow.tap("Count")
    }
    #expect(model.taps == 5)
  }

  final class Long: StackCoordinator {
    enum Route: NavigationRoute { case start }
    let start = Route.start
    let title: String
    init(_ title: String) { self.title = title }
    func destination(for route: Route) -> Destination { .screen { [title] in LongScreen(title: title) } }
  }

  struct LongScreen: Screen {
    let title: String?
    var body: some Content { Button("Count") {} }
  }

  @Test(arguments: ["x", "e\u{301}", "👩‍🚀"])
  func aTitleOfMegabytesIsShownInPart(_ part: String) throws {
    let title = String(repeating: part, count: 3_000_000 / part.utf8.count)
    let folders = PluginFolders(data: .temporaryDirectory, cache: .temporaryDirectory, log: { _ in })
    let session = Session(registry: Registry(), folders: folders) { _ in Long(title) }
    let update = try session.start()
    let shown = try #require(session.presentation.path.last?.title)
    #expect(shown.hasPrefix(part) && shown.hasSuffix("…") && shown.unicodeScalars.count == 500)
    #expect(session.presentation.top?.title == shown && session.presentation.plainText.contains("Count"))
    #expect(update.notices.map(\.kind) == [.failure])
    let told = try #require(update.notices.first?.text)
    #expect(told.contains("\(title.unicodeScalars.count) characters") && told.utf8.count < 1_000)
    // The stored title is as short, and is restored.
    let stored = try Line.encode(session.checkpoint)
    #expect(stored.count < 10_000)
    session.abandon()
    let next = Session(registry: Registry(), folders: folders) { _ in Long(title) }
    _ = try next.start(from: try Line.decode(Checkpoint.self, from: stored))
    #expect(next.presentation.top?.title == shown)
    next.close()
  }

  /// An escape sequence that names the window, one in a single character, a change of direction, and invisible
  /// characters.
  private let hostile = "a\u{1b}]0;x\u{7}\u{9b}31m\u{202e}b\u{200b}\u{2066}\r\u{0}\nc"

  @Test func noTextOfAnAuthorsReachesATerminalAsAnEscape() async throws {
    let hostile = hostile
    let flow = try await ShownContent.flow { [model] in
      Heading(hostile)
      Text(hostile).badge(hostile).symbol(hostile).help(hostile)
      Markdown(hostile + " [" + hostile + "](https://example.org/" + hostile + ")")
      LabeledContent(hostile, value: hostile)
      Banner(.warning, hostile, message: hostile)
      Empty(hostile, symbol: hostile, text: hostile)
      Log(hostile, lines: [hostile])
      TextField(hostile, text: .constant(hostile)).problem(hostile)
      Picker(hostile, selection: .constant(hostile), options: [hostile])
      Section(hostile) { Disclosure(hostile) { Text(hostile) } }
      List([Row(id: 1, title: hostile)]) { row in Gangway.Row(row.title, detail: hostile) {} }
      Menu(hostile) { Button(hostile) {} }
      Progress(hostile)
      Button("Count") { model.taps += 1 }
    }
    let shown = TerminalText.fit(flow.screen)
    for scalar in shown.unicodeScalars where scalar != "\n" {
      #expect(scalar.value >= 32 && !(0x7f...0x9f).contains(scalar.value), "U+\(String(scalar.value, radix: 16))")
      #expect(!(0x202a...0x202e).contains(scalar.value) && !(0x2066...0x2069).contains(scalar.value))
    }
    #expect(shown.contains("␛]0;x"))
    try await flow.tap("Count")
    #expect(model.taps == 1)
  }
}
