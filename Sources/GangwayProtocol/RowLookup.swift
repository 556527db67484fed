/// How a test, a script or a person at a prompt names a row: by what stands first in it, by any text in it, or by its key.
public struct RowLookup: Sendable {
  /// A row that was found.
  public struct Match: Hashable, Sendable {
    /// The list or table.
    public let container: Element
    /// The row's key.
    public let key: String
    /// The row; nil in a table, whose rows are cells.
    public let row: Element?
  }

  private let name: String

  /// Looks for a row of this name.
  public init(_ name: String) { self.name = name }

  /// The one row that is meant, wherever in a long list or table it is: rows that are not in sight are looked through part by part, and
  /// those near it are in sight afterwards.
  ///
  /// - Parameters:
  ///   - presentation: gives what is shown now.
  ///   - show: has other rows shown, by the event `window`.
  /// - Throws: ``ElementLookup/Failure`` when there is none, or several of one part match; what `show` throws.
  @MainActor public func find(
    in presentation: () -> Presentation, show: (Event.Action) async throws -> Void
  ) async throws -> Match {
    let before = presentation()
    let failure: any Error
    do { return try find(in: before) } catch { failure = error }
    guard let node = before.top?.node else { throw failure }
    for list in before.reachable {
      guard let rowCount = list.rowCount else { continue }
      let target = Event.ElementReference(node: node, element: list.id)
      for first in stride(from: 0, to: min(rowCount, Self.maximum), by: Self.part) {
        try await show(.window(target, first: first, count: Self.part))
        if let match = try? find(in: presentation()) { return match }
      }
      let rows = list.children.isEmpty ? list.cells.count - 1 : list.children.count
      try await show(.window(target, first: list.firstRow ?? 0, count: rows))
    }
    throw failure
  }

  /// How many rows are looked through at the most.
  private static let maximum = 10_000_000
  /// How many rows are looked through at once.
  private static let part = 500

  /// The one row that is meant, of those in sight.
  ///
  /// - Throws: ``ElementLookup/Failure`` when none or several match.
  public func find(in presentation: Presentation) throws -> Match {
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
          description: "'\(name)' is ambiguous: \(found.count) rows say that. Name one by its key: "
            + found.map { "'\($0.match.key)'" }.joined(separator: ", ") + ".")
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
