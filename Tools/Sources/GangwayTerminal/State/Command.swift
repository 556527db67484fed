/// What a person can have the front end do by a key of their choice.
enum Command: String, CaseIterable {
  case palette, back, filter, find, help
  case previousTab = "previous-tab"
  case nextTab = "next-tab"
  case previousOuterTab = "previous-outer-tab"
  case nextOuterTab = "next-outer-tab"
  case undo, redo, copy, messages
  case undoMessage = "undo-message"
  case report, reload, restart, quit
  // What keys without letters do, for those who would rather press letters.
  case up, down, left, right
  case pageUp = "page-up"
  case pageDown = "page-down"
  case first, last
  case nextColumn = "next-column"

  /// What it does, in a list of keys.
  var summary: String {
    switch self {
    case .palette: "go anywhere, do anything"
    case .back: "back, dismiss, cancel"
    case .filter: "filter the rows of this screen"
    case .find: "go to what begins with letters"
    case .help: "the keys"
    case .previousTab: "the tab before"
    case .nextTab: "the next tab"
    case .previousOuterTab: "the tab before, of the outer bar"
    case .nextOuterTab: "the next tab of the outer bar"
    case .undo: "undo a step"
    case .redo: "do it again"
    case .copy: "copy"
    case .messages: "messages, and the reports of crashes"
    case .undoMessage: "undo what the message tells of"
    case .report: "the last report"
    case .reload: "reload this feature"
    case .restart: "restart all features"
    case .quit: "quit (Ctrl-C anywhere)"
    case .up: "up"
    case .down: "down"
    case .left: "left"
    case .right: "right"
    case .pageUp: "a page up"
    case .pageDown: "a page down"
    case .first: "the first row"
    case .last: "the last row"
    case .nextColumn: "the next column"
    }
  }

  /// Whether no screen takes the letter of this command for a shortcut of its own.
  var isEverywhere: Bool {
    [.palette, .back, .help, .messages, .report, .reload, .restart, .quit].contains(self)
  }

  /// The key that has always done it, which no setting takes away.
  var fixedKey: Key? {
    switch self {
    case .back: .escape
    case .up: .up
    case .down: .down
    case .left: .left
    case .right: .right
    case .pageUp: .pageUp
    case .pageDown: .pageDown
    case .first: .home
    case .last: .end
    case .nextColumn: .nextPane
    default: nil
    }
  }
}
