/// A lookup of a row by name: by its first text, by any of its texts, or by its key. Tests, scripts and users at a
/// prompt name rows this way.
package struct RowLookup: Sendable {
  /// A matching row.
  package struct Match: Hashable, Sendable {
    /// The list or table.
    package let container: Element
    /// The row's key.
    package let key: String
    /// The row; nil in a table, whose rows are cells.
    package let row: Element?
  }

  private let name: String

  /// Makes a lookup of a row with this name.
  package init(_ name: String) { self.name = name }

  /// Returns the one matching row, anywhere in a long list or table.
  ///
  /// The lookup requests hidden rows part by part. Afterwards, the rows around the match are visible.
  ///
  /// - Parameters:
  ///   - presentation: returns the current presentation.
  ///   - show: requests other rows with the event `window`.
  /// - Throws: ``ElementLookup/Failure`` if there is no match, or several in one part; any error of `show`.
  @MainActor package func find(
    in presentation: () -> Presentation, show: (Event.Action) async throws -> Void
  ) async throws -> Match {
    let before = presentation()
    let failure: any Error
    do { return try before.search { try find(in: $0) }.found } catch { failure = error }
    for (node, list) in before.reachableScreens.flatMap({ screen in screen.shown.reachable.map { (screen.node, $0) } })
    {
      guard let rowCount = list.rowCount else { continue }
      let target = Event.ElementReference(node: node, element: list.id)
      for first in stride(from: 0, to: min(rowCount, Self.maximum), by: Self.part) {
        try await show(.window(target, first: first, count: Self.part))
        if let match = try? presentation().search({ try find(in: $0) }) { return match.found }
      }
      let rows = list.children.isEmpty ? list.cells.count - 1 : list.children.count
      try await show(.window(target, first: list.firstRow ?? 0, count: rows))
    }
    throw failure
  }

  /// The most rows that a lookup reads.
  private static let maximum = 10_000_000
  /// The number of rows in one part.
  private static let part = 500

  /// Returns the one matching row among the visible ones.
  ///
  /// - Throws: ``ElementLookup/Failure`` if none or several match.
  package func find(in presentation: Presentation) throws -> Match {
    var all: [(titles: [String], match: Match)] = []
    for element in presentation.reachable {
      if element.kind == .list {
        for row in element.children {
          guard let key = row.key else { continue }
          let titles = [row.label] + row.children.flattened.map(\.label)
          all.append((titles, Match(container: element, key: key, row: row)))
        }
      } else if element.kind == .table, let keys = element.keys {
        for (key, cells) in zip(keys, element.cells.dropFirst()) {
          all.append((cells.map(\.text), Match(container: element, key: key, row: nil)))
        }
      }
    }
    let tests: [((titles: [String], match: Match)) -> Bool] = [
      { $0.titles.first { !$0.isEmpty } == name }, { $0.match.key == name }, { $0.titles.contains(name) },
    ]
    for test in tests {
      let found = all.filter(test)
      if found.count == 1 { return found[0].match }
      if found.count > 1 {
        throw ElementLookup.Failure(
          description: "'\(name)' is ambiguous: \(found.count) rows have that text. Use a key instead: "
            + found.map { "'\($0.match.key)'" }.joined(separator: ", ") + ".", isAmbiguous: true)
      }
    }
    let titles = all.compactMap { $0.titles.first { !$0.isEmpty } }
    let nearest = NearestMatch.of(name, among: titles).map { " Did you mean '\($0)'?" } ?? ""
    throw ElementLookup.Failure(
      description: "There is no row '\(name)'.\(nearest) Rows: "
        + (titles.isEmpty ? "none" : titles.prefix(50).map { "'\($0)'" }.joined(separator: ", ")) + "."
        + presentation.textOnHiddenRows)
  }
}
