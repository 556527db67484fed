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
    let text: String
    do {
      text = try StoredValue.encode(value)
    } catch {
      throw NavigationError(.payloadDoesNotEncode(place: id, why: "\(error)"))
    }
    try await carryOut { node in
      var step = StoredStep(.returnTo, entry: (origin ?? node.children.last ?? node).id)
      step.place = id.rawValue
      step.value = text
      return StoredPlan(.code, step)
    } _: { transaction, _, node in
      try transaction.returnTo(id, text, from: origin ?? node.children.last ?? node)
    }
  }
}
