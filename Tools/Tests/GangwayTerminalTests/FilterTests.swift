@_spi(FrontEnd) import GangwayProtocol
import Glibc
import Testing

@_spi(FrontEnd) @testable import GangwayTerminal

/// Rows filtered by typing, and tab bars that are wider than the screen.
@Suite struct FilterTests {
  init() { setlocale(LC_ALL, "C.UTF-8") }

  private static let fruits = ["Apple", "Banana", "Cherry", "Pineapple"]

  private let list = Element(
    id: "l", kind: .list, label: "Fruits",
    children: fruits.map { Element(id: "l.\($0)", kind: .row, label: $0, role: .button) })
  private var table: Element {
    var table = Element(
      id: "t", kind: .table, label: "Goods",
      cells: [[.init(text: "what")]] + Self.fruits.map { [.init(text: $0)] })
    table.selects = .several
    table.keys = Self.fruits
    return table
  }

  private func view(_ controller: Controller, _ elements: [Element]) -> TerminalView {
    TerminalView(TerminalViewTests.presentation(elements), controller.state, columns: 60, rows: 24)
  }

  private func press(_ keys: [Key], _ elements: [Element], _ controller: inout Controller) -> Controller.Outcome {
    var outcome = Controller.Outcome.nothing
    for key in keys { outcome = controller.handle(key, view(controller, elements)) }
    return outcome
  }

  @Test func aListIsNarrowedAndTheRowThatIsLeftIsPressed() {
    var controller = Controller(isStored: true)
    let keys: [Key] = [.character("/")] + "apple".map { .character($0) }
    _ = press(keys, [list], &controller)
    let text = view(controller, [list]).canvas.text
    #expect(text.contains("Apple") && text.contains("Pineapple") && !text.contains("Banana"))
    #expect(text.split(separator: "\n").last?.contains("/ apple") == true)
    // Enter keeps the filter and focuses the remaining rows; q, r and u are commands again.
    let tap = Controller.Outcome.send(.tap(.init(node: 4, element: "l.Pineapple")))
    #expect(press([.enter, .down, .enter], [list], &controller) == tap)
    #expect(press([.character("u")], [list], &controller) == .send(.undo))
    // Escape removes the filter, and only the next one leaves the screen.
    #expect(press([.escape], [list], &controller) == .redraw)
    #expect(view(controller, [list]).canvas.text.contains("Banana"))
    #expect(press([.escape], [list], &controller) == .send(.back))
  }

  @Test func aTableIsNarrowedAndSelectsWhatIsSeen() {
    var controller = Controller(isStored: true)
    let keys: [Key] = [.character("/")] + "che".map { .character($0) } + [.enter]
    _ = press(keys, [table], &controller)
    let text = view(controller, [table]).canvas.text
    #expect(text.contains("Cherry") && !text.contains("Apple"))
    let outcome = press([.down, .character(" ")], [table], &controller)
    #expect(outcome == .send(.select(.init(node: 4, element: "t"), keys: ["Cherry"])))
  }

  @Test func aFilterIsTypedAndTakenBack() {
    var controller = Controller(isStored: true)
    _ = press([.character("/"), .character("x"), .character("y")], [list], &controller)
    #expect(!view(controller, [list]).canvas.text.contains("Cherry"))
    _ = press([.backspace, .backspace], [list], &controller)
    #expect(view(controller, [list]).canvas.text.contains("Cherry"))
    _ = press([.backspace], [list], &controller)
    #expect(!controller.state.isFiltering && controller.state.filters.isEmpty)
  }

  @Test func theFieldForSearchingIsWhereOneIs() {
    var controller = Controller(isStored: true)
    let search = Element(id: "s", kind: .field, label: "Search", value: "", role: .search)
    #expect(press([.character("/")], [list, search], &controller) == .send(.focus(4, "s")))
    #expect(press([.character("/")], [Element(id: "b", kind: .button, label: "B")], &controller) == .redraw)
    #expect(controller.state.status?.text.contains("no rows") == true)
  }

  // MARK: Tabs

  private func tabs(_ count: Int, selected: Int) -> Presentation {
    var presentation = TerminalViewTests.presentation([Element(id: "t", kind: .text, label: "Text")])
    presentation.tabBars = [
      (0..<count).map { .init(node: NodeID(rawValue: 10 + $0), title: "Feature \($0 + 1)", isSelected: $0 == selected) }
    ]
    return presentation
  }

  /// Tabs that do not fit lose their symbols first, then the ends of their titles. Only then are they scrolled.
  @Test func tabsAreShortenedBeforeTheyAreScrolled() {
    var presentation = TerminalViewTests.presentation([Element(id: "t", kind: .text, label: "Text")])
    presentation.tabBars = [
      ["Welcome", "Calendar", "Messages", "Settings"].enumerated().map { number, title in
        .init(node: NodeID(rawValue: 10 + number), title: title, symbol: "⌂", isSelected: number == 0)
      }
    ]
    func bar(_ columns: Int) -> String {
      let text = TerminalView(presentation, ViewState(), columns: columns, rows: 24).canvas.text
      return String(text.split(separator: "\n")[0]).replacing(#/ +$/#, with: "")
    }
    #expect(bar(80) == "  1 ⌂ Welcome   2 ⌂ Calendar   3 ⌂ Messages   4 ⌂ Settings")
    #expect(bar(50) == " 1 Welcome 2 Calendar 3 Messages 4 Settings")
    #expect(bar(42) == " 1 Welcome 2 Calend… 3 Messag… 4 Settin…")
  }

  @Test func aTitleOfAMillionCharactersIsShortenedInNoTime() {
    var presentation = tabs(3, selected: 0)
    presentation.tabBars[0][1].title = String(repeating: "word ", count: 200_000)
    let start = ContinuousClock.now
    let view = TerminalView(presentation, ViewState(), columns: 80, rows: 24)
    // If each character cost a pass over the text, this would take hours.
    #expect(ContinuousClock.now - start < .seconds(60))
    #expect(view.canvas.text.contains("3 Feature 3"), "\(view.canvas.text)")
  }

  @Test(arguments: [40, 80, 120]) func everyTabIsReachedByMouseAndByKeys(_ columns: Int) throws {
    let count = 15
    var selected = 0
    var visited: Set<Int> = []
    // Go on with the mark at the end of the bar, or with the next tab if it is visible.
    for _ in 0..<count {
      visited.insert(selected)
      let view = TerminalView(tabs(count, selected: selected), ViewState(), columns: columns, rows: 24)
      let bar = view.canvas.text.split(separator: "\n", omittingEmptySubsequences: false)[0]
      #expect(bar.contains("Feature \(selected + 1)"))
      let hits = Set((0..<columns).compactMap { view.hit(row: 0, column: $0) })
      if selected + 1 < count { #expect(hits.contains(.tab(NodeID(rawValue: 11 + selected)))) }
      if selected > 0 { #expect(hits.contains(.tab(NodeID(rawValue: 9 + selected)))) }
      selected = min(selected + 1, count - 1)
    }
    #expect(visited.count == count)
    var controller = Controller(isStored: true)
    let last = TerminalView(tabs(count, selected: count - 1), ViewState(), columns: columns, rows: 24)
    #expect(controller.handle(.character("]"), last) == .send(.tab(10)))
    #expect(controller.handle(.character("["), last) == .send(.tab(NodeID(rawValue: 10 + count - 2))))
  }

  @Test func aBarWithinATabIsReachedByKeys() {
    var presentation = tabs(3, selected: 1)
    presentation.tabBars.append([
      .init(node: 20, title: "In", isSelected: true), .init(node: 21, title: "Out", isSelected: false),
    ])
    let view = TerminalView(presentation, ViewState(), columns: 60, rows: 24)
    var controller = Controller(isStored: true)
    #expect(controller.handle(.character("]"), view) == .send(.tab(21)))
    #expect(controller.handle(.character("}"), view) == .send(.tab(12)))
    #expect(controller.handle(.character("{"), view) == .send(.tab(10)))
  }

  // MARK: Hints

  @Test func theLastLineSaysWhatKeysDoWhereTheKeyboardIs() {
    func hints(_ element: Element, columns: Int = 100) -> String {
      let view = TerminalView(TerminalViewTests.presentation([element]), ViewState(), columns: columns, rows: 24)
      return view.canvas.text.split(separator: "\n", omittingEmptySubsequences: false).last.map(String.init) ?? ""
    }
    #expect(hints(Element(id: "b", kind: .button, label: "B")).hasPrefix(" Enter press"))
    #expect(hints(Element(id: "g", kind: .toggle, label: "G", value: "off")).hasPrefix(" Space turn on"))
    let field = hints(Element(id: "f", kind: .field, label: "F", value: ""))
    // Enter does the same as Tab, so it has no hint.
    #expect(!field.contains("Enter") && field.hasSuffix("Alt-? keys   Alt-q quit"), "\(field)")
    // Enter in a form submits it.
    var form = Element(id: "form", kind: .form, label: "Form")
    form.children = [Element(id: "f", kind: .field, label: "F", value: "")]
    #expect(hints(form).hasPrefix(" Enter submit"), "\(hints(form))")
    var tabs = TerminalViewTests.presentation([Element(id: "b", kind: .button, label: "B")])
    tabs.tabBars = [[.init(node: 2, title: "One", isSelected: true), .init(node: 3, title: "Two", isSelected: false)]]
    let last = TerminalView(tabs, ViewState(), columns: 100, rows: 24).canvas.text.split(separator: "\n").last ?? ""
    #expect(last.contains("press   1-2 tabs   Ctrl-P go to   Esc back"), "\(last)")
    // In a sheet, Esc goes back to the sheet's earlier screen, or closes the sheet.
    var sheet = tabs
    sheet.layers.append(.init(node: 9, style: .modal, title: "Sign in", elements: []))
    sheet.path.append(.init(node: 9, title: "Sign in"))
    func escape() -> String {
      String(TerminalView(sheet, ViewState(), columns: 100, rows: 24).canvas.text.split(separator: "\n").last ?? "")
    }
    #expect(escape().contains("Esc close"), "\(escape())")
    sheet.layers[sheet.layers.count - 1].node = 10
    sheet.path.append(.init(node: 10, title: "Register"))
    #expect(escape().contains("Esc back"), "\(escape())")
    // Even in a narrow window, the first and last hints stay: the current element's keys, and the way to the rest.
    let narrow = hints(Element(id: "b", kind: .button, label: "B"), columns: 40)
    #expect(narrow.hasPrefix(" Enter press") && narrow.hasSuffix("? keys   q quit"))
  }

  /// Enter after a search goes to the results, also if a button is between them; a table begins at its first row.
  @Test func enterInASearchGoesToTheResults() {
    let search = Element(id: "s", kind: .field, label: "Search", value: "app", role: .search)
    let elements = [search, Element(id: "n", kind: .button, label: "New"), list]
    var controller = Controller(isStored: true)
    controller.state.focus[4] = "s"
    _ = press([.enter], elements, &controller)
    #expect(controller.state.focus[4] == "l.Apple")
    var tables = Controller(isStored: true)
    _ = press([.character("/"), .character("b")], [table], &tables)
    let hints = view(tables, [table]).canvas.text.split(separator: "\n").last ?? ""
    #expect(hints.contains("Enter keep"), "\(hints)")
    _ = press([.enter], [table], &tables)
    let kept = view(tables, [table]).canvas.text.split(separator: "\n").last ?? ""
    #expect(kept.contains("Enter select"), "\(kept)")
    #expect(press([.enter], [table], &tables) == .send(.select(.init(node: 4, element: "t"), keys: ["Banana"])))
  }

  /// The author's keys come before those of every screen, and stay longer in a narrow window.
  @Test func theKeysOfTheScreenComeFirst() {
    func button(_ id: ElementID, _ label: String, _ shortcut: String, isEnabled: Bool = true) -> Element {
      var element = Element(id: id, kind: .button, label: label, isEnabled: isEnabled)
      element.shortcut = shortcut
      return element
    }
    let buttons = [
      button("n", "New todo", "ctrl+n"), button("u", "Undo move", "u"),
      button("off", "Off", "ctrl+o", isEnabled: false),
    ]
    func view(_ elements: [Element], columns: Int) -> TerminalView {
      TerminalView(TerminalViewTests.presentation(elements), ViewState(), columns: columns, rows: 24)
    }
    func last(_ view: TerminalView) -> String {
      view.canvas.text.split(separator: "\n", omittingEmptySubsequences: false).last.map(String.init) ?? ""
    }
    let wide = view(buttons, columns: 120)
    #expect(last(wide).hasPrefix(" Enter press   Ctrl-N New todo   u Undo move   1-2 tabs   Tab next"), "\(last(wide))")
    #expect(wide.helpItems.prefix(2).map(\.detail) == ["New todo", "Undo move"])
    let narrow = last(view(buttons, columns: 64))
    #expect(narrow == " Enter press   Ctrl-N New todo   u Undo move   ? keys   q quit", "\(narrow)")
    // Of the other keys, those for tabs are left out first, and the way back last.
    let some = last(view(buttons, columns: 76))
    #expect(some.contains("Undo move   Esc back   ? keys"), "\(some)")
    let narrower = last(view(buttons, columns: 50))
    #expect(narrower == " Enter press   Ctrl-N New todo   ? keys   q quit", "\(narrower)")
    // In a text field, letters are text, and Ctrl-W deletes a word.
    let field = Element(id: "f", kind: .field, label: "F", value: "")
    let typing = last(view([field, button("w", "Wait", "ctrl+w")] + buttons, columns: 100))
    #expect(typing.hasPrefix(" Ctrl-N New todo   Alt-1-2 tabs   Tab next"), "\(typing)")
  }
}
