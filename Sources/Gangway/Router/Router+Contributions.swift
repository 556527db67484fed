/// What other features contribute and offer.
extension Router {
  /// What features contributed to a slot, in order; nothing of theirs is made before its place is shown.
  public func contributions<Value: Codable & Sendable>(
    to slot: String, as value: Value.Type = Value.self
  ) -> [Contribution<Value>] {
    (try? attached())?.tree.registry.contributions(to: slot, as: value) ?? []
  }

  /// A service of another feature, by its id.
  ///
  /// - Throws: `detached`; `noService` saying why it is not there.
  public func service(_ id: String) throws -> ServiceHandle {
    let (_, node, tree) = try attached()
    return try tree.services.handle(id, for: node.plugin ?? "\(C.self)")
  }

  /// Why a service of another feature cannot be called; nil when it can.
  public func unavailability(ofService id: String) -> String? {
    guard let tree = try? attached().tree else { return "this screen is no longer shown" }
    return tree.registry.unavailability(ofService: id)
  }
}
