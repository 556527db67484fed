import Gangway
import GangwayHost
import GangwayProtocol

/// What can be navigated to: links, places and tabs of all plugins, and the links that take the same URLs.
public struct RouteListing: Codable, Sendable {
  /// One way to a place.
  public struct Route: Codable, Hashable, Sendable {
    /// `link`, `place`, `tab`, `slot`, `contribution`, `service` or `guard`.
    public var kind: String
    /// The pattern of a link, the id of what else.
    public var name: String
    /// The plugin that registers it.
    public var plugin: String
    /// The plugin's library.
    public var file: String
  }

  /// Links of two plugins that take the same URLs: the second to register is refused.
  public struct Conflict: Codable, Hashable, Sendable {
    /// The two links.
    public var first: Route
    public var second: Route
    /// What, and what to do.
    public var text: String {
      "\(first.name) of \(first.plugin) (\(first.file)) and \(second.name) of \(second.plugin) (\(second.file)) take the "
        + "same URLs: the one loaded second is refused. Change one of them, or leave one out with --without."
    }
  }

  var format = 1
  /// All routes, by kind and name.
  public var routes: [Route] = []
  /// Links that take the same URLs.
  public var conflicts: [Conflict] = []

  /// Lists what installed plugins contribute, those too that are refused for a conflict.
  public init(_ survey: PluginSurvey) {
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

  /// The listing as a line of JSON.
  public func json() throws -> String { String(decoding: try Line.encode(self), as: UTF8.self) }

  /// A route a line, in columns.
  var lines: [StyledText] { StyledText.columns(routes.map { [$0.kind, $0.name, $0.plugin] }) }
}
