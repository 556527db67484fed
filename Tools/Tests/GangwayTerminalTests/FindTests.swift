@_spi(FrontEnd) import GangwayProtocol
import Glibc
import Testing

@_spi(FrontEnd) @testable import GangwayTerminal

/// Moving to an element by its first letters, and recently visited places.
@Suite struct FindTests {
  init() { setlocale(LC_ALL, "C.UTF-8") }

  private static let names = ["Apple", "Banana", "Blueberry", "Quince", "Dried apricot"]

  private let list = Element(
    id: "l", kind: .list,
    children: names.map { Element(id: "\($0)", kind: .row, label: $0, role: .button) })
  private var table: Element {
    var table = Element(
      id: "t", kind: .table, cells: [[.init(text: "what")]] + Self.names.map { [.init(text: $0)] })
    table.selects = .one
    table.keys = Self.names
    return table
  }

  private func view(_ controller: Controller, _ elements: [Element]) -> TerminalView {
    TerminalView(TerminalViewTests.presentation(elements), controller.state, columns: 60, rows: 24)
  }

  /// Returns the focused element after some keys.
  private func place(_ text: String, _ elements: [Element]) -> String? {
    var controller = Controller(isStored: true)
    for letter in text {
      let key: Key = letter == "\t" ? .tab : letter == "\n" ? .enter : letter == "<" ? .backspace : .character(letter)
      let outcome = controller.handle(key, view(controller, elements))
      if letter == "\n" { return "\(outcome)" }
    }
    if elements.first?.kind == .table { return controller.state.gridCells.values.first.map { Self.names[$0.row - 1] } }
    return view(controller, elements).presentation.focused(controller.state)?.label
  }

  @Test(arguments: [
    ("b", "Banana"), ("bl", "Blueberry"), ("B", "Banana"), ("a", "Apple"), ("apr", "Dried apricot"),
    ("d", "Dried apricot"),
    ("x", "Apple"), ("'q", "Quince"), ("'ap", "Apple"), ("'ap\t", "Dried apricot"), ("'b\t", "Blueberry"),
    ("'bl<", "Blueberry"), ("'bx<a", "Banana"),
  ])
  func lettersLeadToWhatBeginsWithThem(_ typed: String, _ name: String) {
    #expect(place(typed, [list]) == name)
  }

  @Test(arguments: [("b", "Banana"), ("bl", "Blueberry"), ("'q", "Quince"), ("dr", "Dried apricot")])
  func rowsOfTablesAreFoundToo(_ typed: String, _ name: String) {
    #expect(place(typed, [table]) == name)
  }

  @Test func theLettersOfCommandsAreTakenOnlyAfterTheKeyForIt() {
    var controller = Controller(isStored: true)
    #expect(controller.handle(.character("q"), view(controller, [list])) == .quit)
    _ = controller.handle(.character("'"), view(controller, [list]))
    #expect(controller.handle(.character("q"), view(controller, [list])) == .send(.focus(4, "Quince")))
    #expect(view(controller, [list]).canvas.text.split(separator: "\n").last?.contains("' q") == true)
    // Enter presses the found element, and Escape only ends the search.
    var other = controller
    #expect(other.handle(.escape, view(other, [list])) == .redraw)
    #expect(other.handle(.escape, view(other, [list])) == .send(.back))
    #expect(controller.handle(.enter, view(controller, [list])) == .send(.tap(.init(node: 4, element: "Quince"))))
    #expect(controller.state.find == nil)
  }

  @Test func aFieldKeepsItsLetters() {
    let field = Element(id: "f", kind: .field, label: "Name", value: "")
    var controller = Controller(isStored: true)
    let elements = [field, list]
    #expect(
      controller.handle(.character("b"), view(controller, elements))
        == .send(.edit(.init(node: 4, element: "f"), text: "b")))
  }

  @Test func whereThePersonWentIsFirstInThePalette() throws {
    var controller = Controller(isStored: true)
    controller.state.links = ["gangway://todos/:id"]
    _ = controller.handle(.character("]"), view(controller, [list]))
    _ = controller.handle(.control("p"), view(controller, [list]))
    for letter in "todos/" { _ = controller.handle(.character(letter), view(controller, [list])) }
    _ = controller.handle(.enter, view(controller, [list]))
    _ = controller.handle(.character("7"), view(controller, [list]))
    #expect(controller.handle(.enter, view(controller, [list])) == .send(.open("gangway://todos/7")))
    _ = controller.handle(.control("p"), view(controller, [list]))
    let listed = view(controller, [list]).listed
    #expect(listed.prefix(2).map(\.title) == ["todos/7", "Two"])
    #expect(listed.first?.action == .outcome(.send(.open("gangway://todos/7"))))
    #expect(listed.count { $0.title == "Two" } == 1)
    // The list includes the tab that the user started on, once the user has left it.
    var presentation = TerminalViewTests.presentation([list])
    presentation.tabBars = [
      presentation.tabBars[0].map { tab in
        var tab = tab
        tab.isSelected.toggle()
        return tab
      }
    ]
    let there = TerminalView(presentation, controller.state, columns: 60, rows: 24).listed
    #expect(there.prefix(2).map(\.title) == ["todos/7", "One"])
  }
}
