import GangwayProtocol

/// What a press at a place means.
enum ViewHit: Hashable {
  /// Something on the screen of a node.
  case content(NodeID, ContentHit)
  /// A screen beside others.
  case pane(NodeID)
  case tab(NodeID)
  case back
  /// A line of what covers the app, or one of its answers.
  case listed(Int)
  case closeOverlay
  /// How far a screen is to be scrolled.
  case scrollBar(NodeID, Int)
  /// Which row of a long list is to be in sight.
  case rowBar(Event.ElementReference, Int)
}

/// Something that can be pressed.
enum ContentHit: Hashable {
  case element(ElementID)
  case cell(ElementID, row: Int, column: Int)
  /// An address within a text.
  case link(String)
  /// One of the panes of a screen.
  case option(ElementID, String)
}
