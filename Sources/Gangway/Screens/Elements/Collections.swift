import GangwayProtocol

/// Rows, one for each element of a collection.
public struct List: Content {
  /// It has no parts of its own kind.
  public typealias Body = EmptyContent
  let render: @MainActor (ContentRenderer) -> Void

  /// Makes a list; the ids of `data` must differ, for they name the rows.
  public init<Data: RandomAccessCollection>(_ data: Data, @ContentBuilder row: @escaping (Data.Element) -> ContentGroup)
  where Data.Element: Identifiable {
    render = { renderer in
      for element in data {
        renderer.addRow("\(element.id)") { row(element)._render(into: renderer) }
      }
    }
  }

  /// Makes a list of fixed content.
  public init(@ContentBuilder content: @escaping () -> ContentGroup) {
    render = { renderer in content()._render(into: renderer) }
  }

  /// Adds itself to a render.
  public func _render(into renderer: ContentRenderer) {
    renderer.add(.list, children: { render(renderer) })
  }
}

/// Content under a heading of its own.
public struct Section: Content {
  /// It has no parts of its own kind.
  public typealias Body = EmptyContent
  let title: String
  let content: ContentGroup

  /// Makes a section.
  public init(_ title: String = "", @ContentBuilder content: () -> ContentGroup) {
    self.title = title
    self.content = content()
  }

  /// Adds itself to a render.
  public func _render(into renderer: ContentRenderer) {
    renderer.add(.section, title, children: { content._render(into: renderer) })
  }
}

/// Rows of values under column titles.
public struct Table: Content {
  /// It has no parts of its own kind.
  public typealias Body = EmptyContent
  let label: String
  let cells: [[Element.Cell]]

  /// Makes a table.
  ///
  /// - Parameters:
  ///   - label: what the table is about; may be empty.
  ///   - columns: the columns' titles.
  ///   - data: what the rows are of.
  ///   - row: the values of a row, one for each column.
  public init<Data: Collection>(
    _ label: String = "", columns: [String], data: Data, row: (Data.Element) -> [String]
  ) {
    self.label = label
    let rows = [columns] + data.map(row)
    cells = rows.map { row in row.map { Element.Cell(text: $0, isEnabled: false) } }
  }

  /// Adds itself to a render.
  public func _render(into renderer: ContentRenderer) {
    renderer.add(.table, label) { $0.cells = cells }
  }
}
