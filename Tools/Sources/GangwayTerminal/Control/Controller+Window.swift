@_spi(FrontEnd) import GangwayProtocol

/// Long lists and tables, of which the host sends only the rows near those in view.
extension Controller {
  /// The fewest rows to request at once.
  private static let rows = 60

  /// Returns the request for the rows around a row: those of a screen, and as many above and below.
  static func window(around row: Int, of target: Event.ElementReference, visibleRows: Int) -> Event.Action {
    let count = max(rows, visibleRows * 3)
    return .window(target, first: max(0, row - count / 2), count: count)
  }

  /// Moves focus by rows within a long list; nil if focus is outside of one, or already on that row.
  ///
  /// - Parameter move: returns the row to focus, from the current row and the number of rows. The current row is the
  ///   focused or requested one, or else the first in view.
  mutating func moveRow(_ view: TerminalView, _ move: (Int, Int) -> Int) -> Outcome? {
    let presentation = view.presentation
    guard let node = presentation.top?.node, presentation.alert == nil, let (list, now) = currentRow(view),
      let rowCount = list.rowCount, rowCount > 0
    else { return nil }
    let row = min(max(move(now, rowCount), 0), rowCount - 1)
    // Nil lets the caller scroll to the elements above and below the list.
    if view.showsFocus, state.wantedRow == nil, row == now { return nil }
    let shown = row - list.rowsAbove
    guard list.children.indices.contains(shown) else { return want(row, of: list, view) }
    let name = list.children[shown].id
    let stop = presentation.stops(state).first { $0.list == list.id && $0.row == name }
    guard let next = stop?.elements.first else { return nil }
    // The row is loaded, so focus no longer waits for one.
    state.wantedRow = nil
    state.focus[node] = next.id
    return .send(.focus(node, next.id))
  }

  /// Returns the long list that has focus, and the row to move from.
  private func currentRow(_ view: TerminalView) -> (list: Element, row: Int)? {
    let presentation = view.presentation
    if let wanted = state.wantedRow, wanted.target.node == presentation.top?.node,
      let list = presentation.list(wanted.target.element), list.kind == .list
    {
      return (list, wanted.row)
    }
    if view.showsFocus {
      guard let focused = presentation.focused(state), let list = presentation.container(of: focused.id, .list),
        list.rowCount != nil
      else { return nil }
      return list.row(of: focused.id).map { (list, $0) }
    }
    for id in view.positions.here {
      guard let list = presentation.container(of: id, .list), list.rowCount != nil, let row = list.row(of: id) else {
        continue
      }
      return (list, row)
    }
    return presentation.awayRow(state)
  }

  /// Moves to a row of a table, loaded or not. Rows count from 0, without the header.
  mutating func moveToRow(_ row: Int, in table: Element, _ target: Event.ElementReference, _ visibleRows: Int)
    -> Outcome
  {
    let rowCount = table.rowCount ?? table.shownRowCount
    let row = min(max(row, 0), max(1, rowCount) - 1)
    let shown = row - table.rowsAbove
    guard (0..<table.shownRowCount).contains(shown) else {
      state.wantedRow = (target, row)
      return .send(Self.window(around: row, of: target, visibleRows: visibleRows))
    }
    state.wantedRow = nil
    state.gridCells[target, default: (0, 0)].row = shown + 1
    return .redraw
  }

  /// Returns whether a long list of a pane has other rows than before, but as many.
  func hasOtherRows(_ pane: Presentation.Pane) -> Bool {
    pane.elements.flattened.contains { list in
      let target = Event.ElementReference(node: pane.node, element: list.id)
      guard let before = state.shownRows[target], before.count == list.rowCount else { return false }
      return before.first != list.rowsAbove
    }
  }

  /// Moves focus to the requested row once it is loaded, and keeps a table's focus on the same row.
  mutating func followWindows(of pane: Presentation.Pane) {
    for list in pane.elements.flattened where list.rowCount != nil {
      let target = Event.ElementReference(node: pane.node, element: list.id)
      let moved = (state.shownRows[target]?.first ?? list.rowsAbove) - list.rowsAbove
      state.shownRows[target] = (list.rowsAbove, list.rowCount ?? 0)
      if moved != 0, list.kind == .table, let cell = state.gridCells[target], cell.row > 0 {
        state.gridCells[target]?.row = min(max(cell.row + moved, 1), max(1, list.shownRowCount))
      }
      guard let wanted = state.wantedRow, wanted.target == target else { continue }
      let shown = wanted.row - list.rowsAbove
      if list.kind == .table, (0..<list.shownRowCount).contains(shown) {
        state.gridCells[target, default: (0, 0)].row = shown + 1
        state.wantedRow = nil
      } else if list.children.indices.contains(shown) {
        let row = list.children[shown]
        let focusable = [row].flattened.first {
          $0.isFocusable(inSelectableList: list.selects != nil && $0.id == row.id)
        }
        if let focusable { state.focus[pane.node] = focusable.id }
        state.wantedRow = nil
      } else if wanted.row >= list.rowCount ?? 0 {
        state.wantedRow = nil
      }
    }
  }
}
