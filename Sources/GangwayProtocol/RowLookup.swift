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

  /// The one row that is meant.
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
        + (titles.isEmpty ? "none" : titles.prefix(50).map { "'\($0)'" }.joined(separator: ", ")) + ".")
  }
}
