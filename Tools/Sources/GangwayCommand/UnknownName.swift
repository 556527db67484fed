import ArgumentParser
@_spi(FrontEnd) import GangwayHost
@_spi(FrontEnd) import GangwayProtocol

/// Errors for unknown plugin names, with the nearest match and the known names.
enum UnknownName {
  /// Returns the text for an unknown plugin.
  static func plugin(_ name: String, among ids: [PluginID]) -> String {
    let ids = ids.map(\.rawValue)
    return "error: \(Words.Plugins.unknown(name, nearest: NearestMatch.of(name, among: ids), installed: ids))"
  }

  /// Reports an unknown plugin.
  ///
  /// - Throws: the exit code 1, always.
  @MainActor static func refuse(_ name: String, _ survey: PluginSurvey) throws -> Never {
    Locations.complain(plugin(name, among: survey.plugins.compactMap(\.id)))
    throw ExitCode(1)
  }

  /// Returns whether a name is a file's and not a plugin's id.
  static func isFile(_ name: String) -> Bool { name.contains("/") || name.hasSuffix(".so") }
}
