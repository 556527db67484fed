/// The visible entries of a presentation, in pieces that presentations share.
///
/// After a push onto a deep stack, only the last piece is new.
package struct VisiblePath: Hashable, Sendable {
  package typealias Item = Presentation.PathItem

  private final class Piece: Sendable {
    let items: [Item]
    init(_ items: [Item]) { self.items = items }
  }

  /// The number of items in each piece but the last.
  private static let length = 64

  /// The pieces, none of them empty.
  private var pieces: [Piece] = []

  package init(_ items: [Item]) { append(items[...]) }

  /// The number of entries.
  package var count: Int { pieces.last.map { (pieces.count - 1) * Self.length + $0.items.count } ?? 0 }

  /// All entries.
  package var items: [Item] { pieces.count == 1 ? pieces[0].items : pieces.flatMap(\.items) }

  /// The entries from an index on.
  package func items(from index: Int) -> [Item] {
    guard index < count else { return [] }
    let first = index / Self.length
    return pieces[first].items[(index % Self.length)...] + pieces[(first + 1)...].flatMap(\.items)
  }

  /// Returns the path with other entries from an index on.
  package func replacing(from index: Int, with items: [Item]) -> VisiblePath {
    if index == count, items.isEmpty { return self }
    var path = self
    let (whole, rest) = index.quotientAndRemainder(dividingBy: Self.length)
    path.pieces.removeSubrange(whole...)
    if rest == 0 {
      path.append(items[...])
    } else {
      path.append((pieces[whole].items[..<rest] + items)[...])
    }
    return path
  }

  private mutating func append(_ items: ArraySlice<Item>) {
    for start in stride(from: items.startIndex, to: items.endIndex, by: Self.length) {
      pieces.append(Piece(Array(items[start..<min(start + Self.length, items.endIndex)])))
    }
  }

  /// Returns the number of equal entries at the beginning of both paths.
  package func commonItems(with other: VisiblePath) -> Int { common(with: other) { $0 == $1 } }

  /// Returns the number of entries at the beginning of both paths with the same nodes, whatever their titles.
  package func commonEntries(with other: VisiblePath) -> Int { common(with: other) { $0.node == $1.node } }

  private func common(with other: VisiblePath, _ isSame: (Item, Item) -> Bool) -> Int {
    for (index, (own, others)) in zip(pieces, other.pieces).enumerated() where own !== others {
      let count = zip(own.items, others.items).prefix { isSame($0, $1) }.count
      if count < Self.length { return index * Self.length + count }
    }
    return min(count, other.count)
  }

  package static func == (first: VisiblePath, second: VisiblePath) -> Bool {
    first.count == second.count && zip(first.pieces, second.pieces).allSatisfy { $0 === $1 || $0.items == $1.items }
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(count)
    for piece in pieces { hasher.combine(piece.items) }
  }
}

extension VisiblePath: Codable {
  package init(from decoder: any Decoder) throws { self.init(try [Item](from: decoder)) }
  package func encode(to encoder: any Encoder) throws { try items.encode(to: encoder) }
}
