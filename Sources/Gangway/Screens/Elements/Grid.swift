@_spi(FrontEnd) import GangwayProtocol

/// The content of one cell of a grid.
public struct GridCell: Hashable, Sendable {
  let text: String
  let isEnabled: Bool
  let tint: String?
  let isMarked: Bool

  /// Creates a cell.
  ///
  /// - Parameters:
  ///   - text: the text; one or two characters fit everywhere.
  ///   - isEnabled: whether the user can tap the cell.
  ///   - tint: a word that front ends may draw as a color, such as `red`.
  ///   - isMarked: whether the cell stands out, such as the last move of a game.
  public init(_ text: String, isEnabled: Bool = true, tint: String? = nil, isMarked: Bool = false) {
    self.text = text
    self.isEnabled = isEnabled
    self.tint = tint
    self.isMarked = isMarked
  }
}

/// A board, calendar or keypad: rows of cells that the user can tap.
public struct Grid: PrimitiveContent {
  let label: String
  let cells: [[Element.Cell]]
  private var board: Element.Board?
  let action: @MainActor (Int, Int) async throws -> Void

  /// Creates a grid.
  ///
  /// - Parameters:
  ///   - label: the subject of the grid; may be empty.
  ///   - rows: the number of rows.
  ///   - columns: the number of columns.
  ///   - cell: returns the cell at a row and column, both counted from 0.
  ///   - action: runs on the main actor when a cell is tapped, with its row and column, counted from 0.
  public init(
    _ label: String = "", rows: Int, columns: Int, cell: (Int, Int) -> GridCell,
    action: @escaping @MainActor (Int, Int) async throws -> Void
  ) {
    self.label = label
    self.action = action
    cells = (0..<max(rows, 0)).map { row in
      (0..<max(columns, 0)).map { column in
        let cell = cell(row, column)
        return Element.Cell(
          text: cell.text, isEnabled: cell.isEnabled, tint: cell.tint, isMarked: cell.isMarked)
      }
    }
  }

  /// Makes the cells hexagons: each row is half a cell further right than the one above.
  ///
  /// - Parameters:
  ///   - top: a word that front ends may draw as the color of the edge above the first row, such as `red`; nil for no
  ///     edge.
  ///   - bottom: the same for the edge below the last row.
  ///   - leading: the same for the edge before the first cell of each row.
  ///   - trailing: the same for the edge after the last cell of each row.
  public func hexagonal(
    top: String? = nil, bottom: String? = nil, leading: String? = nil, trailing: String? = nil
  ) -> Grid {
    var copy = self
    copy.board = .init(shape: .hexagon, top: top, bottom: bottom, leading: leading, trailing: trailing)
    return copy
  }

  /// Adds itself to a render.
  @_spi(FrontEnd) public func _render(into renderer: ContentRenderer) {
    renderer.add(.grid, label, handler: .cell(rows: cells.count, columns: cells.first?.count ?? 0, action)) {
      $0.cells = cells
      $0.board = board
    }
  }
}
