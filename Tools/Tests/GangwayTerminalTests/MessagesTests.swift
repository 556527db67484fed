@_spi(FrontEnd) import GangwayProtocol
import Glibc
import Testing

@_spi(FrontEnd) @testable import GangwayTerminal

/// Messages: the status line, the list of messages, and undo.
@Suite struct MessagesTests {
  init() { setlocale(LC_ALL, "C.UTF-8") }

  private let button = [Element(id: "b", kind: .button, label: "Press")]
  private let field = [Element(id: "f", kind: .field, label: "Field", value: "")]

  private func view(_ controller: Controller, _ elements: [Element], columns: Int = 60) -> TerminalView {
    TerminalView(TerminalViewTests.presentation(elements), controller.state, columns: columns, rows: 16)
  }

  private func press(_ key: Key, _ elements: [Element], _ controller: inout Controller) -> Controller.Outcome {
    controller.handle(key, view(controller, elements))
  }

  private func removed(_ name: String, _ id: NoticeID) -> Update.Notice {
    var notice = Update.Notice(.information, "Removed \(name).")
    notice.undo = id
    return notice
  }

  private func status(_ controller: Controller, _ elements: [Element], columns: Int = 60) -> String {
    String(view(controller, elements, columns: columns).canvas.text.split(separator: "\n").last ?? "")
  }

  /// A refusal of one screen would be a lie on another.
  @Test func aRefusalGoesWithItsScreen() {
    var controller = Controller(isStored: true)
    var presentation = TerminalViewTests.presentation([])
    controller.update(presentation)
    controller.tell([.init(.refusal, "This is the first screen.")])
    controller.update(presentation)
    #expect(controller.state.status?.text == "This is the first screen.")
    presentation.layers[0].node = 9
    controller.update(presentation)
    #expect(controller.state.status == nil)
    // A failure stays until it is read.
    controller.tell([.init(.failure, "The clock failed.")])
    presentation.layers[0].node = 10
    controller.update(presentation)
    #expect(controller.state.status != nil)
  }

  @Test func whatIsToldIsUndoneByAKeyWhileItStandsThere() {
    var controller = Controller(isStored: true)
    controller.tell([removed("Milk", 7)])
    #expect(status(controller, button).contains("Removed Milk.   z undoes it"))
    #expect(press(.character("z"), button, &controller) == .send(.undoNotice(7)))
    // After the message is gone or undone, no key undoes it by accident; the user chooses from the list.
    #expect(press(.character("z"), button, &controller) == .redraw)
    #expect(controller.state.overlay == .list(.init(kind: .messages, selected: 0)))
  }

  @Test func inATextFieldItIsUndoneWithAlt() {
    var controller = Controller(isStored: true)
    controller.tell([removed("Milk", 7)])
    #expect(status(controller, field).contains("Alt-z undoes it"))
    var typing = controller
    #expect(press(.character("z"), field, &typing) == .send(.edit(.init(node: 4, element: "f"), text: "z")))
    #expect(press(.alt("z"), field, &controller) == .send(.undoNotice(7)))
  }

  @Test func aLongMessageLeavesRoomForWhatCanBeDone() {
    var controller = Controller(isStored: true)
    var notice = Update.Notice(.information, String(repeating: "long ", count: 40))
    notice.undo = 7
    controller.tell([.init(.information, "First."), notice])
    for columns in [40, 60, 80] {
      #expect(status(controller, button, columns: columns).hasSuffix("z undoes it   ! 1 more"))
    }
  }

  @Test func theListHasTheNewestFirstAndUndoesWhatIsChosen() {
    var controller = Controller(isStored: true)
    controller.tell([removed("Milk", 7)])
    controller.tell([.init(.information, "Saved."), .init(.refusal, "Not sent.")])
    #expect(status(controller, button).contains("Not sent.   ! 1 more"))
    #expect(press(.character("m"), button, &controller) == .redraw)
    let lines = view(controller, button).canvas.text.split(separator: "\n").map(String.init)
    let places = ["Not sent.", "Saved.", "Removed Milk."].map { text in
      lines.firstIndex { $0.contains(text) } ?? -1
    }
    #expect(places[0] > 0 && places[1] == places[0] + 1 && places[2] == places[1] + 1)
    #expect(press(.down, button, &controller) == .redraw)
    // A message without an undo action is shown whole.
    #expect(press(.enter, button, &controller) == .redraw)
    #expect(controller.state.overlay == .text("Saved.", title: "Message", scroll: 0))
    for key in [Key.escape, .character("m"), .down, .down] { _ = press(key, button, &controller) }
    #expect(press(.enter, button, &controller) == .send(.undoNotice(7)))
    #expect(controller.state.overlay == nil)
  }

  @Test func theListHasNoMoreThanFiftyAndShowsTheOneChosen() {
    var controller = Controller(isStored: true)
    for number in 0..<80 { controller.tell([.init(.information, "Message \(number).")]) }
    _ = press(.character("m"), button, &controller)
    for _ in 0..<100 { _ = press(.down, button, &controller) }
    #expect(controller.state.overlay == .list(.init(kind: .messages, selected: 49)))
    #expect(view(controller, button).canvas.text.contains("Message 30."))
    _ = press(.escape, button, &controller)
    #expect(controller.state.overlay == nil)
  }

  @Test func whatIsToldWhileTheListStandsDoesNotMoveWhatIsChosen() {
    var controller = Controller(isStored: true)
    controller.tell([removed("Milk", 7)])
    controller.tell([removed("Tea", 8)])
    _ = press(.character("m"), button, &controller)
    _ = press(.down, button, &controller)
    // A feature sends a message just before the user presses Enter.
    controller.tell([removed("Bread", 9), .init(.information, "Saved.")])
    #expect(controller.state.overlay == .list(.init(kind: .messages, selected: 3)))
    #expect(press(.enter, button, &controller) == .send(.undoNotice(7)))
  }

  @Test func nothingToldIsSaidSo() {
    var controller = Controller(isStored: true)
    _ = press(.character("m"), button, &controller)
    #expect(view(controller, button).canvas.text.contains("No messages yet."))
    #expect(press(.enter, button, &controller) == .redraw)
  }

  @Test func noMessageReachesTheTerminalAsAnEscape() {
    var controller = Controller(isStored: true)
    controller.tell([removed("a\u{1b}[31mb\u{9b}1mc\u{202e}d\u{7}\ne", 7)])
    let before = view(controller, button).canvas.text
    _ = press(.character("m"), button, &controller)
    for text in [before, view(controller, button).canvas.text] {
      #expect(text.unicodeScalars.allSatisfy { $0.value >= 32 && !(0x7f...0x9f).contains($0.value) || $0 == "\n" })
      #expect(!text.unicodeScalars.contains("\u{202e}"))
    }
  }

  @Test func altWithALetterIsAShortcutAndElsewhereTheCommandButNeverEscape() {
    var controller = Controller(isStored: true)
    var given = button
    given[0].shortcut = "alt+k"
    #expect(controller.handle(.alt("k"), view(controller, given)) != .nothing)
    #expect(controller.handle(.alt("k"), view(controller, button)) == .nothing)
    #expect(controller.handle(.alt("u"), view(controller, button)) == .send(.undo))
    #expect(controller.handle(.alt("q"), view(controller, button)) == .quit)
  }

  @Test func aKeyOfTheFrontEndsIsNotGivenToAnElement() {
    var controller = Controller(isStored: true)
    var given = button
    given[0].shortcut = "alt+q"
    #expect(controller.handle(.alt("q"), view(controller, given)) == .quit)
    given[0].shortcut = "ctrl+p"
    #expect(controller.handle(.control("p"), view(controller, given)) == .redraw)
    #expect(controller.state.overlay == .list(.init(kind: .palette)))
  }

  @Test func aFieldKeepsTheKeysThatEditIt() {
    var controller = Controller(isStored: true)
    var given = field + button
    (given[0].value, given[1].shortcut) = ("one two", "alt+d")
    _ = press(.home, given, &controller)
    #expect(press(.alt("d"), given, &controller) == .send(.edit(.init(node: 4, element: "f"), text: " two")))
  }
}
