@_spi(FrontEnd) import GangwayProtocol

/// Commands about tabs, and about the rows of lists and tables.
extension PlainFrontEnd {
  /// Selects a tab by its title; the tab bar nearest to the screen comes first.
  func selectTab(_ title: String) async throws {
    let tabs = connection.presentation.tabBars.flatMap { $0 }
    guard let tab = tabs.last(where: { $0.title == title }) else {
      let nearest = NearestMatch.of(title, among: tabs.map(\.title)).map { " Did you mean '\($0)'?" } ?? ""
      throw PlainFailure(
        "There is no tab '\(title)'.\(nearest) Tabs: \(tabs.map { "'\($0.title)'" }.joined(separator: ", ")).")
    }
    try await send(.tab(tab.node))
  }

  /// Toggles the selection of a row; with single selection, a newly selected row replaces the former one.
  func select(_ name: String) async throws {
    let (node, match) = try await patiently { try connection.presentation.search { try RowLookup(name).find(in: $0) } }
    guard let mode = match.container.selects else {
      throw PlainFailure("The rows of '\(match.container.label)' cannot be selected.")
    }
    let before = match.container.selection ?? []
    let isSelected = before.contains(match.key)
    let kept = mode == .one ? [] : before.filter { $0 != match.key }
    try await act(on: (node, match.container)) { .select($0, keys: isSelected ? kept : kept + [match.key]) }
  }

  /// Presses a command of a row's menu.
  func action(_ label: String, _ row: String) async throws {
    let (node, match) = try await patiently { try connection.presentation.search { try RowLookup(row).find(in: $0) } }
    let commands = (match.row.map { [$0] } ?? []).flattened.filter { $0.kind == .button || $0.kind == .link }
    guard let command = commands.first(where: { $0.label == label }) else {
      let labels = commands.map { "'\($0.label)'" }.joined(separator: ", ")
      throw PlainFailure("The row '\(row)' has no command '\(label)'. It has \(labels.isEmpty ? "none" : labels).")
    }
    try await act(on: (node, command)) { .tap($0) }
  }

  /// Sorts the table by a column, or reverses the order of a column that the table is sorted by.
  func sort(_ title: String) async throws {
    let presentation = connection.presentation
    func sortable(_ element: Element) -> [Element.Column] { (element.columns ?? []).filter { $0.isSortable == true } }
    if let match = presentation.first(where: { sortable($0).contains { $0.title == title } }),
      let column = sortable(match.element).first(where: { $0.title == title })
    {
      let order: Element.Column.Order = column.order == .ascending ? .descending : .ascending
      return try await act(on: match) { .sort($0, column: column.id, order: order) }
    }
    let titles = presentation.reachableScreens.flatMap(\.shown.reachable).flatMap(sortable).map { "'\($0.title)'" }
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
    guard let (node, list) = connection.presentation.first(where: { $0.rowCount != nil })
    else { throw PlainFailure("No list or table on the screen has more rows.") }
    try await show(.window(.init(node: node, element: list.id), first: first, count: Self.page))
    if !isScript { printScreen() }
  }

  private func show(_ rows: Event.Action) async throws { try judge(try await connection.send(rows).notices) }

  /// Returns the only element of a kind on the screen.
  func soleElement(_ kind: Element.Kind) throws -> Match {
    guard let match = connection.presentation.first(where: { $0.kind == kind }) else {
      throw PlainFailure("There is no \(kind.rawValue) on the screen.")
    }
    return match
  }
}
