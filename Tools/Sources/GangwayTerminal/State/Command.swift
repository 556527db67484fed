@_spi(FrontEnd) import GangwayProtocol

/// A front-end command that users can bind to a key.
enum Command: String, CaseIterable {
  case palette, back, filter, find, help
  case previousTab = "previous-tab"
  case nextTab = "next-tab"
  case previousOuterTab = "previous-outer-tab"
  case nextOuterTab = "next-outer-tab"
  case undo, redo, copy, messages
  case undoMessage = "undo-message"
  case report, reload, restart, quit
  // Keys without letters, as commands for users who prefer letters.
  case up, down, left, right
  case pageUp = "page-up"
  case pageDown = "page-down"
  case first, last
  case nextColumn = "next-column"

  /// A short description, for the list of keys.
  var summary: String {
    self == .report
      ? Words.CommandName.reportPurpose : FrontEndKey.all.first { $0.command == rawValue }?.purpose ?? rawValue
  }

  /// The built-in key of the command, which no setting can change.
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
