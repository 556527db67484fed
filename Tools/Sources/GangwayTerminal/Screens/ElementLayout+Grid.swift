@_spi(FrontEnd) import GangwayProtocol

/// Grids, such as keypads, calendars and boards.
extension ElementLayout {
  func grid(_ element: Element, _ indent: Int, _ room: Int) -> [ContentLine] {
    let widest = element.cells.joined().map { TextWidth.of($0.text) }.max() ?? 1
    let width = min(widest + 1, max(room, 2))
    let chosen = state.gridCells[.init(node: node, element: element.id)] ?? (0, 0)
    let board = element.board?.shape == .hexagon ? element.board : nil
    let rows = element.cells.enumerated().map { row, cells in
      var spans = cells.enumerated().map { column, cell in
        ContentLine.Span(
          text: padded(cell.text, width),
          style: style(cell, isChosen: element.id == focused && chosen == (row, column)),
          hit: .cell(element.id, row: row, column: column))
      }
      if let board {
        spans.insert(edge(board.leading), at: 0)
        spans.append(edge(board.trailing))
      }
      // A grid taller than the screen scrolls with the chosen cell.
      return ContentLine(
        indent: indent + (board == nil ? 0 : 1 + row * (width / 2)), spans: spans,
        element: chosen.row == row ? element.id : nil)
    }
    guard let board else { return rows }
    let length = (element.cells.map(\.count).max() ?? 0) * width
    let below = indent + 2 + element.cells.count * (width / 2)
    return rim(board.top, indent + 1, length) + rows + rim(board.bottom, below, length)
  }

  private func style(_ cell: Element.Cell, isChosen: Bool) -> Style {
    var style = Style(color: Style.Color(tint: cell.tint), isBold: cell.tint != nil)
    style.isDim = !cell.isEnabled && cell.tint == nil
    if cell.isMarked { (style.surface, style.isUnderlined) = (glyphs.hasSurfaces ? .raised : .none, true) }
    if isChosen { (style.surface, style.isDim) = (.focused, false) }
    return style
  }

  /// Returns the edge at the side of a row of hexagons.
  private func edge(_ tint: String?) -> ContentLine.Span {
    .init(text: tint == nil ? "  " : glyphs.slant + " ", style: Style(color: Style.Color(tint: tint), isBold: true))
  }

  /// Returns the edge above or below the rows of hexagons.
  private func rim(_ tint: String?, _ indent: Int, _ length: Int) -> [ContentLine] {
    guard let tint else { return [] }
    return [
      line(
        indent,
        [
          .init(
            text: String(repeating: glyphs.horizontal, count: length + 1),
            style: Style(color: Style.Color(tint: tint), isBold: true))
        ])
    ]
  }
}
