@_spi(FrontEnd) import GangwayProtocol

/// Keys and presses on the rows of lists and tables.
extension Controller {
  /// Toggles the selection of a row; in a list of single selection, it replaces the selected row.
  func select(_ row: Element, _ node: NodeID, _ presentation: Presentation) -> Outcome? {
    guard let key = row.key, let list = presentation.container(of: row.id, .list) else { return nil }
    return select(key, in: list, Event.ElementReference(node: node, element: list.id))
  }

  private func select(_ key: String, in list: Element, _ target: Event.ElementReference) -> Outcome? {
    guard let mode = list.selects else { return nil }
    let before = list.selection ?? []
    let kept = mode == .one ? [] : before.filter { $0 != key }
    return .send(.select(target, keys: before.contains(key) ? kept : kept + [key]))
  }

  /// Activates the chosen cell of a table: a column title sorts, and a row is selected.
  func activateTable(_ table: Element, _ target: Event.ElementReference) -> Outcome? {
    let cell = state.gridCells[target] ?? (0, 0)
    if cell.row == 0 {
      guard let columns = table.columns, columns.indices.contains(cell.column),
        columns[cell.column].isSortable == true
      else { return nil }
      let column = columns[cell.column]
      return .send(.sort(target, column: column.id, order: column.order == .ascending ? .descending : .ascending))
    }
    guard let keys = table.keys, keys.indices.contains(cell.row - 1) else { return nil }
    return select(keys[cell.row - 1], in: table, target)
  }

  mutating func moveInTable(
    _ table: Element, _ target: Event.ElementReference, _ key: Key, _ view: TerminalView
  ) -> Outcome? {
    let visibleRows = view.visibleRows
    let rows = table.cells.count
    let columns = table.cells.first?.count ?? 0
    guard rows > 0, columns > 0 else { return nil }
    var cell = state.gridCells[target] ?? (0, 0)
    cell = (min(max(cell.row, 0), rows - 1), min(max(cell.column, 0), columns - 1))
    // If the chosen cell is out of view, movement starts from the visible rows.
    if !view.showsFocus, let visible = view.positions.rows[table.id] {
      switch key {
      case .down, .up:
        state.gridCells[target] = (key == .down ? visible.lowerBound : visible.upperBound, cell.column)
        return .redraw
      case .pageDown, .pageUp: cell.row = visible.lowerBound
      default: break
      }
    }
    state.gridCells[target] = cell
    let wanted = state.wantedRow.flatMap { $0.target == target ? $0.row : nil }
    let row = wanted ?? table.rowsAbove + cell.row - 1
    switch key {
    case .up where wanted != nil, .down where wanted != nil:
      return moveToRow(row + (key == .up ? -1 : 1), in: table, target, visibleRows)
    case .up where cell.row == 1 && table.rowsAbove > 0, .down where cell.row == rows - 1 && table.rowsBelow > 0:
      return moveToRow(row + (key == .up ? -1 : 1), in: table, target, visibleRows)
    case .pageUp: return moveToRow(row - visibleRows, in: table, target, visibleRows)
    case .pageDown: return moveToRow(row + visibleRows, in: table, target, visibleRows)
    case .home: return moveToRow(0, in: table, target, visibleRows)
    case .end: return moveToRow(.max, in: table, target, visibleRows)
    case .enter, .character(" "): return activateTable(table, target) ?? .nothing
    default:
      guard let next = Self.neighbour(of: cell, key, rows: rows, columns: columns) else { return nil }
      state.gridCells[target] = next
      return .redraw
    }
  }
}
