@_spi(FrontEnd) import GangwayProtocol

extension Checkpoint {
  /// Returns the change that removes an entry with its subtree; nil for a missing entry, the root or a tab.
  func removing(_ id: NodeID) -> Change? {
    guard let record = records[id], record.parent != nil, record.style != "root", record.style != "tab" else {
      return nil
    }
    let children = Dictionary(grouping: records.values) { $0.parent ?? 0 }
    var (gone, open) = ([NodeID](), [id])
    while let next = open.popLast() {
      gone.append(next)
      open += (children[next] ?? []).map(\.id)
    }
    return Change(changed: [], removed: gone, nextNode: nextNode)
  }
}
