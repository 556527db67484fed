@_spi(FrontEnd) import GangwayProtocol

/// Leaving an entry whose cleanup code stops the host, which would otherwise trap the user there.
extension SessionKeeper {
  /// Returns the entry that an event removes, if the host answers the event by removing one.
  func entry(leftBy event: Event) -> NodeID? {
    guard event.action == .back || event.action == .dismiss, let top = presentation.top else { return nil }
    // Back answers a question before it leaves a screen.
    guard !top.elements.contains(where: { $0.kind == .alert }) else { return nil }
    var entry = checkpoint.records[top.node]
    // A modal is dismissed as a whole. Back removes the last entry of a stack, or the whole flow at its first entry.
    while let record = entry, record.style == "push", event.action == .dismiss || record.position == 0 {
      entry = record.parent.flatMap { checkpoint.records[$0] }
    }
    return entry?.id
  }

  /// Removes an entry whose removal has stopped two hosts.
  ///
  /// - Returns: the entry's title; nil if nothing is removed.
  func removeWhatCannotBeLeft() -> String? {
    guard let entry = events.inFlight?.entry, let change = checkpoint.removing(entry),
      events.noteFailedRemoval(of: entry)
    else { return nil }
    let title = checkpoint.records[entry]?.title ?? checkpoint.records[entry]?.routeText ?? Words.Crash.someScreen
    memory.note(change)
    return title
  }
}
