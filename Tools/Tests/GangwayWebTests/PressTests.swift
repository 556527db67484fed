@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import TestSupport
import Testing

@_spi(FrontEnd) @testable import GangwayWeb

/// The messages that pages send for user actions.
@Suite struct PressTests {
  private static let names = [
    "a", "", " ", "a b", "%", "%41", "é", "\"'<>&", "\u{202e}x", "😀", "a\u{0}b", "tap 1 2", "\n", "list[7].x",
  ]

  @Test func everyEventIsReadAsWhatItWas() {
    for name in Self.names {
      let target = Event.ElementReference(node: 12, element: ElementID(rawValue: name))
      let actions: [Event.Action] = [
        .tap(target), .edit(target, text: name), .toggle(target, isOn: true), .toggle(target, isOn: false),
        .choose(target, option: name), .cell(target, row: 3, column: -4), .expand(target, isExpanded: true),
        .select(target, keys: []), .select(target, keys: Self.names), .sort(target, column: name, order: .descending),
        .submit(target), .window(target, first: 0, count: 200), .tab(3), .back, .dismiss, .focus(3, target.element),
        .focus(3, nil), .scroll(2, lines: 9), .open(name), .undo, .redo, .undoNotice(4),
      ]
      for action in actions {
        // The text of an edit is sent beside the message.
        #expect(Press.action(Press(action).text, content: name) == action, "\(Press(action).text)")
      }
    }
  }

  @Test(arguments: [
    "", " ", "tap", "tap 1", "tap x y", "tap 1 2 3", "tap 1 %zz", "tap 1 %c3", "toggle 1 a", "toggle 1 a maybe",
    "cell 1 a 1",
    "sort 1 a up b", "window 1 a 1", "tab", "tab x", "back 1", "open", "rm 1", "focus", "scroll 1", "undoNotice x",
    "tap 99999999999999999999 a",
  ])
  func whatIsNoneIsNothing(_ text: String) { #expect(Press.action(text, content: nil) == nil) }

  @Test func anyTextIsReadWithoutATrap() {
    var random = SeededRandom(seed: 7)
    let letters = Array("tapopensort 0123%\u{1f}é ")
    for _ in 0..<50_000 {
      let text = String(
        (0..<Int.random(in: 0..<24, using: &random)).map { _ in letters.randomElement(using: &random) ?? "a" })
      if let action = Press.action(text, content: "") {
        #expect(Press.action(Press(action).text, content: "") == action)
      }
      _ = WebRequest.fields(text)
    }
  }
}
