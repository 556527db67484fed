@_spi(FrontEnd) import GangwayProtocol

/// The checks that the test kit makes after every step.
extension Session {
  /// Lets the root's flow finish, and notes its value, for a test of one flow alone. The flow stays on the screen.
  package func followResult(_ note: @escaping @MainActor (any Sendable) -> Void) {
    navigation.maker.noteRootValue = note
  }

  /// The reason why the screen has no link although its author names one; nil if nothing is wrong.
  package var misleadingURL: String? { registry.links.misleadingURL(for: navigation.currentPlan) }

  /// Returns whether the forms of a screen say that leaving would lose changes; nil if no form of the screen asks.
  package func hasUnsavedForm(_ node: NodeID) -> Bool? {
    navigation.table.nodes[node]?.screen.flatMap { $0.unsaved.checks.isEmpty ? nil : $0.unsaved.isAny }
  }

  /// The mistakes in tabs' labels, which were made from data that was not loaded.
  package var labelMistakes: [String] { navigation.maker.labelMistakes.values.sorted() }

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
