/// What the test kit asks of a session after every step.
extension Session {
  /// Begins to note coordinators that go.
  package func trackDepartures() { navigation.endings.departures = [] }

  /// The types of coordinators that went and are still held by somebody. Those that are gone are forgotten.
  package var leakedCoordinators: [String] {
    navigation.endings.departures?.removeAll { $0.coordinator == nil }
    return navigation.endings.departures?.map(\.name) ?? []
  }

  /// The nodes whose result somebody waits for, and that are gone: nobody would ever tell.
  package var strandedResults: [Int] {
    navigation.endings.awaited.filter { navigation.table.nodes[$0] == nil }.sorted()
  }
}
