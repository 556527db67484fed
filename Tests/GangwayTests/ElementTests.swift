@_spi(FrontEnd) import Gangway
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) @testable import GangwayTesting
import Observation
import Testing

/// The text of each element, and the user's actions on it.
@MainActor @Suite struct ElementTests {
  @Observable @MainActor final class Model {
    var done: [String] = []
    var isOpen = false
    var pane = "b"
    var number = 3
    var size = 1.5
    var text = ""
    var isFocused = false
    var search = ""
  }

  private let model = Model()

  @Test func factsBannersAndEmptyPlacesSayWhatTheyAre() async throws {
    let flow = try await ShownContent.flow { [model] in
      LabeledContent("Size", value: "3 MB").symbol("▤").badge("new")
      Banner(.warning, "Nearly full", message: "Delete files that you don't need.") {
        Button("Open") { model.done.append("open") }
      }
      Empty("No mail", symbol: "✉", text: "New mail appears here.") { Button("Fetch") { model.done.append("fetch") } }
      Log("Build", lines: ["one", "two"])
    }
    let expected = [
      "▤ Size: 3 MB (new)", "(warning) Nearly full", "Delete files that you don't need.", "Open", "✉ No mail",
      "New mail appears here.", "Fetch", "Build", "one", "two",
    ]
    #expect(flow.lines == expected)
    try await flow.tap("Open")
    try await flow.tap("Fetch")
    #expect(model.done == ["open", "fetch"])
  }

  @Test func aLogHoldsItsLastLines() async throws {
    let flow = try await ShownContent.flow { Log("Log", lines: (1...10_000).map { "line \($0)" }) }
    let log = try #require(flow.presentation.reachable.first)
    #expect(log.lines?.count == 500 && log.lines?.last == "line 10000")
    #expect(log.value == "10000", "how many there are altogether")
  }

  @Test func aDisclosureShowsAndHidesAndComesBack() async throws {
    let flow = try await ShownContent.flow { [model] in
      Disclosure("More") { Text("inside") }
      Disclosure("Bound", isExpanded: Bindable(wrappedValue: model).isOpen) { Text("bound") }
    }
    #expect(flow.lines == ["+ More", "+ Bound"])
    try await flow.expand("More")
    try await flow.expand("Bound")
    #expect(flow.lines == ["- More", "inside", "- Bound", "bound"])
    #expect(model.isOpen)
    model.isOpen = false
    try await flow.restart()
    #expect(flow.lines == ["- More", "inside", "- Bound", "bound"], "the one as the other is stored")
    try await flow.expand("More", false)
    #expect(flow.lines == ["+ More", "- Bound", "bound"])
  }

  @Test func tabsShowOnePaneAndComeBack() async throws {
    let flow = try await ShownContent.flow { [model] in
      TabView("Kept") {
        Pane("First") { Text("one") }
        if model.isOpen { Pane("Hidden") { Text("hidden") } }
        Pane("Second") { TextField("Name", text: Bindable(wrappedValue: model).text) }
      }
      TabView(selection: Bindable(wrappedValue: model).pane) {
        Pane("A", id: "a") { Text("aaa") }
        Pane("B", id: "b") { Text("bbb") }
      }
    }
    #expect(flow.lines == ["Kept", "(First*) (Second)", "one", "(A) (B*)", "bbb"])
    try await flow.choose("Second", in: "Kept")
    try await flow.choose("A", in: "#1")
    #expect(flow.lines == ["Kept", "(First) (Second*)", "Name: []", "(A*) (B)", "aaa"])
    #expect(model.pane == "a")
    try await flow.restart()
    #expect(flow.lines == ["Kept", "(First) (Second*)", "Name: []", "(A*) (B)", "aaa"])
    await #expect(throws: FlowFailure.self, "there is no such pane") { try await flow.choose("Third", in: "Kept") }
  }

  @Test func aPaneOutsideOfTabsIsToldOf() async throws {
    await #expect {
      _ = try await ShownContent.flow { Pane("Alone") { Text("seen") } }
    } throws: { "\($0)".contains("The pane 'Alone' is not in a TabView.") }
  }

  @Test func whatStandsBesidePanesIsToldOf() async throws {
    await #expect {
      _ = try await ShownContent.flow {
        TabView("About") {
          Pane("First") { Text("one") }
          Text("lost")
        }
      }
    } throws: { "\($0)".contains("The text 'lost' is in a TabView beside its panes and is not shown.") }
  }

  @Test func aRefusalIsOverWhenTheAuthorSetsTheValue() async throws {
    let flow = try await ShownContent.flow { [model] in
      Stepper("Guests", value: Bindable(wrappedValue: model).number, in: 1...5)
      Button("Reset") { model.number = 1 }
    }
    try await flow.type("many", into: "Guests")
    #expect(flow.lines[0] == "Guests: [many] (problem: 'many' is not a number.)")
    try await flow.tap("Reset")
    #expect(flow.lines[0] == "Guests: [1]")
  }

  @Test func anElementWithoutALabelIsNamedByItsId() async throws {
    let flow = try await ShownContent.flow { TabView { Pane("First") { Text("one") } } }
    await #expect {
      try await flow.choose("First", in: "Nothing")
    } throws: { "\($0)".contains("Visible: '#0'.") }
  }

  @Test func numbersAreEditedSteppedAndRefused() async throws {
    let flow = try await ShownContent.flow { [model] in
      Stepper("Guests", value: Bindable(wrappedValue: model).number, in: 1...5)
      NumberField("Size", value: Bindable(wrappedValue: model).size, in: 0...10, step: 0.1)
    }
    try await flow.step("Guests", by: 7)
    try await flow.step("Size", by: 2)
    #expect(model.number == 5 && abs(model.size - 1.7) < 1e-9)
    #expect(flow.lines == ["Guests: [5]", "Size: [1.7]"])
    for (text, reason) in [
      ("abc", "'abc' is not a number."), ("", "Enter a number."), ("9", "9 is not between 1 and 5."),
      ("2.5", "'2.5' is not a whole number."), ("1e400", "'1e400' is too large."),
      ("99999999999999999999", "too large"),
    ] {
      try await flow.type(text, into: "Guests")
      #expect(flow.lines[0].contains("Guests: [\(text)] (problem: "), "what was typed stays")
      #expect(flow.lines[0].contains(reason))
      #expect(model.number == 5)
    }
    try await flow.type("1e400", into: "Size")
    #expect(flow.lines[1] == "Size: [1e400] (problem: '1e400' is too large.)")
    try await flow.restart()
    #expect(flow.lines[1] == "Size: [1e400] (problem: '1e400' is too large.)", "and is there after a crash")
    try await flow.type("2", into: "Size")
    #expect(model.size == 2 && flow.lines[1] == "Size: [2]")
  }

  /// Users see exactly the letters that they type, even if the text is already a value with another spelling.
  @Test func whatIsTypedStandsAsItWasTypedUntilItIsLeft() async throws {
    let flow = try await ShownContent.flow { [model] in
      NumberField("Size", value: Bindable(wrappedValue: model).size, in: 0...10)
      Text("size \(model.size)")
      TextField("Else", text: .constant(""))
    }
    for text in ["1", "1.", "1.0", "1.05", "1.050"] {
      try await flow.type(text, into: "Size")
      #expect(flow.lines[0] == "Size: [\(text)]")
    }
    #expect(flow.lines[1] == "size 1.05")
    try await flow.type("x", into: "Else")
    #expect(flow.lines[0] == "Size: [1.05]", "left, it is as all others are")
    try await flow.type("2.", into: "Size")
    model.size = 3
    try await flow.settle()
    #expect(flow.lines[0] == "Size: [3]", "what the author sets wins")
  }

  @Test func menusAndShortcutsAreThere() async throws {
    let flow = try await ShownContent.flow { [model] in
      Menu("Sort") {
        Button("By name") { model.done.append("name") }
        Button("By date") { model.done.append("date") }.disabled(because: "There are no dates")
      }
      Button("Save") { model.done.append("save") }.keyboardShortcut("S").help("Stores it").symbol("✓")
    }
    #expect(flow.lines == ["(menu) Sort: By name, By date", "✓ Save"])
    try await flow.tap("By name")
    #expect(model.done == ["name"])
    let save = flow.presentation.reachable.first { $0.label == "Save" }
    #expect(save?.shortcut == "ctrl+s" && save?.help == "Stores it")
    await #expect(throws: FlowFailure.self) { try await flow.tap("By date") }
  }

  @Test(arguments: [
    ("p", KeyModifiers.control, "Ctrl-P", "go anywhere, run any command"), ("Q", KeyModifiers(), "q", "quit"),
    ("q", KeyModifiers.alt, "Alt-Q", "quit"), ("r", KeyModifiers.shift, "R", "reload this feature"),
    ("3", KeyModifiers.alt, "Alt-3", "the tab with that number"), ("c", KeyModifiers.control, "Ctrl-C", "quit"),
    ("f6", KeyModifiers(), "F6", "the next column"), ("tab", KeyModifiers(), "Tab", "the next element"),
    ("k", KeyModifiers(), "k", "go to the element that begins with this letter"),
    ("p", KeyModifiers([.control, .shift]), "Ctrl-Shift-P", "go anywhere, run any command"),
  ])
  func aKeyOfTheFrontEndsIsRefusedAndBothAreNamed(
    _ key: String, _ modifiers: KeyModifiers, _ name: String, _ purpose: String
  ) async throws {
    await #expect {
      _ = try await ShownContent.flow { Button("Processes") {}.keyboardShortcut(key, modifiers: modifiers) }
    } throws: { error in
      "\(error)".contains("The button 'Processes' asks for \(name). Front ends use \(name) for '\(purpose)")
    }
  }

  @Test func theKeyboardGoesWhereABindingSaysAndTellsIt() async throws {
    let flow = try await ShownContent.flow { [model] in
      TextField("First", text: Bindable(wrappedValue: model).text)
      TextField("Second", text: Bindable(wrappedValue: model).search).focused(Bindable(wrappedValue: model).isFocused)
      Button("Go") { model.isFocused = true }
    }
    #expect(flow.presentation.top?.focus == nil)
    try await flow.tap("Go")
    let second = try #require(flow.presentation.reachable.first { $0.label == "Second" })
    #expect(flow.presentation.top?.focus == second.id)
    let node = try #require(flow.presentation.top?.node)
    try await flow.send(.focus(node, "0"))
    #expect(!model.isFocused, "the person went on")
    #expect(flow.presentation.top?.focus == "0")
    // A restored screen keeps the focus of the user.
    model.isFocused = true
    try await flow.restart()
    #expect(flow.presentation.top?.focus == "0" && !model.isFocused)
  }

  @Test func anUpdateSaysWhereTheFeatureMovesTheFocus() async throws {
    let flow = try await ShownContent.flow { [model] in
      Form("Form", submit: "Send") {
        TextField("First", text: Bindable(wrappedValue: model).text)
        TextField("Second", text: Bindable(wrappedValue: model).search).required()
      } onSubmit: {
      }
      Button("Other") {}
    }
    let node = try #require(flow.presentation.top?.node)
    func element(_ label: String) throws -> ElementID {
      try #require(flow.presentation.reachable.first { $0.label == label }?.id)
    }
    let second = Event.ElementReference(node: node, element: try element("Second"))
    let send = Event.ElementReference(node: node, element: try element("Send"))
    #expect(
      try await flow.session.handle(Event(id: 901, revision: flow.presentation.revision, action: .tap(send))).focus
        == second)
    let other = Event.ElementReference(node: node, element: try element("Other"))
    #expect(
      try await flow.session.handle(Event(id: 902, revision: flow.presentation.revision, action: .tap(other))).focus
        == nil)
  }

  @Test func searchingRefreshingAndEnterDoWhatTheyAreFor() async throws {
    let flow = try await ShownContent.flow { [model] in
      Text("Found: \(model.search)").searchable(text: Bindable(wrappedValue: model).search)
      Text("Rows").refreshable { model.done.append("refreshed") }
      TextField("Add", text: Bindable(wrappedValue: model).text).onSubmit {
        model.done.append(model.text)
        model.text = ""
      }
    }
    try await flow.type("milk", into: "Search")
    #expect(flow.screen.contains("Found: milk"))
    try await flow.tap("Refresh")
    try await flow.type("bread", into: "Add")
    try await flow.submit("Add")
    #expect(model.done == ["refreshed", "bread"])
    #expect(flow.screen.contains("Add: []"))
    await #expect(throws: FlowFailure.self, "it takes no Enter") { try await flow.submit("Search") }
  }

  @Test func changesAreToldWithBothValues() async throws {
    let flow = try await ShownContent.flow { [model] in
      Text("\(model.number)").onChange(of: model.number) { model.done.append("\($0)→\($1)") }
      Text(model.done.joined(separator: " "))
      Button("More") { model.number += 1 }
    }
    #expect(model.done.isEmpty, "what is shown first is no change")
    try await flow.tap("More")
    try await flow.tap("More")
    #expect(model.done == ["3→4", "4→5"])
    #expect(flow.screen.contains("3→4 4→5"))
  }

  @Test func workStartsAnewForAnotherValue() async throws {
    let flow = try await ShownContent.flow { [model] in
      Text(model.search).task(id: model.search) { model.done.append("looks for '\(model.search)'") }
      TextField("Search", text: Bindable(wrappedValue: model).search)
      TextField("Other", text: Bindable(wrappedValue: model).text)
    }
    try await flow.type("a", into: "Search")
    try await flow.type("x", into: "Other")
    #expect(model.done == ["looks for ''", "looks for 'a'"])
  }
}
