@_spi(FrontEnd) import GangwayProtocol
import Glibc
import Testing

@_spi(FrontEnd) @testable import GangwayTerminal

/// Lists and questions that cover the app.
@Suite struct OverlayTests {
  init() { setlocale(LC_ALL, "C.UTF-8") }

  private let elements = [
    Element(id: "a", kind: .button, label: "Add a guest"), Element(id: "b", kind: .link, label: "Settings"),
    Element(id: "c", kind: .button, label: "Off", isEnabled: false),
  ]

  private func view(_ controller: Controller, columns: Int = 60, rows: Int = 24) -> TerminalView {
    TerminalView(TerminalViewTests.presentation(elements), controller.state, columns: columns, rows: rows)
  }

  private func press(_ keys: [Key], _ controller: inout Controller) -> Controller.Outcome {
    var outcome = Controller.Outcome.nothing
    for key in keys { outcome = controller.handle(key, view(controller)) }
    return outcome
  }

  private func type(_ text: String) -> [Key] { text.map { .character($0) } }

  /// Returns the position of a text.
  private func place(_ text: String, _ view: TerminalView) -> (row: Int, column: Int)? {
    for (row, line) in view.canvas.text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let line = String(line)
      if let range = line.firstRange(of: text) {
        return (row, line.distance(from: line.startIndex, to: range.lowerBound))
      }
    }
    return nil
  }

  @Test func thePaletteFindsTabsCommandsLinksAndWhatTheAppCanDo() {
    let ways: [(String, Controller.Outcome)] = [
      ("two", .send(.tab(3))), ("add", .send(.tap(.init(node: 4, element: "a")))),
      ("agst", .send(.tap(.init(node: 4, element: "a")))),
      ("sett", .send(.tap(.init(node: 4, element: "b")))), ("todos/new", .send(.open("gangway://todos/new"))),
      ("gangway://any/where", .send(.open("gangway://any/where"))), ("redo", .send(.redo)), ("quit", .quit),
      ("todos/search", .send(.open("gangway://todos/search"))),
    ]
    for (text, outcome) in ways {
      var controller = Controller(isStored: true)
      controller.state.links = ["gangway://todos/new", "gangway://todos/:id", "gangway://todos/search?text"]
      #expect(press([.control("p")] + type(text) + [.enter], &controller) == outcome, "\(text)")
      #expect(controller.state.overlay == nil)
    }
  }

  @Test func aLinkWithAParameterIsToBeFilledIn() {
    var controller = Controller(isStored: true)
    controller.state.links = ["gangway://todos/:id"]
    #expect(press([.control("p")] + type("todos") + [.enter], &controller) == .redraw)
    #expect(press(type("7") + [.enter], &controller) == .send(.open("gangway://todos/7")))
  }

  @Test func whatCannotBeDoneIsNotListed() {
    var controller = Controller(isStored: true)
    _ = press([.control("p")] + type("Off"), &controller)
    #expect(!view(controller).listed.contains { $0.title == "Off" })
  }

  @Test func aFieldDoesNotKeepThePaletteAway() {
    var controller = Controller(isStored: true)
    let field = TerminalView(
      TerminalViewTests.presentation([Element(id: "f", kind: .field, label: "F", value: "")]), controller.state,
      columns: 60, rows: 24)
    #expect(controller.handle(.control("p"), field) == .redraw)
    #expect(controller.state.overlay == .list(.init(kind: .palette)))
  }

  @Test func theMouseChoosesAndCloses() throws {
    var controller = Controller(isStored: true)
    _ = press([.control("p")], &controller)
    let item = try #require(place("Settings", view(controller)))
    #expect(
      press([.press(row: item.row, column: item.column)], &controller) == .send(.tap(.init(node: 4, element: "b"))))
    for _ in 0..<2 {
      _ = press([.control("p")], &controller)
      let mark = try #require(place("×", view(controller)))
      _ = press([.press(row: mark.row, column: mark.column)], &controller)
      #expect(controller.state.overlay == nil)
    }
    _ = press([.control("p"), .press(row: 23, column: 0)], &controller)
    #expect(controller.state.overlay == nil)
    // A press inside the box does not close it.
    _ = press([.control("p")], &controller)
    let prompt = try #require(place("type to narrow", view(controller)))
    _ = press([.press(row: prompt.row, column: prompt.column)], &controller)
    #expect(controller.state.overlay != nil)
  }

  @Test func everythingInTheKeysIsReadInASmallWindow() throws {
    var controller = Controller(isStored: true)
    _ = press([.character("?")], &controller)
    var seen = ""
    let help = view(controller).helpItems
    for _ in 0..<help.count {
      let small = view(controller, columns: 40, rows: 12)
      seen += small.canvas.text
      _ = controller.handle(.down, small)
    }
    for item in help {
      #expect(seen.contains(TextWidth.fit(item.title, 15).prefix(14)), "\(item.title)")
    }
    #expect(press([.escape, .character("?"), .character("?")], &controller) == .redraw)
    #expect(controller.state.overlay == nil)
  }

  @Test func whatIsSafeHasTheKeyboardInAQuestion() throws {
    let question = Question.quit
    func outcome(_ keys: [Key]) -> Controller.Outcome {
      var controller = Controller(isStored: true)
      controller.state.overlay = .question(question)
      return press(keys, &controller)
    }
    #expect(outcome([.enter]) == .redraw)
    #expect(outcome([.escape]) == .redraw)
    #expect(outcome([.right, .enter]) == .quit)
    #expect(outcome([.right, .left, .enter]) == .redraw)
    #expect(outcome([.character("y")]) == .quit)
    #expect(outcome([.paste("y", isWhole: true)]) == .nothing)
    #expect(outcome([.character("x"), .character("r")]) == .nothing)
    var controller = Controller(isStored: true)
    controller.state.overlay = .question(question)
    for (columns, rows) in [(40, 12), (80, 24), (120, 40)] {
      let drawn = view(controller, columns: columns, rows: rows)
      let confirm = try #require(place("[ Quit ]", drawn))
      #expect(drawn.hit(row: confirm.row, column: confirm.column + 2) == .listed(1))
      let safe = try #require(place("[ Stay ]", drawn))
      #expect(drawn.canvas[safe.row, safe.column].style.surface == .focused)
    }
  }

  @Test func aRestartAsksWhereSomethingWouldBeLost() {
    var controller = Controller(isStored: true)
    #expect(press([.character("r")], &controller) == .restart)
    controller.state.isWorking = true
    #expect(press([.character("r")], &controller) == .redraw)
    #expect(controller.state.overlay == .question(.restart))
    #expect(press([.right, .enter], &controller) == .restart)
  }

  @Test func aReportIsScrolledToItsEnd() {
    var controller = Controller(isStored: true)
    let text = (1...100).map { "line \($0)" }.joined(separator: "\n")
    controller.state.overlay = .text(text, title: "Report", scroll: 0)
    #expect(place("line 1 ", view(controller)) != nil && place("line 100", view(controller)) == nil)
    _ = press([.end], &controller)
    #expect(place("line 100", view(controller)) != nil)
    _ = press([.pageUp, .up, .wheelUp], &controller)
    #expect(place("line 100", view(controller)) == nil)
    #expect(press([.home, .character("y")], &controller) == .copy(text))
    _ = press([.escape], &controller)
    #expect(controller.state.overlay == nil)
  }

  @Test(arguments: [(40, 12), (80, 24)]) func anAlertsAnswersStayInSightAndItsMessageScrolls(
    _ columns: Int, _ rows: Int
  ) {
    var alert = Element(
      id: "q", kind: .alert, label: "Sure?",
      children: [
        Element(id: "q.0", kind: .button, label: "Delete", role: .destructive),
        Element(id: "q.1", kind: .button, label: "Cancel", role: .cancel),
      ])
    alert.detail = (1...60).map { "word\($0)" }.joined(separator: "\n")
    let presentation = TerminalViewTests.presentation(elements + [alert])
    var controller = Controller(isStored: true)
    func drawn() -> TerminalView { TerminalView(presentation, controller.state, columns: columns, rows: rows) }
    var seen = ""
    for _ in 0..<60 {
      let text = drawn().canvas.text
      #expect(text.contains("[ Delete ] [ Cancel ]"))
      seen += text
      controller.state = drawn().state
      _ = controller.handle(.wheelDown, drawn())
    }
    #expect(seen.contains("word1\n") || seen.contains("word1 "))
    #expect(seen.contains("word60"))
    // Focus moves only between the answers.
    #expect(controller.handle(.left, drawn()) == .send(.focus(4, "q.0")))
    #expect(controller.handle(.left, drawn()) == .nothing)
  }

  @Test func lettersThatAreNearTogetherCountMore() {
    func score(_ letters: String, _ text: String) -> Int { FuzzyMatch.score(letters, in: text) ?? Int.min }
    #expect(score("set", "Settings") > score("set", "Offset"))
    #expect(score("ng", "New Game") > score("ng", "Nothing else goes"))
    #expect(FuzzyMatch.score("xyz", in: "Settings") == nil)
    #expect(FuzzyMatch.score("gnittes", in: "Settings") == nil)
  }
}
