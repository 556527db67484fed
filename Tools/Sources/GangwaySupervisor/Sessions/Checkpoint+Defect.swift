@_spi(FrontEnd) import GangwayProtocol

extension Checkpoint {
  /// Returns the defect that a change would cause in the tree; nil if the tree stays valid.
  ///
  /// Only the records that the change touches are checked, because the rest of a valid tree stays valid.
  func defect(of change: Change) -> Defect? {
    let changed = Dictionary(change.changed.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
    let removed = Set(change.removed).subtracting(changed.keys)
    if let id = changed.keys.first(where: { !(1...Self.maximumNode).contains($0) }) { return .number(id) }
    if removed.contains(Self.rootNode) { return .rootCount(0) }
    func parent(of id: NodeID) -> NodeID?? {
      if let record = changed[id] { return .some(record.parent) }
      return removed.contains(id) ? nil : records[id].map { .some($0.parent) } ?? nil
    }
    let count = records.count + changed.count
    for record in change.changed {
      if record.parent == nil {
        guard record.id == Self.rootNode else { return .rootCount(2) }
        continue
      }
      var id = record.id
      var steps = 0
      while case .some(let next) = parent(of: id), let next {
        guard parent(of: next) != nil else { return .orphan(id, parent: next) }
        steps += 1
        guard steps <= count else { return .cycle(record.id) }
        id = next
      }
      // Every path to the top must end at the root.
      guard id == Self.rootNode else { return .orphan(id, parent: Self.rootNode) }
    }
    guard !removed.isEmpty else { return nil }
    for record in records.values where !removed.contains(record.id) {
      if changed[record.id] == nil, let parent = record.parent, removed.contains(parent) {
        return .orphan(record.id, parent: parent)
      }
    }
    return nil
  }
}
