@_spi(FrontEnd) import GangwayProtocol
import Glibc
@_spi(FrontEnd) import TestSupport
import Testing

@_spi(FrontEnd) @testable import GangwayTerminal

@Suite struct ControllerTests {
  init() { setlocale(LC_ALL, "C.UTF-8") }

  private func view(_ controller: Controller, _ elements: [Element]) -> TerminalView {
    TerminalView(TerminalViewTests.presentation(elements), controller.state, columns: 60, rows: 30)
  }

  private func target(_ id: ElementID) -> Event.ElementReference { .init(node: 4, element: id) }

  /// Presses keys in order, and returns the outcome of the last one.
  private func press(_ keys: [Key], _ elements: [Element], _ controller: inout Controller) -> Controller.Outcome {
    var outcome = Controller.Outcome.nothing
    for key in keys { outcome = controller.handle(key, view(controller, elements)) }
    return outcome
  }

  private let buttons = [
    Element(id: "a", kind: .button, label: "A"), Element(id: "b", kind: .button, label: "B"),
    Element(id: "g", kind: .toggle, label: "G", value: "off"),
    Element(
      id: "p", kind: .picker, label: "P", value: "1",
      options: [.init(id: "1", title: "One"), .init(id: "2", title: "Two"), .init(id: "3", title: "Three")]),
  ]

  /// Up and Down would be lost on a screen with one line of buttons.
  @Test(arguments: [Key.down, .up]) func aScreenWithOneLineOfButtonsIsWalked(_ key: Key) {
    var controller = Controller(isStored: true)
    #expect(press([key, .enter], Array(buttons.prefix(2)), &controller) == .send(.tap(target("b"))))
  }

  /// Letters in a question must not reach the commands behind it.
  @Test func aQuestionCopiesNothing() {
    var question = TerminalViewTests.presentation(buttons)
    question.layers[0].elements.append(
      Element(id: "q", kind: .alert, label: "Leave?", children: [Element(id: "y", kind: .button, label: "Leave")]))
    var controller = Controller(isStored: true)
    let view = TerminalView(question, controller.state, columns: 60, rows: 24)
    #expect(view.presentation.alert != nil)
    #expect(controller.handle(.character("y"), view) == .nothing)
  }

  @Test(arguments: [
    ([Key.enter], "tap a"), ([.tab, .enter], "tap b"), ([.right, .character(" ")], "tap b"),
    // Down leaves the line with both buttons.
    ([.down, .enter], "toggle g"),
    ([.tab, .tab, .enter], "toggle g"), ([.backTab, .right], "choose 2"), ([.up, .left], "choose 3"),
    ([.escape], "back"), ([.character("2")], "tab 3"), ([.alt("1")], "tab 2"),
    ([.character("u")], "undo"), ([.character("U")], "redo"),
  ])
  func keysDoWhatTheySay(_ keys: [Key], _ meaning: String) {
    var controller = Controller(isStored: true)
    let outcome = press(keys, buttons, &controller)
    let expected: Controller.Outcome =
      switch meaning {
      case "tap a": .send(.tap(target("a")))
      case "tap b": .send(.tap(target("b")))
      case "toggle g": .send(.toggle(target("g"), isOn: true))
      case "choose 2": .send(.choose(target("p"), option: "2"))
      case "choose 3": .send(.choose(target("p"), option: "3"))
      case "back": .send(.back)
      case "undo": .send(.undo)
      case "redo": .send(.redo)
      case "tab 3": .send(.tab(3))
      default: .send(.tab(2))
      }
    #expect(outcome == expected)
  }

  @Test(arguments: [
    ([Key.character("x")], "abcx"), ([.backspace], "ab"), ([.left, .character("x")], "abxc"),
    ([.home, .delete], "bc"), ([.home, .right, .character("日")], "a日bc"),
    ([.left, .left, .end, .character("é")], "abcé"),
    ([.character("q")], "abcq"), ([.character("1")], "abc1"), ([.character("?")], "abc?"),
  ])
  func textIsEditedAtTheCursor(_ keys: [Key], _ text: String) {
    var controller = Controller(isStored: true)
    let field = [Element(id: "f", kind: .field, label: "F", value: "abc")]
    #expect(press(keys, field, &controller) == .send(.edit(target("f"), text: text)))
  }

  @Test(arguments: [("0", "12", "12"), ("10", "2", "102"), ("0", ".5", "0.5"), ("", "0", "0")])
  func theFirstDigitReplacesTheZeroOfANumber(_ value: String, _ typed: String, _ text: String) {
    var controller = Controller(isStored: true)
    let field = [Element(id: "f", kind: .number, label: "F", value: value)]
    #expect(press(typed.map { .character($0) }, field, &controller) == .send(.edit(target("f"), text: text)))
  }

  @Test func aDigitBehindAWholeDateBeginsANewOne() {
    var controller = Controller(isStored: true)
    let field = [Element(id: "f", kind: .date, label: "F", value: "2026-11-27")]
    #expect(press([.character("2")], field, &controller) == .send(.edit(target("f"), text: "2")))
    #expect(press([.character("0")], field, &controller) == .send(.edit(target("f"), text: "20")))
    var other = Controller(isStored: true)
    #expect(press([.backspace, .character("8")], field, &other) == .send(.edit(target("f"), text: "2026-11-28")))
  }

  @Test(arguments: [
    ([Key.control("w")], "one two "), ([.deleteWordBefore, .deleteWordBefore], "one "), ([.control("u")], ""),
    ([.home, .control("k")], ""), ([.home, .deleteWordAfter], " two three"),
    ([.wordLeft, .control("k")], "one two "), ([.wordLeft, .wordLeft, .control("u")], "two three"),
    ([.control("a"), .alt("f"), .character("!")], "one! two three"), ([.home, .control("d")], "ne two three"),
    ([.selectWordLeft, .character("4")], "one two 4"), ([.selectLeft, .selectLeft, .delete], "one two thr"),
    ([.selectHome, .backspace], ""), ([.alt("a"), .paste("x\ny", isWhole: true)], "x y"),
    ([.character("!"), .character("?"), .control("_")], "one two three"),
    ([.control("w"), .control("u"), .control("_"), .control("_")], "one two three"),
    ([.control("u"), .control("_"), .alt("_")], ""),
  ])
  func textIsEditedByWordsLinesAndSelections(_ keys: [Key], _ text: String) {
    var controller = Controller(isStored: true)
    let field = [Element(id: "f", kind: .field, label: "F", value: "one two three")]
    #expect(press(keys, field, &controller) == .send(.edit(target("f"), text: text)))
  }

  @Test func pastedLinesAreTextInAFieldOfSeveralAndElsewhereRefused() {
    var controller = Controller(isStored: true)
    let field = [Element(id: "f", kind: .field, label: "F", value: "", role: .multiline)]
    let paste = Key.paste("one\nq", isWhole: true)
    #expect(press([paste], field, &controller) == .send(.edit(target("f"), text: "one\nq")))
    var other = Controller(isStored: true)
    #expect(press([paste], buttons, &other) == .redraw)
    #expect(other.state.status?.text == "Nothing was pasted. Choose a text field first.")
    var asked = Controller(isStored: true)
    asked.state.overlay = .question(.quit)
    #expect(press([.paste("y", isWhole: true)], buttons, &asked) != .quit)
  }

  @Test func aPasteThatIsTooLongSaysSo() {
    var controller = Controller(isStored: true)
    let field = [Element(id: "f", kind: .field, label: "F", value: "")]
    _ = press([.paste("a", isWhole: false)], field, &controller)
    #expect(controller.state.status?.text.hasPrefix("Pasted the first 1000000 characters; the rest was cut") == true)
  }

  @Test func whatIsSelectedIsCopiedAndNoSecret() {
    var controller = Controller(isStored: true)
    let field = [Element(id: "f", kind: .field, label: "F", value: "one two")]
    #expect(press([.selectWordLeft, .alt("c")], field, &controller) == .copy("two"))
    #expect(press([.character("y")], buttons, &controller) == .copy("A"))
    let secret = [Element(id: "f", kind: .field, label: "F", value: "one two", role: .secure)]
    var other = Controller(isStored: true)
    #expect(press([.alt("a"), .alt("c")], secret, &other) == .nothing)
  }

  @Test func aDoublePressCountsTwiceOnlyOnTheSameThing() {
    var controller = Controller(isStored: true)
    let drawn = view(controller, buttons)
    let lines = drawn.canvas.text.split(separator: "\n", omittingEmptySubsequences: false)
    let row = lines.firstIndex { $0.contains("[ B ]") } ?? 0
    #expect(controller.handle(.press(row: row, column: 9), drawn) == .send(.tap(target("b"))))
    #expect(controller.handle(.doublePress(row: row, column: 9), drawn) == .send(.tap(target("b"))))
    _ = controller.handle(.press(row: row, column: 9), drawn)
    // Another screen appeared under the mouse.
    #expect(controller.handle(.doublePress(row: row, column: 3), drawn) == .nothing)
  }

  @Test func aFieldOfSeveralLinesTakesEnterAndMovesByLine() {
    var controller = Controller(isStored: true)
    let field = [Element(id: "f", kind: .field, label: "F", value: "one\ntwo", role: .multiline)]
    #expect(press([.enter], field, &controller) == .send(.edit(target("f"), text: "one\ntwo\n")))
    var other = Controller(isStored: true)
    #expect(press([.up, .character("x")], field, &other) == .send(.edit(target("f"), text: "onex\ntwo")))
  }

  @Test func fastTypingIsNotUndoneByLateAnswers() {
    var controller = Controller(isStored: true)
    let field = [Element(id: "f", kind: .field, label: "F", value: "")]
    _ = press([.character("a"), .character("b")], field, &controller)
    // The answer to the first key: the host knows only "a".
    controller.state.edits[target("f")]?.unanswered = 1
    controller.update(TerminalViewTests.presentation([Element(id: "f", kind: .field, label: "F", value: "a")]))
    #expect(press([.character("c")], field, &controller) == .send(.edit(target("f"), text: "abc")))
  }

  @Test func whatTheFeatureMakesOfATextIsShown() {
    var controller = Controller(isStored: true)
    let field = [Element(id: "f", kind: .field, label: "F", value: "")]
    _ = press([.character("a")], field, &controller)
    controller.state.edits[target("f")]?.unanswered = 0
    controller.update(TerminalViewTests.presentation([Element(id: "f", kind: .field, label: "F", value: "A")]))
    #expect(controller.state.edits[target("f")]?.text == "A")
  }

  @Test func aGridIsWalkedByArrowsAndLeftByTab() {
    var controller = Controller(isStored: true)
    let cells = Array(repeating: Array(repeating: Element.Cell(text: "·"), count: 3), count: 3)
    let grid = [Element(id: "o", kind: .grid, label: "O", cells: cells), Element(id: "b", kind: .button, label: "B")]
    #expect(press([.right, .down, .down, .enter], grid, &controller) == .send(.cell(target("o"), row: 2, column: 1)))
    #expect(press([.tab, .enter], grid, &controller) == .send(.tap(target("b"))))
  }

  @Test func aPressOfTheMouseHitsWhatIsThere() {
    var controller = Controller(isStored: true)
    let drawn = view(controller, buttons)
    let lines = drawn.canvas.text.split(separator: "\n", omittingEmptySubsequences: false)
    let row = lines.firstIndex { $0.contains("[ B ]") } ?? 0
    #expect(controller.handle(.press(row: row, column: 9), drawn) == .send(.tap(target("b"))))
    #expect(controller.handle(.press(row: 0, column: 14), drawn) == .send(.tab(3)))
    #expect(controller.handle(.press(row: 1, column: 1), drawn) == .send(.back))
    #expect(controller.handle(.press(row: 20, column: 30), drawn) == .nothing)
    #expect(controller.handle(.press(row: 999, column: 999), drawn) == .nothing)
  }

  @Test func quittingAsksOnlyWhenTextWouldBeLost() {
    let typed = buttons + [Element(id: "f", kind: .field, label: "F", value: "text")]
    let secret = buttons + [Element(id: "f", kind: .field, label: "F", value: "text", role: .secure)]
    var stored = Controller(isStored: true)
    #expect(press([.character("q")], typed, &stored) == .quit)
    #expect(press([.character("q")], secret, &stored) == .redraw)
    #expect(stored.state.overlay == .question(.quit))
    #expect(press([.character("n")], secret, &stored) == .redraw)
    #expect(stored.state.overlay == nil)
    #expect(press([.character("q"), .character("y")], secret, &stored) == .quit)
    var fleeting = Controller(isStored: false)
    #expect(press([.character("q")], typed, &fleeting) == .redraw)
    var empty = Controller(isStored: false)
    #expect(press([.character("q")], buttons, &empty) == .quit)
  }

  @Test func theKeyOfAButtonThatCannotBePressedIsNoCommand() {
    var controller = Controller(isStored: true)
    var undo = Element(id: "b", kind: .button, label: "Undo", isEnabled: false, detail: "no moves yet")
    undo.shortcut = "u"
    #expect(press([.character("u")], [buttons[0], undo], &controller) == .redraw)
    #expect(controller.state.status?.text == "'Undo' cannot be used now: no moves yet.")
    undo.isEnabled = true
    #expect(press([.character("u")], [buttons[0], undo], &controller) == .send(.tap(target("b"))))
  }

  @Test func aLetterOfAScreenTakesNothingFromTextOrFromWhatIsOnEveryScreen() {
    var quit = Element(id: "b", kind: .button, label: "Quit the game")
    quit.shortcut = "q"
    var controller = Controller(isStored: true)
    #expect(press([.character("q")], [buttons[0], quit], &controller) == .quit)
    quit.shortcut = "u"
    let field = Element(id: "f", kind: .field, label: "F", value: "")
    var other = Controller(isStored: true)
    #expect(press([.character("u")], [field, quit], &other) == .send(.edit(target("f"), text: "u")))
  }

  @Test func anyKeysOnAnyScreenAreHandled() {
    var random = SeededRandom(seed: 2)
    let keys: [Key] = [
      .enter, .escape, .tab, .backTab, .up, .down, .left, .right, .home, .end, .pageUp, .pageDown, .backspace, .delete,
      .wheelUp, .wheelDown, .character("a"), .character("日"), .character("\u{301}"), .alt("9"),
      .press(row: 5, column: 5),
    ]
    var controller = Controller(isStored: true)
    for _ in 0..<2_000 {
      guard let key = keys.randomElement(using: &random) else { return }
      _ = controller.handle(key, view(controller, TerminalViewTests.gallery))
    }
  }
}
