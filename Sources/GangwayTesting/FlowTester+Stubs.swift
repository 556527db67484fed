@_spi(FrontEnd) import Gangway

/// Steps of stubs.
extension FlowTester {
  /// Ends the flow of a stub, the one shown last, with a value.
  public func finishStub<Output: Sendable>(
    _ id: ContributionID, with value: Output, file: String = #fileID, line: Int = #line
  ) async throws {
    let place = SourcePlace(file: file, line: line)
    guard let router = session.router(of: StubFlow<Output>.self), router.coordinator?.start.id == id else {
      throw FlowFailure(
        "No stub \(id) with the result \(Output.self) is open. Stubs that were shown: \(log.navigations).", at: place)
    }
    notices = []
    do {
      try await router.finish(value)
    } catch {
      throw FlowFailure("The stub \(id) could not finish: \(error)", at: place)
    }
    try await settle(place)
    try await check(place)
  }
}
