/// Returning across several flows.
extension Router {
  /// Returns to a named entry with a value, and removes everything above the entry, in other flows and features too.
  ///
  /// A destination names its entry with ``DestinationOf/returnPoint(_:onReturn:)``, which also gets the value. The
  /// removed flows are cancelled: their leave guards run, and their `onFinish` does not.
  ///
  /// - Parameters:
  ///   - id: the name. The nearest entry with this name below the router's entry is used.
  ///   - value: the value for the entry. The types may differ if they encode alike.
  /// - Throws: `unknownEntry`, which names the entries that exist; `payload` if the value does not fit; `detached`,
  ///   `entryGone`; errors of guards. The tree is then unchanged.
  public func returnTo(_ id: ContributionID, with value: some Encodable & Sendable = NoPayload()) async throws {
    try await carryOut(try .returnTo(id, value))
  }
}
