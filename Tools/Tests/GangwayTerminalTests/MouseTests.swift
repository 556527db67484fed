@_spi(FrontEnd) import GangwayProtocol
import Glibc
import Testing

@_spi(FrontEnd) @testable import GangwayTerminal

/// Dragged scroll bars, double presses, and links that the terminal opens.
@Suite struct MouseTests {
  init() { setlocale(LC_ALL, "C.UTF-8") }

  private func view(_ controller: Controller, _ elements: [Element]) -> TerminalView {
    TerminalView(TerminalViewTests.presentation(elements), controller.state, columns: 60, rows: 24)
  }

  @Test func aScrollBarFollowsTheMouse() {
    let texts = (0..<200).map { Element(id: "\($0)", kind: .text, label: "line \($0).") }
    var controller = Controller(isStored: true)
    func text() -> String { view(controller, texts).canvas.text }
    #expect(controller.handle(.press(row: 10, column: 59), view(controller, texts)) == .redraw)
    #expect(!text().contains("line 0."))
    // Drag past the ends of the bar, and beside it.
    _ = controller.handle(.drag(row: 40, column: 30), view(controller, texts))
    #expect(text().contains("line 199."))
    _ = controller.handle(.drag(row: 0, column: 12), view(controller, texts))
    #expect(text().contains("line 0."))
    _ = controller.handle(.release, view(controller, texts))
    #expect(controller.handle(.drag(row: 20, column: 59), view(controller, texts)) == .nothing)
    #expect(text().contains("line 0."))
  }

  @Test func theBarOfALongListLeadsToItsRows() {
    var list = Element(id: "l", kind: .list)
    list.rowCount = 100_000
    list.firstRow = 0
    list.selects = .several
    list.children = (0..<100).map { number in
      var row = Element(id: "l[\(number)]", kind: .row, label: "row \(number)")
      row.key = "\(number)"
      return row
    }
    var controller = Controller(isStored: true)
    let last = controller.handle(.press(row: 22, column: 59), view(controller, [list]))
    #expect(last == .send(.window(.init(node: 4, element: "l"), first: 99_969, count: 60)))
    #expect(controller.state.wantedSight?.row == 99_999)
    let middle = controller.handle(.drag(row: 13, column: 59), view(controller, [list]))
    guard case .send(.window(_, let first, _)) = middle else {
      Issue.record("\(middle)")
      return
    }
    #expect((40_000..<60_000).contains(first))
  }

  @Test func aDoublePressDoesNotTakeBackWhatTheFirstSelected() throws {
    var row = Element(id: "r", kind: .row, label: "row")
    row.key = "r"
    var list = Element(id: "l", kind: .list, children: [row])
    list.selects = .several
    var controller = Controller(isStored: true)
    let target = Event.ElementReference(node: 4, element: "l")
    #expect(
      controller.handle(.press(row: 3, column: 5), view(controller, [list])) == .send(.select(target, keys: ["r"])))
    list.selection = ["r"]
    #expect(controller.handle(.doublePress(row: 3, column: 5), view(controller, [list])) == .nothing)
    // A row that can expand expands.
    list.children[0].isExpanded = false
    _ = controller.handle(.press(row: 3, column: 5), view(controller, [list]))
    #expect(
      controller.handle(.doublePress(row: 3, column: 5), view(controller, [list]))
        == .send(.expand(.init(node: 4, element: "r"), isExpanded: true)))
  }

  @Test func linksAreTheTerminalsToOpen() throws {
    var text = Element(id: "x", kind: .text, label: "see the site now")
    text.runs = [.init("see "), .init("the site", url: "https://example.org/a"), .init(" now")]
    let canvas = view(Controller(isStored: true), [text]).canvas
    let cells = try #require((0..<canvas.rows).map { canvas.row($0) }.first { $0.contains { $0.style.link != nil } })
    #expect(cells.filter { $0.style.link == 0 }.map(\.text).joined() == "the site")
    #expect(canvas.links == ["https://example.org/a"])
    // A press opens a link of the app, and copies an outside link; the palette has both.
    text.runs = [.init("web", url: "https://example.org/a"), .init(" "), .init("app", url: "gangway://a/b")]
    var controller = Controller(isStored: true)
    #expect(controller.handle(.press(row: 3, column: 1), view(controller, [text])) == .copy("https://example.org/a"))
    #expect(controller.handle(.press(row: 3, column: 5), view(controller, [text])) == .send(.open("gangway://a/b")))
    #expect(view(controller, [text]).canvas.links == ["https://example.org/a"])
    _ = controller.handle(.control("p"), view(controller, [text]))
    let listed = view(controller, [text]).listed
    #expect(listed.contains { $0.title == "app" && $0.action == .outcome(.send(.open("gangway://a/b"))) })
    #expect(listed.contains { $0.title == "web" && $0.detail == "copy the link" })
    // An address that a terminal could misread is not a link.
    var other = Canvas(columns: 1, rows: 1)
    for url in [
      "https://x/\u{1b}\\", "https://x/ y", "https://x/\u{7}", "https://x/é", String(repeating: "x", count: 3_000),
    ] {
      #expect(other.link(to: url) == nil, "\(url)")
    }
    #expect(
      TerminalModes.link("site", to: "https://x", number: 3, row: 4, column: 5, look: .init(isBold: true))
        == "\u{1b}[5;6H\u{1b}[0;1m\u{1b}]8;id=3;https://x\u{1b}\\site\u{1b}]8;;\u{1b}\\")
  }
}
