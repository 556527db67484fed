@_spi(FrontEnd) import GangwayProtocol
import Glibc
@_spi(FrontEnd) import TestSupport
import Testing

@_spi(FrontEnd) @testable import GangwayTerminal

/// Focus movement in rows: arrows move by rows, and Tab moves within a row and then out of the list.
@MainActor @Suite struct RowKeysTests {
  init() { setlocale(LC_ALL, "C.UTF-8") }

  private static func row(_ number: Int, in list: String = "l") -> Element {
    var row = Element(id: "\(list)[\(number)]", kind: .row, label: "row \(number)", role: .button)
    row.key = "\(number)"
    let commands = ["Done", "Delete"].map { Element(id: "\(row.id).menu.\($0)", kind: .button, label: $0) }
    row.children = [Element(id: "\(row.id).menu", kind: .menu, label: "Actions", role: .actions, children: commands)]
    return row
  }

  /// A search field, a list of rows with menus, a list of rows with a checkbox and a button each, and a button.
  private let elements: [Element] = [
    Element(id: "search", kind: .field, label: "Search", value: "", role: .search),
    Element(id: "l", kind: .list, children: (0..<5).map { row($0) }),
    Element(
      id: "c", kind: .list,
      children: (0..<3).map { number in
        Element(
          id: "c[\(number)]", kind: .row,
          children: [
            Element(id: "c[\(number)].done", kind: .toggle, label: "Done", value: "off"),
            Element(id: "c[\(number)].drop", kind: .button, label: "Drop"),
          ])
      }),
    Element(id: "new", kind: .button, label: "New"),
  ]

  @Test func aListThatCanBeLoadedAgainStartsWithItsFirstRow() {
    let refresh = Element(id: "r", kind: .button, label: "Refresh", role: .refresh)
    let list = Element(id: "l", kind: .list, children: (0..<2).map { Self.row($0) })
    func focus(_ elements: [Element]) -> ElementID? {
      TerminalViewTests.presentation(elements).focused(ViewState())?.id
    }
    #expect(focus([refresh, list]) == "l[0]")
    #expect(focus([refresh, Element(id: "s", kind: .field, label: "S", value: "", role: .search), list]) == "l[0]")
    #expect(focus([refresh]) == "r")
  }

  /// Returns the focused element after each key.
  private func walk(_ keys: [Key], from start: ElementID? = nil, _ controller: inout Controller) -> [ElementID?] {
    let presentation = TerminalViewTests.presentation(elements)
    if let start { controller.state.focus[4] = start }
    return keys.map { key in
      let view = TerminalView(presentation, controller.state, columns: 60, rows: 40)
      _ = controller.handle(key, view)
      return presentation.focused(controller.state)?.id
    }
  }

  private func walk(_ keys: [Key], from start: ElementID? = nil) -> [ElementID?] {
    var controller = Controller(isStored: true)
    return walk(keys, from: start, &controller)
  }

  @Test func downAndUpStopOnceInEachRow() {
    let down = walk(Array(repeating: .down, count: 9), from: "l[0]")
    #expect(down == ["l[1]", "l[2]", "l[3]", "l[4]", "c[0].done", "c[1].done", "c[2].done", "new", "search"])
    let up = walk(Array(repeating: .up, count: 9), from: "search")
    #expect(up == ["new", "c[2].done", "c[1].done", "c[0].done", "l[4]", "l[3]", "l[2]", "l[1]", "l[0]"])
    // The arrows also work from the middle of a row.
    #expect(walk([.down], from: "l[1].menu") == ["l[2]"])
    #expect(walk([.up], from: "l[1].menu") == ["l[0]"])
    #expect(walk([.up], from: "c[1].drop") == ["c[0].done"])
  }

  /// Enter on the first row must not open a command, such as Delete.
  @Test func aRowThatHasOnlyCommandsIsAStop() {
    var elements = elements
    for row in elements[1].children.indices { elements[1].children[row].role = nil }
    let presentation = TerminalViewTests.presentation(elements)
    var controller = Controller(isStored: true)
    controller.state.focus[4] = "search"
    func press(_ key: Key) -> (ElementID?, Controller.Outcome) {
      let outcome = controller.handle(key, TerminalView(presentation, controller.state, columns: 60, rows: 40))
      return (presentation.focused(controller.state)?.id, outcome)
    }
    #expect(press(.down).0 == "l[0]")
    let hints = TerminalView(presentation, controller.state, columns: 60, rows: 40).screenHints
    #expect(hints.first.map { "\($0.key) \($0.what)" } == "Enter menu")
    #expect(press(.enter) == ("l[0]", .redraw))
    #expect(controller.state.openMenus == [.init(node: 4, element: "l[0].menu")])
    #expect(press(.down).0 == "l[0].menu.Done")
    #expect(press(.up).0 == "l[0]")
    #expect(press(.enter) == ("l[0]", .redraw))
    #expect(controller.state.openMenus.isEmpty)
    // A command closes its menu.
    _ = press(.enter)
    _ = press(.down)
    #expect(press(.enter).1 == .send(.tap(.init(node: 4, element: "l[0].menu.Done"))))
    #expect(controller.state.openMenus.isEmpty)
    #expect(press(.down).0 == "l[1]")
  }

  /// Otherwise nobody can tell which row would be deleted.
  @Test func theListOfAllCommandsNamesTheRowOfEachAction() {
    var controller = Controller(isStored: true)
    controller.state.overlay = .list(.init(kind: .palette))
    let view = TerminalView(
      TerminalViewTests.presentation(elements), controller.state, columns: 60, rows: 40)
    let deletions = view.listed.map(\.title).filter { $0.contains("Delete") }
    #expect(deletions == (0..<5).map { "row \($0): Delete" })
  }

  /// An alert has its own focus, and the screen keeps the one that it had.
  @Test func focusReturnsFromAnAlertToWhereItWas() {
    let alert = Element(
      id: "q", kind: .alert, label: "Discard?",
      children: [
        Element(id: "q.0", kind: .button, label: "Keep editing", role: .cancel),
        Element(id: "q.1", kind: .button, label: "Discard", role: .destructive),
      ])
    let (without, with) = (
      TerminalViewTests.presentation(elements), TerminalViewTests.presentation(elements + [alert])
    )
    var controller = Controller(isStored: true)
    controller.state.focus[4] = "c[1].done"
    controller.update(without)
    controller.update(with)
    #expect(with.focused(controller.state)?.id == "q.0")
    // The host does not store the focus in an alert.
    #expect(controller.handle(.tab, TerminalView(with, controller.state, columns: 60, rows: 40)) == .redraw)
    #expect(with.focused(controller.state)?.id == "q.1")
    controller.update(without)
    #expect(without.focused(controller.state)?.id == "c[1].done")
  }

  /// Work ends, and its button *Cancel* goes at the moment in which the user presses it.
  @Test func enterPressesNothingElseRightAfterTheFocusedButtonWent() {
    let field = Element(id: "f", kind: .field, label: "F", value: "")
    let form = Element(id: "form", kind: .form, children: [field, Element(id: "save", kind: .button, label: "Save")])
    let cancel = Element(id: "cancel", kind: .button, label: "Cancel", role: .cancel)
    var controller = Controller(isStored: true)
    func show(_ elements: [Element]) -> TerminalView {
      let presentation = TerminalViewTests.presentation(elements)
      controller.update(presentation)
      let view = TerminalView(presentation, controller.state, columns: 60, rows: 40)
      controller.noteDrawnFocus(view)
      return view
    }
    // Nobody has moved focus, so the first element has it.
    _ = show([cancel, form])
    var ended = show([form])
    #expect(ended.focused?.id == "f")
    #expect(controller.handle(.enter, ended) == .redraw)
    // A space is text.
    #expect(controller.handle(.character(" "), ended) != .redraw)
    // A user who waited means what has focus now.
    controller.state.drawnFocus?.loss = .now - .seconds(1)
    #expect(controller.handle(.enter, ended) == .send(.submit(.init(node: 4, element: "form"))))
    // After a key, the user expects a change.
    _ = show([cancel, form])
    controller.state.focus[4] = "cancel"
    ended = show([cancel, form])
    #expect(controller.handle(.enter, ended) == .send(.tap(.init(node: 4, element: "cancel"))))
    ended = show([form])
    #expect(controller.handle(.enter, ended) == .send(.submit(.init(node: 4, element: "form"))))
  }

  @Test func leftAndRightReachWhatIsInTheRow() {
    #expect(walk([.right, .right, .left, .left], from: "l[1]") == ["l[1].menu", "l[1].menu", "l[1]", "l[1]"])
    #expect(walk([.right, .right, .left], from: "c[1].done") == ["c[1].drop", "c[1].drop", "c[1].done"])
  }

  @Test func tabGoesOnInTheRowAndThenOutOfTheList() {
    let forth = walk(Array(repeating: .tab, count: 6), from: "search")
    #expect(forth == ["l[0]", "l[0].menu", "c[0].done", "c[0].drop", "new", "search"])
    let back = walk(Array(repeating: .backTab, count: 5), from: "c[1].drop")
    #expect(back == ["c[1].done", "l[0]", "search", "new", "c[1].done"])
  }

  @Test func tabComesBackToTheRowThatItLeft() {
    var controller = Controller(isStored: true)
    #expect(
      walk([.down, .down, .tab, .tab, .backTab], from: "l[1]", &controller)
        == ["l[2]", "l[3]", "l[3].menu", "c[0].done", "l[3]"])
    #expect(walk([.backTab, .tab], &controller) == ["search", "l[3]"])
  }

  @Test func anOpenMenuIsWalkedBetweenItsRowAndTheNext() {
    var controller = Controller(isStored: true)
    controller.state.openMenus = [.init(node: 4, element: "l[1].menu")]
    #expect(
      walk([.down, .down, .down], from: "l[1]", &controller) == ["l[1].menu.Done", "l[1].menu.Delete", "l[2]"])
    #expect(walk([.up, .up, .up], &controller) == ["l[1].menu.Delete", "l[1].menu.Done", "l[1]"])
  }

  @Test func aRowThatIsTakenAwayLeavesTheKeyboardInItsPlace() {
    var controller = Controller(isStored: true)
    #expect(walk([.down], from: "l[1]", &controller) == ["l[2]"])
    var fewer = elements
    fewer[1].children.remove(at: 2)
    controller.update(TerminalViewTests.presentation(fewer))
    #expect(TerminalViewTests.presentation(fewer).focused(controller.state)?.id == "l[3]")
    fewer[1].children.removeLast(2)
    controller.update(TerminalViewTests.presentation(fewer))
    #expect(TerminalViewTests.presentation(fewer).focused(controller.state)?.id == "l[1]")
  }

  @Test func withNothingElseThereTabGoesThroughTheRows() {
    let presentation = TerminalViewTests.presentation([elements[1]])
    var controller = Controller(isStored: true)
    let found = (0..<4).map { _ in
      _ = controller.handle(.tab, TerminalView(presentation, controller.state, columns: 60, rows: 40))
      return presentation.focused(controller.state)?.id
    }
    #expect(found == ["l[0].menu", "l[1]", "l[1].menu", "l[2]"])
  }
}
