@_spi(FrontEnd) import GangwayProtocol

/// The focus and the scroll position of each screen, as the host knows them.
///
/// A presentation may have older ones while an event about them is on its way.
struct ToldPlaces {
  private var focus: [NodeID: ElementID] = [:]
  private var scroll: [NodeID: Int] = [:]

  /// Notes an action that goes to the host.
  mutating func note(_ action: Event.Action) {
    switch action {
    case .focus(let node, let element): focus[node] = element
    case .scroll(let node, let lines): scroll[node] = lines
    default: break
    }
  }

  /// Returns the actions that tell the host where the user is on screens that are shown.
  ///
  /// Focus also moves without a key: to a row that a key asked for, once it is loaded.
  ///
  /// - Parameter active: the pane with the keyboard. The focus of other panes is not told, because the host takes the
  ///   pane of the last event for the active one.
  func news(of panes: [Presentation.Pane], active: NodeID?, _ state: ViewState) -> [Event.Action] {
    panes.flatMap { pane -> [Event.Action] in
      var actions: [Event.Action] = []
      if let lines = state.scroll[pane.node], lines != scroll[pane.node] ?? max(0, pane.scroll ?? 0) {
        actions.append(.scroll(pane.node, lines: lines))
      }
      if pane.node == active, let element = state.focus[pane.node], element != focus[pane.node] ?? pane.focus,
        pane.elements.flattened.contains(where: { $0.id == element })
      {
        actions.append(.focus(pane.node, element))
      }
      return actions
    }
  }
}
