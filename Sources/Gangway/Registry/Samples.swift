@_spi(FrontEnd) import GangwayProtocol

/// The arguments that authors gave for checks.
extension Registry {
  /// Returns the places of a plugin with their sample payloads; a place without a payload is its own sample.
  package func placeSamples(of plugin: PluginID) throws -> [(id: ContributionID, places: [Place])] {
    try places.values.filter { $0.plugin == plugin }.sorted { $0.id < $1.id }.map { ($0.id, try $0.samples()) }
  }
}
