@_spi(FrontEnd) import GangwayProtocol

/// A column of a ``Table``: its title, and its value for each row.
@MainActor public struct TableColumn<Item> {
  let title: String
  let value: (Item) -> String
  private(set) var isTrailing = false
  private(set) var isBefore: ((Item, Item) -> Bool)?

  /// Creates a column.
  ///
  /// - Parameters:
  ///   - title: the title for the user, which also names the column.
  ///   - value: returns the text of the column for a row.
  public init(_ title: String, value: @escaping (Item) -> String) {
    self.title = title
    self.value = value
  }

  /// Lets the user sort the rows by a comparable value.
  public func sortable(by value: @escaping (Item) -> some Comparable) -> Self {
    var column = self
    column.isBefore = { value($0) < value($1) }
    return column
  }

  /// Aligns the values at the trailing edge of the column, as for numbers.
  public func trailing() -> Self {
    var column = self
    column.isTrailing = true
    return column
  }
}

/// Rows of values under column titles.
public struct Table: PrimitiveContent {
  let label: String
  let render: @MainActor (ContentRenderer, inout Element) -> Void

  /// Creates a table of texts.
  ///
  /// - Parameters:
  ///   - label: the subject of the table; may be empty.
  ///   - columns: the columns' titles.
  ///   - data: the items of the rows.
  ///   - row: returns the values of a row, one for each column.
  public init<Data: Collection>(
    _ label: String = "", columns: [String], data: Data, row: @escaping (Data.Element) -> [String]
  ) {
    self.label = label
    render = { renderer, table in
      let window = renderer.window(of: &table, rowCount: data.count)
      table.cells = Self.cells([columns] + data.dropFirst(window.lowerBound).prefix(window.count).map(row))
    }
  }

  /// Creates a table whose rows have keys.
  ///
  /// - Parameters:
  ///   - label: the subject of the table; may be empty.
  ///   - data: the items of the rows. Their ids must differ, because they name the rows.
  ///   - columns: the columns. If a column is sortable, the framework sorts the rows by it, and remembers the order.
  public init<Data: RandomAccessCollection>(_ label: String = "", _ data: Data, columns: [TableColumn<Data.Element>])
  where Data.Element: Identifiable {
    self.label = label
    render = { Self.render(data, columns, nil, $0, &$1) }
  }

  /// Creates a table in which the user selects at most one row.
  public init<Data: RandomAccessCollection>(
    _ label: String = "", _ data: Data, selection: Binding<Data.Element.ID?>, columns: [TableColumn<Data.Element>]
  ) where Data.Element: Identifiable {
    self.label = label
    let selection = RowSelection(selection, data, \.id)
    render = { Self.render(data, columns, selection, $0, &$1) }
  }

  /// Creates a table in which the user selects any number of rows.
  public init<Data: RandomAccessCollection>(
    _ label: String = "", _ data: Data, selection: Binding<Set<Data.Element.ID>>, columns: [TableColumn<Data.Element>]
  ) where Data.Element: Identifiable {
    self.label = label
    let selection = RowSelection(selection, data, \.id)
    render = { Self.render(data, columns, selection, $0, &$1) }
  }

  private static func cells(_ rows: [[String]]) -> [[Element.Cell]] {
    rows.map { row in row.map { Element.Cell(text: $0, isEnabled: false) } }
  }

  private static func render<Data: RandomAccessCollection>(
    _ data: Data, _ columns: [TableColumn<Data.Element>], _ selection: RowSelection?, _ renderer: ContentRenderer,
    _ element: inout Element
  ) where Data.Element: Identifiable {
    let (id, state) = (element.id, renderer.state)
    // Stored as `ascending TITLE`, so no title can be mistaken for an order.
    let kept = state[id, .sort].map { $0.split(separator: " ", maxSplits: 1) } ?? []
    let order = kept.first.flatMap { Element.Column.Order(rawValue: String($0)) }
    let sorted = columns.first { $0.isBefore != nil && kept.count == 2 && $0.title == kept[1] }
    var rows = Array(data)
    if let isBefore = sorted?.isBefore, let order {
      rows = renderer.sorted.rows(rows, of: id, order: kept.joined(separator: " ")) {
        order == .ascending ? isBefore($0, $1) : isBefore($1, $0)
      }
    }
    element.columns = columns.map { column in
      Element.Column(
        id: column.title, title: column.title, isSortable: column.isBefore == nil ? nil : true,
        order: column.title == sorted?.title ? order : nil, isTrailing: column.isTrailing ? true : nil)
    }
    let shown = rows[renderer.window(of: &element, rowCount: rows.count)]
    element.cells = cells([columns.map(\.title)] + shown.map { row in columns.map { $0.value(row) } })
    element.keys = shown.map { "\($0.id)" }
    if Set(element.keys ?? []).count < shown.count {
      renderer.problems.append(
        "Two rows of the table '\(element.label)' have the same id. Give each row a different id.")
    }
    let sortable = columns.filter { $0.isBefore != nil }.map(\.title)
    if !sortable.isEmpty {
      renderer.handle(id, .sort(columns: sortable) { title, order in state[id, .sort] = "\(order.rawValue) \(title)" })
    }
    selection?.apply(to: &element, renderer)
  }

  /// Adds itself to a render.
  @_spi(FrontEnd) public func _render(into renderer: ContentRenderer) {
    renderer.add(.table, label) { render(renderer, &$0) }
  }
}
