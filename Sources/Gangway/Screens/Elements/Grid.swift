import GangwayProtocol

/// What stands in one cell of a grid.
public struct GridCell: Hashable, Sendable {
  let text: String
  let isEnabled: Bool
  let tint: String?
  let isMarked: Bool

  /// Makes a cell.
  ///
  /// - Parameters:
  ///   - text: one or two characters fit everywhere.
  ///   - isEnabled: whether it can be tapped.
  ///   - tint: a word that front ends may draw as a colour, such as `red`.
  ///   - isMarked: whether it is set apart from the others, as the last move of a game is.
  public init(_ text: String, isEnabled: Bool = true, tint: String? = nil, isMarked: Bool = false) {
    self.text = text
    self.isEnabled = isEnabled
    self.tint = tint
    self.isMarked = isMarked
  }
}

/// A board, calendar or keypad: cells in rows that can be tapped.
public struct Grid: Content {
  /// It has no parts of its own kind.
  public typealias Body = EmptyContent
  let label: String
  let cells: [[Element.Cell]]
  private var board: Element.Board?
  let action: @MainActor (Int, Int) async throws -> Void

  /// Makes a grid.
  ///
  /// - Parameters:
  ///   - label: what the grid is; may be empty.
  ///   - rows: how many rows.
  ///   - columns: how many columns.
  ///   - cell: what stands at a row and column, both counted from 0.
  ///   - action: runs on the main actor when a cell is tapped, with its row and column counted from 0.
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

  /// Has the cells be hexagons: each row stands half a cell to the right of the one above it.
  ///
  /// - Parameters:
  ///   - top: a word that front ends may draw the edge above the first row with as a colour, such as `red`; nil for no edge.
  ///   - bottom: the same below the last row.
  ///   - leading: the same before the first cell of each row.
  ///   - trailing: the same after the last cell of each row.
  public func hexagonal(
    top: String? = nil, bottom: String? = nil, leading: String? = nil, trailing: String? = nil
  ) -> Grid {
    var copy = self
    copy.board = .init(shape: .hexagon, top: top, bottom: bottom, leading: leading, trailing: trailing)
    return copy
  }

  /// Adds itself to a render.
  public func _render(into renderer: ContentRenderer) {
    renderer.add(.grid, label, handler: .cell(rows: cells.count, columns: cells.first?.count ?? 0, action)) {
      $0.cells = cells
      $0.board = board
    }
  }
}
