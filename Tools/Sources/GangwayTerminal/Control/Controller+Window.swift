import GangwayProtocol

/// Long lists and tables, of which the host sends the rows near those in sight.
extension Controller {
  /// How many rows are asked for at once at the least: more than any screen shows.
  private static let rows = 200

  /// What asks for the rows around one.
  static func window(around row: Int, of target: Event.ElementReference, visibleRows: Int) -> Event.Action {
    let count = max(rows, visibleRows * 4)
    return .window(target, first: max(0, row - count / 2), count: count)
  }

  /// Moves the keyboard by rows within a long list; nil where it is in none, or stays within what is there.
  ///
  /// - Parameter move: from the row that has the keyboard, and the number of rows, to the row that is to have it.
  mutating func moveRow(_ view: TerminalView, _ move: (Int, Int) -> Int) -> Outcome? {
    let presentation = view.presentation
    guard let focused = presentation.focused(state), let node = presentation.top?.node,
      let list = presentation.container(of: focused.id, .list), let rowCount = list.rowCount, rowCount > 0,
      let place = list.children.firstIndex(where: { [$0].flattened.contains { $0.id == focused.id } })
    else { return nil }
    let row = min(max(move(list.rowsAbove + place, rowCount), 0), rowCount - 1)
    let target = Event.ElementReference(node: node, element: list.id)
    let shown = row - list.rowsAbove
    guard list.children.indices.contains(shown) else {
      state.wantedRow = (target, row)
      return .send(Self.window(around: row, of: target, visibleRows: view.visibleRows))
    }
    guard let next = presentation.focusable(state, in: list.children[shown], of: list).first else { return nil }
    state.focus[node] = next.id
    return .send(.focus(node, next.id))
  }

  /// Moves the keyboard from a long list to what comes after or before it: nobody passes 100,000 rows one by one. Nil elsewhere, and
  /// where there is nothing else.
  mutating func leaveList(_ step: Int, _ presentation: Presentation) -> Outcome? {
    guard let node = presentation.top?.node, let focused = presentation.focused(state),
      let list = presentation.container(of: focused.id, .list), list.rowCount != nil
    else { return nil }
    let inside = Set([list].flattened.map(\.id))
    let candidates = presentation.focusable(state)
    guard let now = candidates.firstIndex(where: { $0.id == focused.id }) else { return nil }
    let order = (1..<max(candidates.count, 2)).map { (now + $0 * step + $0 * candidates.count) % candidates.count }
    guard let next = order.first(where: { !inside.contains(candidates[$0].id) }) else { return nil }
    state.focus[node] = candidates[next].id
    return .send(.focus(node, candidates[next].id))
  }

  /// Moves the keyboard on from the first or last row that is there to one that is not; nil elsewhere.
  mutating func moveOverEdge(_ step: Int, _ view: TerminalView) -> Outcome? {
    let presentation = view.presentation
    guard let focused = presentation.focused(state), let list = presentation.container(of: focused.id, .list),
      list.rowCount != nil, let row = step > 0 ? list.children.last : list.children.first,
      step > 0 ? list.rowsBelow > 0 : list.rowsAbove > 0
    else { return nil }
    let inRow = presentation.focusable(state, in: row, of: list)
    guard (step > 0 ? inRow.last : inRow.first)?.id == focused.id else { return nil }
    return moveRow(view) { row, _ in row + step }
  }

  /// Moves in a table to a row, counted from 0 without the header, wherever that is.
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
    state.gridCells[target, default: (0, 0)].row = shown + 1
    return .redraw
  }

  /// Puts the keyboard on the row that was gone to, once it is there, and leaves it on the same row of a table.
  mutating func followWindows(of pane: Presentation.Pane) {
    for list in pane.elements.flattened where list.rowCount != nil {
      let target = Event.ElementReference(node: pane.node, element: list.id)
      let moved = (state.firstRows[target] ?? list.rowsAbove) - list.rowsAbove
      state.firstRows[target] = list.rowsAbove
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

extension Presentation {
  /// What the keyboard can be on within a row of a list.
  fileprivate func focusable(_ state: ViewState, in row: Element, of list: Element) -> [Element] {
    let inside = Set([row].flattened.map(\.id))
    return focusable(state).filter { inside.contains($0.id) }
  }
}
