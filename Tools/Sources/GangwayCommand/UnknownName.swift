import ArgumentParser
import GangwayHost
import GangwayProtocol

/// A name that stands for nothing: what it may have meant, and what there is.
enum UnknownName {
  /// The words for a plugin that is not there.
  static func plugin(_ name: String, among ids: [String]) -> String {
    let nearest = NearestMatch.of(name, among: ids).map { " Did you mean '\($0)'?" } ?? ""
    return "gangway: there is no plugin '\(name)'.\(nearest) Installed: "
      + (ids.isEmpty ? "none. `gangway new Hello` makes one" : ids.joined(separator: ", ")) + "."
  }

  /// Says that a plugin is not there.
  ///
  /// - Throws: the exit code 1, always.
  @MainActor static func refuse(_ name: String, _ survey: PluginSurvey) throws -> Never {
    Locations.complain(plugin(name, among: survey.plugins.compactMap(\.id)))
    throw ExitCode(1)
  }

  /// Whether a name is a file's, and not a plugin's id.
  static func isFile(_ name: String) -> Bool { name.contains("/") || name.hasSuffix(".so") }
}
