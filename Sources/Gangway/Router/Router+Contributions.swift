/// What other features contribute and offer.
extension Router {
  /// What features contributed to a slot, in order; nothing of theirs is made before its place is shown.
  public func contributions<Value: Codable & Sendable>(
    to slot: ContributionID, as value: Value.Type = Value.self
  ) -> [Contribution<Value>] {
    (try? attached())?.navigation.registry.contributions(to: slot, as: value) ?? []
  }

  /// A service of another feature, by its id. Its plugin is loaded when it is first called.
  ///
  /// - Throws: `detached`; `noService` saying why it is not there.
  public func service(_ id: ContributionID) throws -> ServiceHandle {
    let (_, node, navigation) = try attached()
    return try navigation.services.handle(id, for: node.plugin ?? "\(C.self)")
  }

  /// Why a service of another feature cannot be called; nil when it can.
  public func unavailability(ofService id: ContributionID) -> String? {
    guard let registry = try? attached().navigation.registry else { return "this screen is no longer shown" }
    return registry.unavailability(ofService: id)
  }
}
