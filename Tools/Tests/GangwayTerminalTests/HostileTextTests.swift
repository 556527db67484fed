@_spi(FrontEnd) import GangwayProtocol
import Glibc
import Testing

@_spi(FrontEnd) @testable import GangwayTerminal

/// Texts of authors and users, which must not reach the terminal as escape sequences or change the direction of other
/// text.
@Suite struct HostileTextTests {
  init() { setlocale(LC_ALL, "C.UTF-8") }

  private let hostile = "a\u{1b}]0;x\u{7}\u{9b}31m\u{202e}b\u{2066}\r\u{0}\t\nc\u{7f}"

  /// Returns an element with hostile text in every place.
  private func element(_ kind: Element.Kind) -> Element {
    var element = Element(
      id: "e-\(kind.rawValue)", kind: kind, label: hostile, value: hostile, detail: hostile,
      options: [.init(id: hostile, title: hostile), .init(id: "b", title: hostile)],
      children: [.init(id: "c-\(kind.rawValue)", kind: .text, label: hostile)],
      cells: [[.init(text: hostile, tint: hostile)], [.init(text: hostile)]])
    element.symbol = hostile
    element.badge = hostile
    element.help = hostile
    element.shortcut = hostile
    element.problem = hostile
    element.isExpanded = true
    element.key = hostile
    element.keys = [hostile]
    element.minimum = hostile
    element.columns = [.init(id: "0", title: hostile, isSortable: true)]
    element.runs = [.init(hostile, url: hostile)]
    element.lines = [hostile]
    element.chart = .init(
      style: .line, title: hostile, labels: [hostile, "b"], series: [.init(name: hostile, values: [1, 2])])
    return element
  }

  private static let kinds = Element.Kind.allCases

  private func check(_ text: String, _ what: String) {
    for scalar in text.unicodeScalars where scalar != "\n" {
      let isControl = scalar.value < 32 || (0x7f...0x9f).contains(scalar.value)
      let isDirection = (0x202a...0x202e).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
      #expect(!isControl && !isDirection, "\(what): U+\(String(scalar.value, radix: 16))")
    }
  }

  @Test(arguments: kinds) func noElementBringsOne(_ kind: Element.Kind) {
    var presentation = TerminalViewTests.presentation([element(kind)])
    presentation.tabBars[0][0].title = hostile
    presentation.tabBars[0][0].badge = hostile
    presentation.path[0].title = hostile
    presentation.layers[0].title = hostile
    presentation.activity = hostile
    for (columns, rows) in [(40, 12), (80, 24), (120, 40)] {
      var state = ViewState()
      state.openMenus = [.init(node: 4, element: "e-menu")]
      check(TerminalView(presentation, state, columns: columns, rows: rows).canvas.text, kind.rawValue)
    }
  }

  @Test func noReportAndNoTypedTextBringsOne() {
    var state = ViewState()
    state.overlay = .text(hostile, title: "Report", scroll: 0)
    let presentation = TerminalViewTests.presentation([Element(id: "f", kind: .field, label: "Field", value: "")])
    check(TerminalView(presentation, state, columns: 80, rows: 24).canvas.text, "report")
    state = ViewState()
    state.edits[.init(node: 4, element: "f")] = .init(text: hostile, cursor: 3)
    state.status = .init(.failure, hostile)
    check(TerminalView(presentation, state, columns: 80, rows: 24).canvas.text, "typed")
  }

  /// The cost of a title that is far longer than the screen must not grow with its length.
  @Test func aTitleOfAMillionCharactersCostsAsMuchAsALineOfIt() {
    func time(_ count: Int) -> Duration {
      var presentation = TerminalViewTests.presentation([element(.text)])
      let title = String(repeating: "漢", count: count)
      for tab in presentation.tabBars[0].indices {
        presentation.tabBars[0][tab].title = title
        presentation.tabBars[0][tab].badge = title
        presentation.tabBars[0][tab].symbol = title
      }
      for entry in presentation.path.indices { presentation.path[entry].title = title }
      let times = (0..<10).map { _ in
        ContinuousClock().measure { _ = TerminalView(presentation, ViewState(), columns: 80, rows: 24) }
      }
      return times.min()!
    }
    let (line, million) = (time(200), time(1_000_000))
    #expect(million < line * 5, "\(million) instead of \(line)")
  }
}
