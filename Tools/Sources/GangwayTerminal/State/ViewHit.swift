@_spi(FrontEnd) import GangwayProtocol

/// The target of a press at a place on the screen.
enum ViewHit: Hashable {
  /// A part of a node's screen.
  case content(NodeID, ContentHit)
  /// A screen beside others.
  case pane(NodeID)
  case tab(NodeID)
  case back
  /// An entry of the path.
  case entry(NodeID)
  /// An item of a list over the app, or an answer of a question.
  case listed(Int)
  case closeOverlay
  /// A part of a scroll bar, with the line to scroll the screen to.
  case scrollBar(NodeID, Int)
  /// A part of a long list's scroll bar, with the row to scroll to.
  case rowBar(Event.ElementReference, Int)
}

/// A part of a screen that can be pressed.
enum ContentHit: Hashable {
  case element(ElementID)
  case cell(ElementID, row: Int, column: Int)
  /// An address in a text.
  case link(String)
  /// An option of a tab bar within a screen.
  case option(ElementID, String)
}
