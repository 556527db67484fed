import GangwayProtocol

/// The rows of sorted tables in their order: sorted again where the rows, the order or what was compared are others, and not with each
/// render.
@MainActor final class SortedRows {
  private struct Entry {
    /// The rows that were sorted. As long as they are kept, an array with the same storage has the same rows: who changes it copies it.
    let rows: Any
    let place: UnsafeRawPointer?
    let count: Int
    let order: String
    let sorted: Any
    let reading: FollowedReading
  }

  private var entries: [ElementID: Entry] = [:]
  private let didChange: @Sendable () -> Void

  /// Makes an empty store.
  ///
  /// - Parameter didChange: called when something observed that was compared has changed.
  init(didChange: @escaping @Sendable () -> Void = {}) { self.didChange = didChange }

  /// The rows of a table in an order.
  ///
  /// - Parameters:
  ///   - order: names the order; with another name the rows are sorted again.
  ///   - isBefore: compares two rows.
  func rows<Item>(
    _ rows: [Item], of table: ElementID, order: String, by isBefore: (Item, Item) -> Bool
  ) -> [Item] {
    let place = rows.withUnsafeBufferPointer { UnsafeRawPointer($0.baseAddress) }
    if let entry = entries[table], entry.place == place, entry.count == rows.count, entry.order == order,
      !entry.reading.isStale, let sorted = entry.sorted as? [Item]
    {
      return sorted
    }
    let reading = FollowedReading()
    let sorted = reading.read {
      rows.sorted(by: isBefore)
    } onChange: { [didChange] in
      didChange()
    }
    entries[table] = Entry(
      rows: rows, place: place, count: rows.count, order: order, sorted: sorted, reading: reading)
    return sorted
  }
}
