@_spi(FrontEnd) import GangwayProtocol
import Glibc
import Testing

@_spi(FrontEnd) @testable import GangwayTerminal

@Suite struct TerminalViewTests {
  // The width of a character depends on the locale.
  init() { setlocale(LC_ALL, "C.UTF-8") }

  static let gallery: [Element] = [
    Element(id: "h", kind: .heading, label: "Heading"),
    Element(id: "t", kind: .text, label: "Some text that is long enough to be broken over two lines"),
    Element(id: "p", kind: .text, label: "Broken", role: .problem),
    Element(id: "b", kind: .button, label: "Button"),
    Element(id: "x", kind: .button, label: "Off", isEnabled: false, detail: "sold out"),
    Element(id: "l", kind: .link, label: "Link"),
    Element(id: "f", kind: .field, label: "Field", value: "text"),
    Element(id: "s", kind: .field, label: "Secret", value: "abc", role: .secure),
    Element(id: "m", kind: .field, label: "Lines", value: "one\ntwo", role: .multiline),
    Element(id: "g", kind: .toggle, label: "Toggle", value: "on"),
    Element(
      id: "k", kind: .picker, label: "Picker", value: "a",
      options: [.init(id: "a", title: "First"), .init(id: "b", title: "Second")]),
    Element(
      id: "i", kind: .list,
      children: [Element(id: "i.0", kind: .row, children: [Element(id: "i.0.0", kind: .text, label: "Row")])]),
    Element(id: "c", kind: .section, label: "Section", children: [Element(id: "c.0", kind: .text, label: "Inside")]),
    Element(
      id: "a", kind: .table, label: "Table",
      cells: [[.init(text: "what"), .init(text: "price")], [.init(text: "tea"), .init(text: "2")]]),
    Element(id: "r", kind: .progress, label: "Progress", value: "0.5"),
    Element(id: "w", kind: .progress, label: "Waiting"),
    Element(id: "d", kind: .divider),
    Element(
      id: "o", kind: .grid, label: "Grid",
      cells: [[.init(text: "R", tint: "red"), .init(text: "·")], [.init(text: "·"), .init(text: "B", tint: "blue")]]),
    Element(id: "u", kind: .toolbar, children: [Element(id: "u.0", kind: .button, label: "Print")]),
    Element(id: "n", kind: .text, label: "Unknown kinds are text"),
  ]

  static func presentation(_ elements: [Element], modal: [Element]? = nil) -> Presentation {
    var layers = [Presentation.Layer(node: 4, style: .base, title: "Here", elements: elements)]
    if let modal {
      layers.append(.init(node: 5, style: .modal, title: "Sheet", isDismissible: true, elements: modal))
    }
    return Presentation(
      revision: 1,
      tabBars: [
        [.init(node: 2, title: "One", symbol: "◧", isSelected: true), .init(node: 3, title: "Two", isSelected: false)]
      ],
      path: [.init(node: 4, title: "Start"), .init(node: 4, title: "Here")], canGoBack: true, layers: layers)
  }

  /// A screen that loads is shorter for a moment.
  @Test func aScreenThatLoadsKeepsItsPosition() {
    let lines = (0..<60).map { Element(id: "l\($0)", kind: .text, label: "Line \($0).") }
    let progress = Element(id: "p", kind: .progress, label: "Loading")
    func view(_ elements: [Element], _ state: ViewState) -> TerminalView {
      TerminalView(Self.presentation(elements), state, columns: 44, rows: 20)
    }
    var state = ViewState()
    state.scroll[4] = 24
    state.followsFocus = false
    let loading = view([progress], state)
    #expect(loading.canvas.text.contains("Loading"))
    #expect(view(lines, loading.state).canvas.text.contains("─\n Line 24. "))
    // Content that is shorter from now on keeps no position beyond its end.
    let short = view(Array(lines.prefix(20)), loading.state)
    #expect(short.state.scroll[4] == short.scrollLimit && short.scrollLimit > 0)
    // No key leaves the content.
    var controller = Controller(isStored: true)
    for _ in 0..<9 { _ = controller.handle(.wheelDown, view([progress], controller.state)) }
    #expect(view(lines, controller.state).canvas.text.contains("─\n Line 0. "))
  }

  @Test func everyKindOfElementIsDrawn() {
    let view = TerminalView(Self.presentation(Self.gallery), ViewState(), columns: 44, rows: 32)
    #expect(
      view.canvas.text == """
          1 ◧ One   2 Two
         ‹ Start > Here
        ────────────────────────────────────────────
         Heading                                   ┃
         Some text that is long enough to be broken┃
         over two lines                            ┃
         ! Broken                                  ┃
                                                   ┃
         [ Button ]                                ┃
         [ Off ]  sold out                         ┃
                                                   ┃
         Link →                                    ┃
         Field:  text                              ┃
         Secret: •••                               ┃
         Lines:                                    ┃
           │ one                                   ┃
           │ two                                   ┃
         [x] Toggle                                ┃
         Picker: ‹ First ›                         ┃
         Row                                       ┃
                                                   ┃
         Section                                   ┃
           Inside                                  ┃
                                                   ┃
         Table                                     ┃
         what  price                               │
         tea   2                                   │
                                                   │
         Progress ██████████░░░░░░░░░░ 50%         │
         ⠋ Waiting …                               │
         ──────────────────────────────────────────│
         Enter press   Esc back   ? keys   q quit
        """)
  }

  @Test(arguments: ["nan", "inf", "-inf", "1e308", "-3", "7"])
  func anyProgressIsDrawn(_ value: String) {
    let element = Element(id: "p", kind: .progress, label: "Loading", value: value)
    let view = TerminalView(Self.presentation([element]), ViewState(), columns: 60, rows: 14)
    #expect(view.canvas.text.contains("Loading"))
  }

  /// The time to draw a field's text must grow linearly with the text.
  @Test func aLongTextIsWrappedInLinearTime() {
    func time(_ characters: Int) -> Duration {
      let text = String(repeating: "x", count: characters)
      return ContinuousClock().measure { #expect(TextWidth.wrap(text, 60).count == (characters + 59) / 60) }
    }
    _ = time(1_000)
    var best = Double.infinity
    // A busy machine may be slow once.
    for _ in 0..<5 where best > 30 { best = min(best, time(100_000) / time(10_000)) }
    #expect(best < 30, "\(best) times as long")
  }

  @Test(arguments: [
    ("a b  c", 3, ["a b", "c"]), ("one two", 4, ["one", "two"]), ("abcdef", 4, ["abcd", "ef"]), ("", 5, [""]),
    ("日本語", 4, ["日本", "語"]), ("a\nb", 9, ["a", "b"]),
  ])
  func aTextIsBrokenAtSpaces(_ text: String, _ columns: Int, _ lines: [String]) {
    #expect(TextWidth.wrap(text, columns) == lines)
  }

  @Test(arguments: [
    ("👩‍👩‍👧", "👩", 2), ("👍🏽", "👍", 2), ("日", "日", 2), ("e\u{301}", "e\u{301}", 1), ("👩‍🚀", "👩", 2), ("a", "a", 1),
    ("क\u{93f}", "क\u{93f}", 2),
  ])
  func whatIsDrawnOfACharacterIsAsWideAsItIsTakenToBe(_ character: String, _ drawn: String, _ columns: Int) {
    #expect(TextWidth.drawn(Character(character)) == drawn)
    #expect(TextWidth.of(Character(character)) == columns)
    var canvas = Canvas(columns: 10, rows: 1)
    #expect(canvas.put(character + "|", 0, 0) == columns + 1)
    #expect(canvas[0, columns].text == "|")
  }

  @Test func theFocusedElementIsReversedAndTintsAreColours() {
    let view = TerminalView(Self.presentation(Self.gallery), ViewState(), columns: 60, rows: 40)
    let rows = view.canvas.text.split(separator: "\n", omittingEmptySubsequences: false)
    let button = rows.firstIndex { $0.contains("[ Button ]") } ?? 0
    #expect(view.canvas[button, 1].style.surface == .focused)
    let grid = rows.firstIndex { $0.hasPrefix(" R ·") } ?? 0
    #expect(view.canvas[grid, 1].style.color == .red)
    let off = rows.firstIndex { $0.contains("[ Off ]") } ?? 0
    #expect(view.canvas[off, 1].style.isDim)
  }

  @Test func aModalStandsOverDimmedContent() {
    let view = TerminalView(
      Self.presentation(Self.gallery, modal: [Element(id: "y", kind: .button, label: "In the sheet")]), ViewState(),
      columns: 50, rows: 14)
    let text = view.canvas.text
    #expect(text.contains("┌─ Sheet ─"))
    #expect(text.contains("│ [ In the sheet ]"))
    #expect(view.canvas[3, 1].style.isDim)
    // Elements under the sheet are inert; a press there dismisses the sheet, as its close mark does.
    #expect(view.hit(row: 3, column: 1) == .back)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(Array.init)
    let top = lines.firstIndex { $0.contains("×") } ?? 0
    #expect(view.hit(row: top, column: lines[top].firstIndex(of: "×") ?? 0) == .back)
    #expect(view.hit(row: top + 1, column: 20) == nil)
  }

  @Test func aSheetWithNothingButAQuestionIsOneBox() {
    var alert = Element(id: "q", kind: .alert, label: "It does not answer", detail: "It has been busy for long.")
    alert.children = [Element(id: "q.1", kind: .button, label: "Wait", role: .cancel)]
    let text = TerminalView(
      Self.presentation(Self.gallery, modal: [alert]), ViewState(), columns: 80, rows: 24
    ).canvas.text
    #expect(text.ranges(of: "┌").count == 1, "\(text)")
    #expect(text.ranges(of: "It does not answer").count == 1, "\(text)")
    #expect(text.contains("[ Wait ]"))
    // Other elements of the sheet are visible below the question.
    let both = TerminalView(
      Self.presentation(Self.gallery, modal: [Element(id: "t", kind: .text, label: "On the sheet"), alert]),
      ViewState(), columns: 80, rows: 24
    ).canvas.text
    #expect(both.ranges(of: "┌").count >= 1 && both.contains(" Sheet "), "\(both)")
  }

  @Test func whatTakesLongSaysHowToRestart() {
    var state = ViewState()
    state.isWorking = true
    var view = TerminalView(Self.presentation(Self.gallery), state, columns: 80, rows: 24)
    #expect(!view.canvas.text.contains("restart"))
    // The keys stay beside the work.
    #expect(view.canvas.text.contains("Progress 50%   ") && view.canvas.text.contains("q quit"), "\(view.canvas.text)")
    let importing = [Element(id: "p", kind: .progress, label: "Importing", value: "0.64")]
    let importView = TerminalView(Self.presentation(importing), state, columns: 80, rows: 24)
    #expect(importView.canvas.text.split(separator: "\n").last?.contains("Importing 64%") == true)
    state.takesLong = true
    view = TerminalView(Self.presentation(Self.gallery), state, columns: 80, rows: 24)
    #expect(view.canvas.text.contains("working …   r restarts all features"), "\(view.canvas.text)")
    state.status = .init(.information, "Waiting on.")
    view = TerminalView(Self.presentation(Self.gallery), state, columns: 80, rows: 24)
    #expect(view.canvas.text.contains("Waiting on.   r restarts all features"), "\(view.canvas.text)")
    // A text field takes plain letters.
    state = ViewState()
    (state.isWorking, state.takesLong) = (true, true)
    state.focus[4] = "f"
    view = TerminalView(Self.presentation(Self.gallery), state, columns: 80, rows: 24)
    #expect(view.canvas.text.contains("working …   Alt-r restarts all features"), "\(view.canvas.text)")
  }

  @Test func anAlertTakesTheKeyboard() {
    let alert = Element(
      id: "q", kind: .alert, label: "Sure?", detail: "It cannot be undone.",
      children: [
        Element(id: "q.0", kind: .button, label: "Do it"),
        Element(id: "q.1", kind: .button, label: "Cancel", role: .cancel),
      ])
    let view = TerminalView(Self.presentation(Self.gallery + [alert]), ViewState(), columns: 50, rows: 24)
    #expect(view.canvas.text.contains("Sure?"))
    #expect(view.canvas.text.contains("It cannot be undone."))
    // The answer that changes nothing has focus, even if it is not the first.
    #expect(view.presentation.focused(view.state)?.id == "q.1")
  }

  @Test(arguments: [(39, 24), (80, 11), (1, 1), (0, 0), (-1, -1)])
  func aWindowThatIsTooSmallSaysSo(_ columns: Int, _ rows: Int) {
    let view = TerminalView(Self.presentation(Self.gallery), ViewState(), columns: columns, rows: rows)
    #expect(!view.canvas.text.contains("[ Button ]"))
    if columns > 20, rows > 3 { #expect(view.canvas.text.hasPrefix("The window is too small (\(columns)×\(rows)).")) }
  }

  @Test func contentScrollsSoThatTheFocusIsSeen() {
    var state = ViewState()
    state.focus[4] = "u.0"
    let view = TerminalView(Self.presentation(Self.gallery), state, columns: 40, rows: 12)
    #expect(view.canvas.text.contains("[ Print ]"))
    #expect(!view.canvas.text.contains("Heading"))
    #expect(view.canvas.text.contains("┃"))
  }

  @Test func anyPresentationFitsAnyWindow() {
    for columns in 40...50 {
      for rows in 12...20 {
        let view = TerminalView(
          Self.presentation(Self.gallery, modal: Self.gallery), ViewState(), columns: columns, rows: rows)
        #expect(view.canvas.cells.count == columns * rows)
      }
    }
  }

  @Test(arguments: [
    ("a", 1), ("é", 1), ("e\u{301}", 1), ("日", 2), ("本語", 4), ("👍", 2), ("\t", 0), ("a\u{1b}b", 2), ("", 0),
  ])
  func textTakesTheRoomItTakes(_ text: String, _ columns: Int) {
    #expect(TextWidth.of(text) == columns)
  }

  @Test func controlCharactersNeverReachTheTerminal() {
    let nasty = Element(id: "t", kind: .text, label: "a\u{1b}[31mb\u{7}c\u{9b}d")
    let view = TerminalView(Self.presentation([nasty]), ViewState(), columns: 40, rows: 12)
    #expect(view.canvas.cells.allSatisfy { $0.text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x9b } })
  }

  @Test func longTextIsCutWithAMark() {
    #expect(TextWidth.fit("abcdef", 4) == "abc…")
    #expect(TextWidth.fit("日本語", 4) == "日…")
    #expect(TextWidth.wrap("one two three", 7) == ["one two", "three"])
    #expect(TextWidth.wrap("abcdefgh", 3) == ["abc", "def", "gh"])
    #expect(TextWidth.wrap("", 3) == [""])
  }
}
