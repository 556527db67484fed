@_spi(FrontEnd) import GangwayProtocol
import Glibc
import Testing

@_spi(FrontEnd) @testable import GangwayTerminal

/// Panes side by side in a terminal: as many as fit, one of them with focus.
@Suite struct PaneViewTests {
  init() { setlocale(LC_ALL, "C.UTF-8") }

  private func presentation(alert: Bool = false, active: NodeID? = nil) -> Presentation {
    let question = Element(
      id: "q", kind: .alert, label: "Delete?", children: [Element(id: "q.0", kind: .button, label: "Keep")])
    let list = [Element(id: "a", kind: .button, label: "First"), Element(id: "b", kind: .button, label: "Second")]
    return Presentation(
      revision: 1, tabBars: [],
      path: ["Folders", "Messages", "Letter"].enumerated().map { .init(node: 2 + $0, title: $1) }, canGoBack: true,
      layers: [
        .init(
          node: 4, style: .base, title: "Letter",
          elements: [
            Element(id: "t", kind: .text, label: "Dear Ada"), Element(id: "f", kind: .field, label: "Reply", value: ""),
          ],
          panes: [
            .init(node: 2, title: "Folders", elements: [Element(id: "i", kind: .button, label: "Inbox")]),
            .init(node: 3, title: "Messages", elements: alert ? list + [question] : list, focus: "b"),
          ], activePane: active)
      ])
  }

  private func view(_ columns: Int, _ presentation: Presentation? = nil, _ state: ViewState = ViewState())
    -> TerminalView
  { TerminalView(presentation ?? self.presentation(), state, columns: columns, rows: 12) }

  @Test func threeAreShownWhereThereIsRoomForThree() {
    #expect(
      view(120).canvas.text.split(separator: "\n").prefix(5).map(String.init) == [
        " ‹ Folders > Messages > Letter", String(repeating: "─", count: 120),
        " Folders                               │ Messages                              │ Letter",
        " [ Inbox ]                             │ [ First ] [ Second ]                  │ Dear Ada",
        "                                       │                                       │ Reply:",
      ])
  }

  @Test func whatIsFarthestFromTheTopGoesFirst() {
    let two = view(80).canvas.text
    #expect(two.contains("Messages"))
    #expect(!two.contains("Inbox"))
    #expect(two.contains("Dear Ada"))
    // With room for one pane, the screen looks as if it were the only one.
    let one = view(60).canvas.text
    #expect(!one.contains("First"))
    #expect(!one.contains("columns"))
    #expect(one.split(separator: "\n")[2] == " Dear Ada")
  }

  /// The row whose screen is open beside it, which an address tells, and no other row.
  @Test func theRowOfTheNextPaneIsMarked() throws {
    var presentation = presentation()
    presentation.path[1].url = "gangway://mail/inbox"
    let rows = ["inbox", "sent"].map { name in
      var row = Element(id: .init(rawValue: name), kind: .row, label: name, role: .button)
      row.url = "gangway://mail/\(name)"
      return row
    }
    presentation.layers[0].panes?[0].elements = rows
    let view = view(120, presentation)
    let lines = view.canvas.text.split(separator: "\n", omittingEmptySubsequences: false)
    func style(_ name: String) throws -> Style {
      view.canvas[try #require(lines.firstIndex { $0.hasPrefix(" \(name)") }), 1].style
    }
    #expect(try style("inbox").color == .accent && style("inbox").isBold)
    #expect(try style("sent").color == .standard)
  }

  /// An event about another pane would make that pane the active one: the next key would act on the wrong screen.
  @Test func onlyTheFocusOfTheActivePaneIsTold() {
    var state = ViewState()
    (state.focus[2], state.focus[3]) = ("i", "a")
    let panes = presentation().top?.columns ?? []
    #expect(ToldPlaces().news(of: panes, active: 4, state) == [])
    #expect(ToldPlaces().news(of: panes, active: 3, state) == [.focus(3, "a")])
  }

  @Test func aFilterLeavesTheOtherPanesInTheirColumns() {
    var state = ViewState()
    state.filters[2] = "inbox"
    #expect(view(120, nil, state).canvas.text == view(120).canvas.text)
  }

  @Test func thePaletteSearchesAllPanesInSight() {
    var controller = Controller(isStored: true)
    let presentation = presentation()
    func press(_ key: Key, _ columns: Int = 120) -> Controller.Outcome {
      controller.handle(key, view(columns, presentation, controller.state))
    }
    _ = press(.control("p"))
    for letter in "inbox" { _ = press(.character(letter)) }
    #expect(view(120, presentation, controller.state).listed.first?.title == "Inbox")
    // A narrower terminal does not show the pane.
    #expect(view(80, presentation, controller.state).listed.allSatisfy { $0.title != "Inbox" })
    #expect(press(.enter) == .send(.tap(.init(node: 2, element: "i"))))
    #expect(view(120, presentation, controller.state).presentation.top?.node == 2)
  }

  @Test func theKeyboardMovesAmongColumns() {
    var controller = Controller(isStored: true)
    let presentation = presentation()
    func press(_ key: Key) -> Controller.Outcome { controller.handle(key, view(120, presentation, controller.state)) }
    // Focus is in the layer's own field, where the left and right arrows move the cursor.
    #expect(press(.left) == .redraw)
    #expect(press(.nextPane) == .send(.focus(2, "i")))
    #expect(press(.enter) == .send(.tap(.init(node: 2, element: "i"))))
    #expect(press(.left) == .nothing)
    #expect(press(.right) == .send(.focus(3, "b")))
    #expect(press(.enter) == .send(.tap(.init(node: 3, element: "b"))))
    #expect(press(.backTab) == .send(.focus(3, "a")))
    // The arrow moves within the line, and from its end to the next pane.
    #expect(press(.right) == .send(.focus(3, "b")))
    #expect(press(.right) == .send(.focus(4, "f")))
    #expect(press(.character("x")) == .send(.edit(.init(node: 4, element: "f"), text: "x")))
  }

  @Test func whatTheHostSaysHasTheKeyboard() {
    let shown = view(120, presentation(active: 3))
    #expect(shown.presentation.top?.node == 3)
    #expect(shown.presentation.focused(shown.state)?.id == "b")
    // A hidden pane cannot have focus.
    #expect(view(60, presentation(active: 3)).presentation.top?.node == 4)
  }

  @Test func aPressActsOnTheColumnItIsIn() {
    var controller = Controller(isStored: true)
    let shown = view(120)
    #expect(
      controller.handle(.press(row: 3, column: 42), shown) == .send(.tap(.init(node: 3, element: "a"))))
    #expect(controller.state.pane?.node == 3)
    #expect(controller.handle(.press(row: 8, column: 5), shown) == .send(.focus(2, "i")))
  }

  @Test func anAlertOfOneColumnIsAnsweredThere() {
    var controller = Controller(isStored: true)
    let shown = view(120, presentation(alert: true))
    #expect(shown.canvas.text.contains("─ Delete? ─"))
    #expect(controller.handle(.nextPane, shown) == .nothing)
    #expect(controller.handle(.enter, shown) == .send(.tap(.init(node: 3, element: "q.0"))))
  }

  @Test func anAlertOfAColumnThatHasNoRoomIsAnsweredToo() {
    var controller = Controller(isStored: true)
    let shown = view(60, presentation(alert: true))
    #expect(shown.canvas.text.contains("─ Delete? ─"))
    #expect(controller.handle(.enter, shown) == .send(.tap(.init(node: 3, element: "q.0"))))
  }
}
