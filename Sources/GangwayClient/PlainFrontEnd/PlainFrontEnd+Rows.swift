@_spi(FrontEnd) import GangwayProtocol

/// Commands about the rows of lists and tables.
extension PlainFrontEnd {
  /// Toggles the selection of a row; with single selection, a newly selected row replaces the former one.
  func select(_ name: String) async throws {
    let match = try await patiently { try RowLookup(name).find(in: connection.presentation) }
    guard let mode = match.container.selects else {
      throw PlainFailure("The rows of '\(match.container.label)' cannot be selected.")
    }
    let before = match.container.selection ?? []
    let isSelected = before.contains(match.key)
    let kept = mode == .one ? [] : before.filter { $0 != match.key }
    try await act(on: match.container) { .select($0, keys: isSelected ? kept : kept + [match.key]) }
  }

  /// Presses a command of a row's menu.
  func action(_ label: String, _ row: String) async throws {
    let match = try await patiently { try RowLookup(row).find(in: connection.presentation) }
    let commands = (match.row.map { [$0] } ?? []).flattened.filter { $0.kind == .button || $0.kind == .link }
    guard let command = commands.first(where: { $0.label == label }) else {
      let labels = commands.map { "'\($0.label)'" }.joined(separator: ", ")
      throw PlainFailure("The row '\(row)' has no command '\(label)'. It has \(labels.isEmpty ? "none" : labels).")
    }
    try await act(on: command) { .tap($0) }
  }

  /// Sorts the table by a column, or reverses the order of a column that the table is sorted by.
  func sort(_ title: String) async throws {
    let tables = connection.presentation.reachable.filter { $0.columns?.contains { $0.isSortable == true } == true }
    for table in tables {
      guard let column = table.columns?.first(where: { $0.title == title }) else { continue }
      let order: Element.Column.Order = column.order == .ascending ? .descending : .ascending
      return try await act(on: table) { .sort($0, column: column.id, order: order) }
    }
    let titles = tables.flatMap { ($0.columns ?? []).filter { $0.isSortable == true }.map { "'\($0.title)'" } }
    throw PlainFailure(
      "There is no column '\(title)' to sort by. Columns: \(titles.isEmpty ? "none" : titles.joined(separator: ", "))."
    )
  }

  /// Scrolls to a row of a long list or table, wherever the row is.
  func scroll(to row: String) async throws {
    _ = try await RowLookup(row).find(in: { connection.presentation }, show: { try await show($0) })
    if !isScript { printScreen() }
  }

  /// The number of rows of a long list or table that are shown at once.
  private static let page = 20

  /// Shows the rows of the long list or table on the screen, starting at a row.
  func showRows(from first: Int) async throws {
    guard let list = connection.presentation.reachable.first(where: { $0.rowCount != nil }),
      let node = connection.presentation.top?.node
    else { throw PlainFailure("No list or table on the screen has more rows.") }
    try await show(.window(.init(node: node, element: list.id), first: first, count: Self.page))
    if !isScript { printScreen() }
  }

  private func show(_ rows: Event.Action) async throws { try judge(try await connection.send(rows).notices) }

  /// Returns the only element of a kind on the screen.
  func soleElement(_ kind: Element.Kind) throws -> Element {
    guard let element = connection.presentation.reachable.first(where: { $0.kind == kind }) else {
      throw PlainFailure("There is no \(kind.rawValue) on the screen.")
    }
    return element
  }
}
