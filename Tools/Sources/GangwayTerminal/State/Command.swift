import GangwayProtocol

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
    self == .report ? "the last report" : FrontEndKey.all.first { $0.command == rawValue }?.purpose ?? rawValue
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
