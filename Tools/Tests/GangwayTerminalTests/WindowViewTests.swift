@_spi(FrontEnd) import GangwayProtocol
import Glibc
import Testing

@_spi(FrontEnd) @testable import GangwayTerminal

/// A long list, of which the terminal has only the rows near the visible ones.
@MainActor @Suite struct WindowViewTests {
  init() { setlocale(LC_ALL, "C.UTF-8") }

  /// A host with a very long list or table, and the terminal in front of it.
  final class Session {
    let rowCount: Int
    let isTable: Bool
    let isFocusable: Bool
    /// Whether the list has a search field above, a button below, and a menu in each row.
    var isSurrounded = false
    /// Whether the host sends no rows for now.
    var isSlow = false
    var (first, count) = (0, 100)
    var revision: Revision = 1
    var controller = Controller(isStored: true)
    private(set) var asked = 0

    init(_ rowCount: Int, isTable: Bool = false, isFocusable: Bool = true) {
      (self.rowCount, self.isTable, self.isFocusable) = (rowCount, isTable, isFocusable)
    }

    var presentation: Presentation {
      var list = Element(id: "l", kind: isTable ? .table : .list)
      let begin = min(first, max(0, rowCount - count))
      let range = begin..<min(begin + count, rowCount)
      list.rowCount = rowCount
      list.firstRow = begin
      if isFocusable { list.selects = .several }
      if isTable {
        list.cells = [[.init(text: "Title")]] + range.map { [.init(text: "row \($0)")] }
        list.keys = range.map { "\($0)" }
      } else {
        list.children = range.map { number in
          var row = Element(id: "l[\(number)]", kind: .row, label: "row \(number)")
          row.key = "\(number)"
          if isSurrounded {
            row.children = [Element(id: "\(row.id).menu", kind: .menu, label: "Actions", role: .actions)]
          }
          return row
        }
      }
      let search = Element(id: "search", kind: .field, label: "Search", value: "", role: .search)
      let new = Element(id: "new", kind: .button, label: "New")
      var made = TerminalViewTests.presentation(isSurrounded ? [search, list, new] : [list])
      made.revision = revision
      return made
    }

    /// The view after the host has sent all visible rows.
    var view: TerminalView {
      var view = draw()
      var rounds = 0
      while let (target, row) = view.missing, rounds < 5 {
        answer(Controller.window(around: row, of: target, visibleRows: view.visibleRows))
        view = draw()
        rounds += 1
      }
      #expect(view.missing == nil, "what is in sight is not there")
      return view
    }

    private func draw() -> TerminalView {
      let view = TerminalView(presentation, controller.state, columns: 60, rows: 24)
      controller.state.scroll = view.state.scroll
      controller.state.anchors = view.state.anchors
      controller.state.wantedSight = view.state.wantedSight
      return view
    }

    func answer(_ action: Event.Action) {
      guard case .window(_, let first, let count) = action else { return }
      asked += 1
      guard !isSlow else { return }
      (self.first, self.count) = (first, min(count, 500))
      revision = revision + 1
      controller.update(presentation)
    }

    func press(_ keys: Key...) {
      for key in keys {
        if case .send(let action) = controller.handle(key, isSlow ? draw() : view) { answer(action) }
      }
    }

    /// Sends the rows around a row, as a slow host that catches up.
    func catchUp(_ row: Int) {
      isSlow = false
      answer(.window(.init(node: 4, element: "l"), first: row - 100, count: 200))
    }

    /// The numbers of the visible rows, from top to bottom.
    var rowsInSight: [Int] {
      text.split(separator: "\n").compactMap { line in
        line.firstRange(of: "row ").flatMap { Int(line[$0.upperBound...].prefix { $0.isNumber }) }
      }
    }

    var focused: String? {
      isTable
        ? controller.state.gridCells.first.flatMap { presentation.top?.elements.first?.keys?[$0.value.row - 1] }
        : view.presentation.focused(controller.state)?.key
    }

    var text: String { view.canvas.text }
  }

  @Test(arguments: [false, true]) func keysReachEveryRow(isTable: Bool) {
    let session = Session(100_000, isTable: isTable)
    if isTable { session.press(.down) }
    session.press(.end)
    #expect(session.focused == "99999" && session.text.contains("row 99999"))
    #expect(!session.text.contains("below") && !session.text.contains("row 99900"))
    session.press(.home)
    #expect(session.focused == "0" && session.text.contains("row 0"))
    session.press(.pageDown, .pageDown)
    let page = session.view.visibleRows
    #expect(session.focused == "\(2 * page)")
    session.press(.pageUp)
    #expect(session.focused == "\(page)")
    for _ in 0..<150 { session.press(.down) }
    #expect(session.focused == "\(page + 150)")
    #expect(session.asked < 10, "they are not asked for row by row: \(session.asked)")
    for _ in 0..<160 { session.press(.up) }
    #expect(session.focused == "\(page - 10)")
    #expect(session.text.contains("row \(page - 10)"))
  }

  /// Rows are requested before they come into view, so that a key does not wait for the host.
  @Test func rowsNearTheVisibleOnesAreRequested() throws {
    let session = Session(100_000)
    #expect(session.view.sparse == nil, "the host has sent enough rows")
    var presses = 0
    while session.view.sparse == nil, presses < 200 {
      session.press(.down)
      presses += 1
    }
    #expect(session.asked == 0 && presses > 50 && presses < 100, "\(presses) presses")
    let before = session.rowsInSight
    let (target, row) = try #require(session.view.sparse)
    session.answer(Controller.window(around: row, of: target, visibleRows: session.view.visibleRows))
    #expect(session.rowsInSight == before, "the visible rows stay")
    #expect(session.view.sparse == nil && session.asked == 1)
  }

  @Test(arguments: [(false, true), (true, true), (false, false)])
  func theScrollBarReachesEveryRow(isTable: Bool, isFocusable: Bool) {
    let session = Session(100_000, isTable: isTable, isFocusable: isFocusable)
    session.press(.press(row: 22, column: 59))
    #expect(session.text.contains("row 99999"), "\(session.text)")
    session.press(.drag(row: 12, column: 40))
    #expect(session.text.contains("row 4") || session.text.contains("row 5"), "\(session.text)")
    #expect(!session.text.contains("row 99999"))
    session.press(.drag(row: 0, column: 40), .release)
    #expect(session.text.contains("row 0") && !session.text.contains("above"), "\(session.text)")
    // A place on the bar for loaded rows.
    session.press(.press(row: 3, column: 59), .wheelDown, .wheelDown)
    #expect(session.text.contains("row 6"))
  }

  @Test func rowsStayWhereTheyAreWhenOthersCome() throws {
    let session = Session(100_000, isFocusable: false)
    var before = 0
    for _ in 0..<60 {
      session.press(.wheelDown)
      let line = session.text.split(separator: "\n").first { $0.contains("row ") }
      let top = try #require(line?.split(separator: " ").compactMap { Int($0) }.first)
      #expect(top - before <= 3 && top >= before, "it jumped from \(before) to \(top)")
      before = top
    }
    #expect(before > 150)
    for _ in 0..<70 { session.press(.wheelUp) }
    #expect(session.text.contains("row 0") && !session.text.contains("above"))
  }

  @Test func whatCannotBeHadIsNotWaitedFor() {
    let session = Session(100_000)
    session.press(.end)
    let shorter = Session(50)
    shorter.controller.state = session.controller.state
    shorter.controller.state.wantedRow = (.init(node: 4, element: "l"), 99_999)
    shorter.controller.update(shorter.presentation)
    #expect(shorter.controller.state.wantedRow == nil)
    #expect(shorter.focused == "49")
  }

  @Test func afterPageDownTheKeyboardGoesOnFromThePageInSight() throws {
    let session = Session(700)
    session.isSurrounded = true
    session.controller.state.focus[4] = "search"
    session.press(.pageDown)
    let page = session.rowsInSight
    session.press(.down)
    #expect(session.focused == "\(page[0])", "of \(page)")
    for _ in 0..<8 { session.press(.pageDown) }
    let before = try #require(session.focused.flatMap { Int($0) })
    #expect(session.rowsInSight.contains(before))
    session.press(.down)
    #expect(session.focused == "\(before + 1)")
  }

  @Test(arguments: [Key.down, .up, .tab, .backTab])
  func afterScrollingTheKeyboardGoesOnFromWhatIsInSight(_ key: Key) throws {
    let session = Session(700)
    session.isSurrounded = true
    session.press(.down, .down)
    #expect(session.focused == "2")
    // Scroll until the focused row is no longer loaded.
    for _ in 0..<120 { session.press(.wheelDown) }
    let page = session.rowsInSight
    #expect(session.focused == nil, "the keyboard is on a row that is not here")
    session.press(key)
    let expected = key == .down || key == .tab ? page.first : page.last
    #expect(session.focused == expected.map { "\($0)" }, "of \(page)")
    #expect(session.rowsInSight == page)
  }

  @Test func enterOnARowOutOfSightGoesBackToIt() {
    let session = Session(700)
    session.isSurrounded = true
    session.press(.down, .down)
    for _ in 0..<120 { session.press(.wheelDown) }
    session.press(.enter)
    #expect(session.focused == "2")
    #expect(session.rowsInSight.contains(2))
  }

  @Test func theKeyboardWaitsForRowsThatAreNotHere() {
    let session = Session(700)
    session.isSurrounded = true
    session.press(.down)
    session.isSlow = true
    // The host sends nothing, but the user moves on.
    session.press(.end, .up, .up)
    #expect(session.controller.state.wantedRow?.row == 697)
    session.catchUp(697)
    #expect(session.focused == "697")
    session.press(.down)
    #expect(session.focused == "698")
  }

  @Test func whoGoesElsewhereMeanwhileIsNotFetchedBack() {
    let session = Session(700)
    session.isSurrounded = true
    session.press(.down)
    session.isSlow = true
    session.press(.end, .tab, .tab)
    session.catchUp(699)
    #expect(session.view.presentation.focused(session.controller.state)?.id == "new")
  }

  @Test func aListIsEnteredAtItsEndsAndAtTheRowThatWasLeft() {
    let session = Session(700)
    session.isSurrounded = true
    session.press(.down, .down, .tab, .tab)
    #expect(session.view.presentation.focused(session.controller.state)?.id == "new")
    session.press(.backTab)
    #expect(session.focused == "2" && session.rowsInSight.contains(2))
    session.press(.tab, .tab, .up)
    #expect(session.focused == "699" && session.rowsInSight.contains(699))
    session.controller.state.focus[4] = "search"
    session.press(.down)
    #expect(session.focused == "0" && session.rowsInSight.contains(0))
  }

  @Test func afterScrollingATableGoesOnFromWhatIsInSight() {
    let session = Session(700, isTable: true)
    session.press(.down, .down)
    for _ in 0..<60 { session.press(.wheelDown) }
    let page = session.rowsInSight
    session.press(.down)
    #expect(session.focused == "\(page[0])", "of \(page)")
    #expect(session.rowsInSight == page)
  }
}
