@_spi(FrontEnd) import GangwayProtocol

/// The checks that the test kit makes after every step.
extension Session {
  /// Lets the root's flow end, and notes its outcome: for a test of one flow alone. The flow stays on the screen.
  ///
  /// - Parameter note: takes the value; nil if the flow was cancelled, with the reason, or ended with an error.
  package func followOutcome(
    _ note: @escaping @MainActor (_ value: (any Sendable)?, CancellationReason?) -> Void
  ) {
    navigation.maker.noteRootOutcome = { outcome in
      switch outcome {
      case .finished(let value): note(value, nil)
      case .cancelled(let reason): note(nil, reason)
      case .failed: note(nil, .failed)
      }
    }
  }

  /// Starts to track coordinators that end.
  package func trackDepartures() { navigation.removal.departures = [] }

  /// The types of ended coordinators that are still in memory.
  ///
  /// Deallocated ones are forgotten.
  package var leakedCoordinators: [String] {
    navigation.removal.departures?.removeAll { $0.coordinator == nil }
    return navigation.removal.departures?.map(\.name) ?? []
  }

  /// The nodes that are gone although a task still awaits their result, which would never arrive.
  package var strandedResults: [NodeID] {
    navigation.removal.awaited.filter { navigation.table.nodes[$0] == nil }.sorted()
  }
}
