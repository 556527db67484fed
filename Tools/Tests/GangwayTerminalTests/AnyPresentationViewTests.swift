@_spi(FrontEnd) import GangwayProtocol
import Glibc
import Testing

@_spi(FrontEnd) @testable import GangwayTerminal

/// Arbitrary presentations from a host, which the terminal must draw and respond to; script/check-fuzz found these.
@Suite struct AnyPresentationViewTests {
  init() { setlocale(LC_ALL, "C.UTF-8") }

  /// The time limit, on a busy machine, of work that grows linearly with its input.
  private static let patience: Duration = .milliseconds(500)

  private func takes(_ body: () -> Void) -> Duration { ContinuousClock().measure(body) }

  @Test(arguments: [Int.max, Int.min, -1])
  func anyScrollPositionIsOne(_ said: Int) {
    var presentation = TerminalViewTests.presentation([Element(id: "t", kind: .text, label: "Text")])
    presentation.layers[0].scroll = said
    var controller = Controller(isStored: true)
    for key in [Key.pageDown, .wheelDown, .end, .pageUp, .home] {
      let view = TerminalView(presentation, controller.state, columns: 60, rows: 30)
      #expect(controller.handle(key, view) == .redraw)
      #expect((0...Int(Int32.max) + 1_000_000).contains(controller.state.scroll[4] ?? -1))
      controller.state.scroll = [:]
    }
  }

  @Test func aLongWayBackIsDrawnFromItsEnd() {
    var presentation = TerminalViewTests.presentation([])
    presentation.path = (0..<3_000).map { .init(node: 9, title: "Step \($0)") }
    let time = takes {
      let view = TerminalView(presentation, ViewState(), columns: 60, rows: 30)
      #expect(view.canvas.text.contains("… > Step 2996 > Step 2997 > Step 2998 > Step 2999"), "\(view.canvas.text)")
    }
    #expect(time < Self.patience)
  }

  @Test(arguments: [0, 50_000, 100_000])
  func aFieldOfAnyLengthIsDrawn(_ cursor: Int) {
    let text = String(repeating: "word and ", count: 11_112).prefix(100_000)
    let field = Element(id: "f", kind: .field, label: "Text", value: String(text))
    var state = ViewState()
    state.edits[.init(node: 4, element: "f")] = .init(text: String(text), cursor: cursor)
    let time = takes {
      _ = TerminalView(TerminalViewTests.presentation([field]), state, columns: 60, rows: 30)
    }
    #expect(time < Self.patience)
  }

  @Test(arguments: [Element.Kind.grid, .table])
  func oneLongCellDoesNotWidenTheOthersWithoutEnd(_ kind: Element.Kind) {
    var rows = [[Element.Cell]](repeating: [.init(text: "a"), .init(text: "b")], count: 500)
    rows[7][1].text = String(repeating: "long ", count: 10_000)
    let presentation = TerminalViewTests.presentation([Element(id: "g", kind: kind, cells: rows)])
    let time = takes {
      let view = TerminalView(presentation, ViewState(), columns: 60, rows: 30)
      #expect(view.canvas.text.contains("a"))
    }
    #expect(time < Self.patience)
  }
}
