@_spi(FrontEnd) import GangwayProtocol

/// The contributions and services of other features.
extension Router {
  /// Returns the contributions of features to a slot, in order.
  ///
  /// No code of these features runs before a contribution's place is shown.
  public func contributions<Value: Codable & Sendable>(
    to slot: ContributionID, as value: Value.Type = Value.self
  ) -> [Contribution<Value>] {
    (try? attached())?.navigation.registry.contributions(to: slot, as: value) ?? []
  }

  /// Returns a service of another feature by its id.
  ///
  /// The first call loads the service's plugin.
  ///
  /// - Throws: `detached`; `noService` with the reason why there is no such service.
  public func service(_ id: ContributionID) throws -> ServiceHandle {
    let found = try attached()
    // A flow of the application itself has no plugin. In messages, its coordinator's type stands for it.
    return try found.navigation.services.handle(id, for: found.node.plugin ?? PluginID(rawValue: "\(C.self)"))
  }

  /// Returns the reason why a service of another feature cannot be called, in words for the user; nil if it can.
  public func unavailability(ofService id: ContributionID) -> String? {
    guard let registry = try? attached().navigation.registry else { return "This screen is no longer open." }
    return registry.unavailability(ofService: id).map { _ in registry.absenceForUsers(of: id.plugin) }
  }
}
