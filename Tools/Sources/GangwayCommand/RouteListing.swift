@_spi(FrontEnd) import Gangway
@_spi(FrontEnd) import GangwayHost
@_spi(FrontEnd) import GangwayProtocol

/// The contributions of all plugins that an app can navigate to or use, and the conflicts between links.
package struct RouteListing: Codable, Sendable {
  /// A contribution of a plugin.
  package struct Route: Codable, Hashable, Sendable {
    /// `link`, `place`, `tab`, `slot`, `contribution`, `service` or `guard`.
    package var kind: String
    /// The pattern of a link; the id of any other contribution.
    package var name: String
    /// The plugin that registers the contribution.
    package var plugin: PluginID
    /// The plugin's library.
    package var file: String
  }

  /// Links of two plugins that match the same URLs; the one registered second is refused.
  package struct Conflict: Codable, Hashable, Sendable {
    /// The two links.
    package var first: Route
    package var second: Route
    /// The problem and the fix.
    package var text: String { Words.Links.conflict(first, second) }
  }

  var format = 1
  /// All contributions, sorted by kind and name.
  package var routes: [Route] = []
  /// The links that match the same URLs.
  package var conflicts: [Conflict] = []

  /// Lists the contributions of installed plugins, including plugins that are refused for a conflict.
  package init(_ survey: PluginSurvey) {
    for plugin in survey.plugins where survey.manifests[plugin.file] != nil {
      for contribution in plugin.contributions {
        let parts = contribution.split(separator: " ", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { continue }
        routes.append(Route(kind: parts[0], name: parts[1], plugin: plugin.id ?? "?", file: plugin.file))
      }
    }
    routes.sort { ($0.kind, $0.name, $0.plugin) < ($1.kind, $1.name, $1.plugin) }
    var shapes: [String: Route] = [:]
    for link in routes where link.kind == "link" {
      let own = LinkPattern.shapes(of: link.name)
      if let rival = own.lazy.compactMap({ shapes[$0] }).first {
        conflicts.append(Conflict(first: rival, second: link))
      } else {
        for shape in own { shapes[shape] = link }
      }
    }
  }

  /// Returns the listing as a line of JSON.
  package func json() throws -> String { String(decoding: try Line.encode(self), as: UTF8.self) }

  /// The contributions in columns, one a line.
  var lines: [StyledText] { StyledText.columns(routes.map { [$0.kind, $0.name, $0.plugin.rawValue] }) }
}
