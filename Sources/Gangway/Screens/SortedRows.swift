@_spi(FrontEnd) import GangwayProtocol

/// The rows of sorted tables in their order.
///
/// A render does not sort again unless the rows, the order or the compared values have changed.
@MainActor final class SortedRows {
  private struct Entry {
    /// The rows that were sorted.
    ///
    /// While they are kept, an array with the same storage has the same rows, because every change of a shared array
    /// copies it.
    let rows: Any
    let place: UnsafeRawPointer?
    let count: Int
    let order: String
    let sorted: Any
    let reading: FollowedReading
  }

  private var entries: [ElementID: Entry] = [:]
  private let didChange: @Sendable () -> Void

  /// Creates an empty store.
  ///
  /// - Parameter didChange: called when a compared value that is observed has changed.
  init(didChange: @escaping @Sendable () -> Void = {}) { self.didChange = didChange }

  /// Returns the rows of a table in an order.
  ///
  /// - Parameters:
  ///   - rows: the rows to sort.
  ///   - table: the id of the table.
  ///   - order: the name of the order; a new name sorts the rows again.
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
