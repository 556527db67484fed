@_spi(FrontEnd) import GangwayProtocol
import Glibc
import Testing

@_spi(FrontEnd) @testable import GangwayTerminal

/// The elements of real applications, as the terminal draws them.
@Suite struct ElementViewTests {
  // The width of a character depends on the locale.
  init() { setlocale(LC_ALL, "C.UTF-8") }

  /// Returns an element with attributes.
  static func element(
    _ id: ElementID, _ kind: Element.Kind, _ label: String = "", children: [Element] = [],
    _ change: (inout Element) -> Void = { _ in }
  ) -> Element {
    var element = Element(id: id, kind: kind, label: label, children: children)
    change(&element)
    return element
  }

  static let words: [Element] = [
    element("f1", .fact, "Size") { $0.value = "3 MB" },
    element("f2", .fact, "Last change") {
      $0.value = "today"
      $0.badge = "new"
    },
    element("b", .banner, "Nearly full", children: [element("b.0", .button, "Open")]) {
      $0.role = .warning
      $0.detail = "Delete what you do not need."
    },
    element(
      "d", .document,
      children: [
        element("d.0", .heading, "Title") { $0.level = 1 },
        element("d.1", .text, "Some bold text that is long enough to be broken") {
          $0.runs = [.init("Some "), .init("bold", [.bold]), .init(" text that is long enough to be broken")]
        },
        element("d.2", .text, "first") {
          $0.role = .item
          $0.value = "•"
        },
        element("d.3", .text, "said") { $0.role = .quote }, element("d.4", .text, "let x = 1") { $0.role = .code },
      ]),
    element("l", .log, "Log") { $0.lines = ["one", "two"] },
    element("i", .image, "A dot") { $0.image = .init(type: "image/png", width: 1, height: 1, base64: "") },
    element("e", .empty, "No mails") {
      $0.symbol = "✉"
      $0.detail = "What comes stands here."
    },
  ]

  static let rows: [Element] = [
    element("t", .tabs, children: [element("t.a.0", .text, "shown")]) {
      $0.value = "a"
      $0.options = [.init(id: "a", title: "First"), .init(id: "b", title: "Second")]
    },
    element(
      "l", .list,
      children: [
        element("l[1]", .row, "Milk") {
          ($0.key, $0.detail, $0.badge, $0.role) = ("1", "two litres", "3", .button)
        },
        element(
          "l[2]", .row, "Bread",
          children: [
            element("l[2].m", .menu, "Actions", children: [element("l[2].m.0", .button, "Delete")]) {
              $0.role = .actions
            }
          ]
        ) {
          $0.key = "2"
        },
      ]
    ) {
      $0.selects = .several
      $0.selection = ["2"]
    },
    element(
      "r", .list,
      children: [
        element("r[1]", .row, "Root") { ($0.key, $0.isExpanded, $0.level) = ("1", true, 1) },
        element("r[2]", .row, "Leaf") { ($0.key, $0.level) = ("2", 2) },
      ]),
    element("x", .disclosure, "More") { $0.isExpanded = false },
    element("a", .table) {
      $0.columns = [
        .init(id: "n", title: "Name", isSortable: true, order: .ascending),
        .init(id: "w", title: "Weight", isSortable: true, isTrailing: true),
      ]
      $0.cells = [["Name", "Weight"], ["Bread", "10"], ["Milk", "2"]].map { $0.map { .init(text: $0) } }
      $0.keys = ["2", "1"]
      $0.selects = .one
      $0.selection = ["1"]
    },
    element("n", .number, "Guests") {
      $0.value = "9"
      $0.problem = "9 is not from 1 to 5."
      $0.isRequired = true
    },
    element("s", .button, "Save") { $0.shortcut = "ctrl+s" },
  ]

  /// Returns the content of a screen, without the parts around it.
  private func drawn(_ elements: [Element], _ state: ViewState = ViewState(), columns: Int = 46, rows: Int = 60)
    -> String
  {
    let view = TerminalView(TerminalViewTests.presentation(elements), state, columns: columns, rows: rows)
    return view.canvas.text.split(separator: "\n", omittingEmptySubsequences: false).dropFirst(3).dropLast()
      .map { line in String(line.reversed().drop { $0 == " " }.reversed()) }.joined(separator: "\n")
  }

  private func trimmed(_ text: String) -> String {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    while lines.last?.isEmpty == true { lines.removeLast() }
    return lines.joined(separator: "\n")
  }

  @Test func whyAButtonCannotBePressedIsReadInASmallWindow() {
    let button = Self.element("b", .button, "Start") {
      $0.isEnabled = false
      $0.detail = "a board has 5 to 11 cells a side, and no other number of them"
    }
    func text(_ columns: Int) -> String {
      TerminalView(TerminalViewTests.presentation([button]), ViewState(), columns: columns, rows: 14).canvas.text
    }
    #expect(text(100).contains("[ Start ]  a board has 5 to 11 cells a side, and no other number of them"))
    #expect(
      text(40).contains(" [ Start ]\n   a board has 5 to 11 cells a side,\n   and no other number of them\n"),
      "\(text(40))")
  }

  @Test func wordsAreDrawn() {
    #expect(
      trimmed(drawn(Self.words)) == """
         Size         3 MB
         Last change  today  new

         ▌ Nearly full
         ▌ Delete what you do not need.
           [ Open ]

         Title
         Some bold text that is long enough to be
         broken
         • first
         ▌ said
         │ let x = 1

         Log
         │ one
         │ two

         [ A dot  1 × 1 ]

                              ✉
                           No mails
                   What comes stands here.
        """)
  }

  @Test func aBoardOfHexagonsIsSlantedWithItsEdges() throws {
    let board = Self.element("h", .grid, "Board") {
      $0.cells = (0..<3).map { row in (0..<3).map { .init(text: $0 == row ? "●" : "·", isMarked: row == 1) } }
      $0.board = .init(shape: .hexagon, top: "red", bottom: "red", leading: "blue", trailing: "blue")
    }
    let view = TerminalView(TerminalViewTests.presentation([board]), ViewState(), columns: 40, rows: 20)
    #expect(
      trimmed(drawn([board])) == """
         Board
          ───────
          ╲ ● · · ╲
           ╲ · ● · ╲
            ╲ · · ● ╲
              ───────
        """)
    // A press on a shifted cell hits that cell.
    let lines = view.canvas.text.split(separator: "\n", omittingEmptySubsequences: false).map(Array.init)
    let row = try #require(lines.firstIndex { $0.contains("╲") }) + 2
    let column = try #require(lines[row].lastIndex(of: "●"))
    #expect(view.hit(row: row, column: column) == .content(4, .cell("h", row: 2, column: 2)))
    #expect(view.canvas[row - 1, column - 3].style.isUnderlined)
    #expect(view.canvas[row, column + 2].style.color == .blue)
    // A board of unknown shape is drawn without shifts.
    var odd = board
    odd.board?.shape = .init(rawValue: "torus")
    #expect(trimmed(drawn([odd])).contains("\n · ● ·\n"))
  }

  @Test func rowsAreDrawn() {
    #expect(
      trimmed(drawn(Self.rows)) == """
          First │ Second
         ────────────────────────────────────────────
         shown

         ○ Milk                                   3 ›
             two litres
         ● Bread                                    ⋯

         ▾ Root
           Leaf

         ▸ More

           Name ▲  Weight
         ○ Bread       10
         ● Milk         2

         Guests *: 9
           ! 9 is not from 1 to 5.

         [ Save ]  Ctrl-S
        """)
  }

  @Test func figuresAreDrawn() {
    let chart = Self.element("c", .chart, "Load") {
      $0.chart = .init(
        style: .line, title: "time", labels: ["0", "1", "2", "3"],
        series: [.init(name: "cpu", values: [0, 2, 1, 4]), .init(name: "disk", values: [4, nil, 2, 2])])
    }
    let bars = Self.element("b", .chart, "Sales") {
      $0.chart = .init(
        style: .bar, title: "", labels: ["Jan", "February"], series: [.init(name: "", values: [3, 4.5])])
    }
    let pie = Self.element("p", .chart, "Parts") {
      $0.chart = .init(style: .pie, title: "", labels: ["a", "b"], series: [.init(name: "", values: [1, 3])])
    }
    let drawing = Self.element("d", .drawing, "A house") {
      $0.paths = [
        .init(d: "M 0.2 0.5 L 0.8 0.5 L 0.8 1 L 0.2 1 Z", fill: "red"),
        .init(d: "M 0.1 0.5 L 0.5 0 L 0.9 0.5 Z", stroke: "blue"),
      ]
    }
    #expect(
      trimmed(drawn([chart, bars, pie, drawing])) == """
         Load
         4 │⠁                                      ⡠⠊
           │                                     ⡠⠊
           │                                   ⢀⠔⠁
           │                                 ⢀⠔⠁
           │                               ⢀⠔⠁
         2 │           ⢀⠔⠊⠑⠒⠤⢄⣀        ⠉⠉⠉⡹⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉
           │        ⢀⠤⠊⠁       ⠉⠑⠒⠤⢄⣀   ⡠⠊
           │     ⢀⡠⠊⠁                ⠉⠑⠊
           │  ⢀⡠⠒⠁
         0 │⡠⠔⠁
           └─────────────────────────────────────────
            0                 time                  3
         ● cpu   ● disk

         Sales
         Jan      ████████████████████ 3
         February ██████████████████████████████ 4.5

         Parts
         a █████████░░░░░░░░░░░░░░░░░░░░░░░░░░ 25%
         b ██████████████████████████░░░░░░░░░ 75%

                    ⡔⠑⡄
                  ⡠⠊  ⠈⢢
                ⢀⠔⠁     ⠑⡄
               ⡠⠊        ⠈⢢
             ⢀⠜            ⠑⡄
            ⡰⠁⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⠈⢢
           ⠈⠉⠉⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⠉⠉⠁
              ⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿
              ⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿
              ⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿
              ⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿
              ⠿⠿⠿⠿⠿⠿⠿⠿⠿⠿⠿⠿⠿⠿
         A house
        """)
  }
}

/// Keys and presses on the elements of real applications.
@Suite struct ElementKeyTests {
  init() { setlocale(LC_ALL, "C.UTF-8") }

  private func view(_ elements: [Element], _ controller: Controller) -> TerminalView {
    TerminalView(TerminalViewTests.presentation(elements), controller.state, columns: 60, rows: 40)
  }

  /// Handles keys in order, and returns the outcome of the last one.
  private func press(_ keys: [Key], _ elements: [Element], focus: ElementID) -> (Controller.Outcome, Controller) {
    var controller = Controller(isStored: true)
    controller.state.focus[4] = focus
    var outcome = Controller.Outcome.nothing
    for key in keys { outcome = controller.handle(key, view(elements, controller)) }
    return (outcome, controller)
  }

  private func target(_ id: ElementID) -> Event.ElementReference { .init(node: 4, element: id) }

  @Test func rowsArePressedSelectedAndExpanded() {
    let rows = ElementViewTests.rows
    #expect(press([.enter], rows, focus: "l[1]").0 == .send(.tap(target("l[1]"))))
    #expect(press([.character(" ")], rows, focus: "l[1]").0 == .send(.select(target("l"), keys: ["2", "1"])))
    #expect(press([.enter], rows, focus: "l[2]").0 == .send(.select(target("l"), keys: [])), "no longer")
    #expect(press([.enter], rows, focus: "r[1]").0 == .send(.expand(target("r[1]"), isExpanded: false)))
    #expect(press([.left], rows, focus: "r[1]").0 == .send(.expand(target("r[1]"), isExpanded: false)))
    #expect(press([.right], rows, focus: "x").0 == .send(.expand(target("x"), isExpanded: true)))
    #expect(press([.down], rows, focus: "r[1]").0 == .send(.focus(4, "x")), "a leaf without an action is passed over")
  }

  @Test func nothingIsPressedThatIsNotInSight() {
    let lines = (0..<60).map { Element(id: "t\($0)", kind: .text, label: "line \($0)") }
    let elements = lines + [Element(id: "b", kind: .button, label: "Erase all")]
    var controller = Controller(isStored: true)
    #expect(view(elements, controller).canvas.text.contains("line 0"), "a screen is read from its top")
    #expect(controller.handle(.enter, view(elements, controller)) == .redraw)
    let shown = view(elements, controller)
    #expect(shown.canvas.text.contains("Erase all"))
    controller.state.scroll = shown.state.scroll
    #expect(controller.handle(.home, shown) == .redraw)
    let top = view(elements, controller)
    #expect(!top.canvas.text.contains("Erase all"))
    #expect(controller.handle(.character(" "), top) == .redraw, "scrolled away, it is shown again and not pressed")
    #expect(controller.handle(.enter, view(elements, controller)) == .send(.tap(target("b"))))
  }

  @Test func aMenuIsOpenedAndItsCommandsReached() {
    let rows = ElementViewTests.rows
    #expect(press([.down], rows, focus: "l[2].m").0 == .send(.focus(4, "r[1]")), "closed, it has nothing to reach")
    let (outcome, controller) = press([.enter, .down], rows, focus: "l[2].m")
    #expect(outcome == .send(.focus(4, "l[2].m.0")))
    #expect(view(rows, controller).canvas.text.contains("[ Delete ]"))
    #expect(press([.enter, .down, .enter], rows, focus: "l[2].m").0 == .send(.tap(target("l[2].m.0"))))
  }

  @Test func aTableIsSortedByItsTitlesAndSelectedByItsRows() {
    let rows = ElementViewTests.rows
    #expect(press([.enter], rows, focus: "a").0 == .send(.sort(target("a"), column: "n", order: .descending)))
    #expect(
      press([.right, .enter], rows, focus: "a").0 == .send(.sort(target("a"), column: "w", order: .ascending)))
    #expect(press([.down, .enter], rows, focus: "a").0 == .send(.select(target("a"), keys: ["2"])))
    #expect(press([.down, .down, .enter], rows, focus: "a").0 == .send(.select(target("a"), keys: [])))
    #expect(press([.down, .down, .down], rows, focus: "a").0 == .send(.focus(4, "n")), "on from its end")
  }

  @Test func panesAreChosenAndNumbersStepped() {
    let rows = ElementViewTests.rows
    #expect(press([.right], rows, focus: "t").0 == .send(.choose(target("t"), option: "b")))
    #expect(press([.character("+")], rows, focus: "n").0 == .send(.edit(target("n"), text: "10")))
    #expect(press([.character("-")], rows, focus: "n").0 == .send(.edit(target("n"), text: "8")))
    #expect(press([.home, .character("-")], rows, focus: "n").0 == .send(.edit(target("n"), text: "-9")))
  }

  @Test func enterSubmitsTheFormOrTheField() {
    let field = ElementViewTests.element("f.0", .field, "Name") { $0.value = "" }
    let form = [ElementViewTests.element("f", .form, children: [field])]
    #expect(press([.enter], form, focus: "f.0").0 == .send(.submit(target("f"))))
    let alone = [ElementViewTests.element("s", .field, "Add") { ($0.value, $0.submits) = ("", true) }]
    #expect(press([.enter], alone, focus: "s").0 == .send(.submit(target("s"))))
  }

  @Test func anElementIsPressedByItsKey() {
    let rows = ElementViewTests.rows
    #expect(press([.control("s")], rows, focus: "n").0 == .send(.tap(target("s"))), "also while a field is edited")
    #expect(press([.control("q")], rows, focus: "n").0 == .nothing)
    #expect(Shortcut(Key.alt("X")) == Shortcut("alt+shift+x") && Shortcut(Key.function(5)) == Shortcut("f5"))
  }

  @Test func pressesOfTheMouseReachPanesTitlesAndRows() throws {
    let rows = ElementViewTests.rows
    var controller = Controller(isStored: true)
    let shown = view(rows, controller)
    let lines = shown.canvas.text.split(separator: "\n", omittingEmptySubsequences: false)
    func place(_ text: String) throws -> Key {
      let row = try #require(lines.firstIndex { $0.contains(text) })
      let column = try #require(Array(lines[row]).indices.first { Array(lines[row])[$0...].starts(with: text) })
      return .press(row: row, column: column)
    }
    let pane = controller.handle(try place("Second"), shown)
    #expect(pane == .send(.choose(target("t"), option: "b")))
    let title = controller.handle(try place("Weight"), shown)
    #expect(title == .send(.sort(target("a"), column: "w", order: .ascending)))
    let row = controller.handle(try place("Milk         2"), shown)
    #expect(row == .send(.select(target("a"), keys: [])))
  }
}
