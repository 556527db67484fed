import GangwayProtocol

/// Entries that cannot be left: code that runs at their end would hold the person there for ever.
extension SessionKeeper {
  /// The entry that an event takes away, if it is answered by that.
  func entry(leftBy event: Event) -> NodeID? {
    guard event.action == .back || event.action == .dismiss, let top = presentation.top else { return nil }
    // Back answers a question before it leaves anything.
    guard !top.elements.contains(where: { $0.kind == .alert }) else { return nil }
    var entry = checkpoint.records[top.node]
    // A modal goes whole; of a stack the last entry goes, and the first with the flow whose it is.
    while let record = entry, record.style == "push", event.action == .dismiss || record.position == 0 {
      entry = record.parent.flatMap { checkpoint.records[$0] }
    }
    return entry?.id
  }

  /// Takes an entry away whose removal has stopped two hosts.
  ///
  /// - Returns: its title; nil where nothing is taken away.
  func removeWhatCannotBeLeft() -> String? {
    guard let entry = inFlight?.entry, let change = checkpoint.removing(entry) else { return nil }
    failedRemovals[entry, default: 0] += 1
    guard failedRemovals[entry, default: 0] >= 2 else { return nil }
    failedRemovals[entry] = nil
    let title = checkpoint.records[entry]?.title ?? checkpoint.records[entry]?.routeText ?? "The screen"
    note(change)
    return title
  }
}
