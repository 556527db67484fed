import GangwayProtocol

extension Checkpoint {
  /// What takes an entry away, with everything in it; nil where it cannot be taken away: it is the root, a tab, or not there.
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
