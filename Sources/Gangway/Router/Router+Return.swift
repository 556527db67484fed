/// Returning over several flows.
extension Router {
  /// Returns to an entry by the name that its destination gave it (``DestinationOf/returnPoint(_:onReturn:)``), with a value:
  /// everything above it goes, in other flows and features too, and it is handed the value.
  ///
  /// The flows that go are cancelled, their `onFinish` does not run. Their leave guards are asked.
  ///
  /// - Parameters:
  ///   - id: the name; the nearest entry below this router's that has it is meant.
  ///   - value: what it is handed; the types need not be the same, if they encode alike.
  /// - Throws: `unknownEntry` naming those there are; `payload` where the value does not fit; `detached`, `entryGone`; what
  ///   guards say. Nothing has happened then.
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
