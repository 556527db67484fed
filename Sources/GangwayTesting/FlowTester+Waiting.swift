/// Steps that wait until a flow is idle.
extension FlowTester {
  /// Advances a test's clock, one sleeper after the other, and waits after each until the flow is idle.
  ///
  /// - Throws: ``FlowFailure`` if work does not end, or if it failed and the user reads the error.
  public func advance(
    _ clock: TestClock, by duration: Duration, file: String = #fileID, line: Int = #line
  ) async throws {
    let place = SourcePlace(file: file, line: line)
    let target = clock.now.advanced(by: duration)
    while clock.wakeNext(until: target) { try await settle(place) }
    clock.set(target)
    try await settle(place)
    try checkNotices(place)
  }

  /// Waits until the flow is idle, as after resuming one of the test's own doubles.
  ///
  /// - Throws: ``FlowFailure`` if work does not end, or if it failed and the user reads the error.
  public func settle(file: String = #fileID, line: Int = #line) async throws {
    let place = SourcePlace(file: file, line: line)
    try await settle(place)
    try checkNotices(place)
  }
}
