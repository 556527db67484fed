@_spi(FrontEnd) import GangwayProtocol

/// Mouse input.
extension Controller {
  mutating func press(_ view: TerminalView, _ row: Int, _ column: Int, isDouble: Bool = false) -> Outcome {
    guard let hit = view.hit(row: row, column: column) else { return .nothing }
    // A double press counts only if both presses hit the same target; the first may have changed the screen.
    if isDouble, hit != state.pressed { return .nothing }
    state.pressed = hit
    state.heldBar = nil
    switch hit {
    case .tab(let node): return .send(.tab(node))
    case .back: return .send(.back)
    case .entry(let node): return .send(.backTo(node))
    case .closeOverlay, .listed: return .nothing
    case .scrollBar, .rowBar:
      state.heldBar = column
      return scroll(to: hit, view)
    case .pane(let node): return take(node, view)
    case .content(let node, .cell(let id, let row, let column)):
      state.focus[node] = id
      if let top = view.panes.last { state.pane = (node, top.node) }
      let target = Event.ElementReference(node: node, element: id)
      state.gridCells[target] = (row, column)
      let element = view.presentation(of: node).reachable.first { $0.id == id }
      if let element, element.kind == .table {
        // The first press has selected the row, and the second must not deselect it.
        if isDouble, row > 0 { return .nothing }
        return activateTable(element, target) ?? .redraw
      }
      return .send(.cell(target, row: row, column: column))
    case .content(_, .link(let url)): return TextLink.outcome(url)
    case .content(let node, .option(let id, let option)):
      state.focus[node] = id
      if let top = view.panes.last { state.pane = (node, top.node) }
      return .send(.choose(.init(node: node, element: id), option: option))
    case .content(let node, .element(let id)):
      state.focus[node] = id
      if let top = view.panes.last { state.pane = (node, top.node) }
      let presentation = view.presentation(of: node)
      guard let element = presentation.reachable.first(where: { $0.id == id }) else { return .nothing }
      if isDouble, element.kind == .row, element.role != .button,
        presentation.container(of: id, .list)?.selects != nil
      {
        return element.isExpanded.map { .send(.expand(.init(node: node, element: id), isExpanded: !$0)) } ?? .nothing
      }
      return activate(element, node, presentation) ?? .send(.focus(node, id))
    }
  }

  /// Scrolls to the place of a part of a scroll bar.
  private mutating func scroll(to part: ViewHit, _ view: TerminalView) -> Outcome {
    switch part {
    case .scrollBar(let node, let line):
      state.scroll[node] = line
      state.followsFocus = false
      return .redraw
    case .rowBar(let target, let row):
      let presentation = view.presentation(of: target.node)
      guard let list = presentation.reachable.first(where: { $0.id == target.element }) else { return .nothing }
      // Focus stays where it is, as in a list whose rows are all loaded.
      state.followsFocus = false
      state.wantedSight = (target, row)
      let isHere = (0..<list.shownRowCount).contains(row - list.rowsAbove)
      return isHere ? .redraw : .send(Self.window(around: row, of: target, visibleRows: view.visibleRows))
    default: return .nothing
    }
  }

  /// Drags the scroll bar that the mouse holds.
  mutating func drag(_ view: TerminalView, _ row: Int) -> Outcome {
    guard let column = state.heldBar, let part = view.scrollBar(row: row, column: column) else { return .nothing }
    return scroll(to: part, view)
  }
}
