@_spi(FrontEnd) import Gangway
@_spi(FrontEnd) import GangwayHost
@_spi(FrontEnd) import GangwayProtocol

/// The dependencies between plugins, and the places, services and slots that they use of each other.
struct GraphModel {
  /// A plugin in the graph.
  struct Node: Hashable {
    var id: PluginID
    /// The version; nil for a plugin that is not installed.
    var version: String?
    var isRefused = false
  }

  /// A relation of one plugin to another.
  struct Edge: Hashable, Comparable {
    enum Kind: Int, Hashable {
      /// The plugin does not load without the other one.
      case needs
      /// The plugin uses the other one if it is installed.
      case wants
      /// The plugin shows a place of the other one.
      case shows
      /// The plugin calls a service of the other one.
      case calls
      /// The plugin contributes to a slot of the other one.
      case contributes
    }

    var from: PluginID
    var to: PluginID
    var kind: Kind
    /// The place, service or slot, or the minimum version; nil for any version.
    var what: String?

    static func < (first: Edge, second: Edge) -> Bool {
      (first.from, first.kind.rawValue, first.to, first.what ?? "")
        < (second.from, second.kind.rawValue, second.to, second.what ?? "")
    }

    /// The relation in words, to print between the two plugins.
    var words: String {
      switch kind {
      case .needs: Words.Graph.needs(minimum: what)
      case .wants: Words.Graph.uses(minimum: what)
      case .shows: Words.Graph.shows(what ?? "")
      case .calls: Words.Graph.calls(what ?? "")
      case .contributes: Words.Graph.addsTo(what ?? "")
      }
    }
  }

  private(set) var nodes: [Node] = []
  private(set) var edges: [Edge] = []

  /// Reads the relations from the manifests of the installed plugins.
  init(_ survey: PluginSurvey) {
    var known: Set<PluginID> = []
    for status in survey.plugins {
      guard let id = status.id, known.insert(id).inserted else { continue }
      nodes.append(Node(id: id, version: status.version, isRefused: status.refusal != nil))
    }
    var found: Set<Edge> = []
    for manifest in survey.manifests.values {
      for dependency in manifest.dependencies {
        found.insert(
          Edge(
            from: manifest.id, to: dependency.plugin, kind: dependency.isOptional ? .wants : .needs,
            what: dependency.minimum.map { "\($0)" }))
      }
      for use in manifest.records(of: .use) {
        found.insert(
          Edge(
            from: manifest.id, to: ContributionID(use.id).plugin, kind: use[.operation] == nil ? .shows : .calls,
            what: use.id))
      }
      for contribution in manifest.records(of: .contribution) {
        let slot = ContributionID(contribution[.slot] ?? "")
        found.insert(Edge(from: manifest.id, to: slot.plugin, kind: .contributes, what: "\(slot)"))
      }
    }
    edges = found.sorted()
    for edge in edges where known.insert(edge.to).inserted { nodes.append(Node(id: edge.to)) }
  }

  /// The plugins in columns: each plugin is to the right of the plugins that refer to it, except in a cycle.
  var columns: [[Node]] {
    var depth: [PluginID: Int] = [:]
    func place(_ id: PluginID, _ path: Set<PluginID>) -> Int {
      if let known = depth[id] { return known }
      let before = edges.filter { $0.to == id && $0.from != id && !path.contains($0.from) }
      let own = (before.map { place($0.from, path.union([id])) + 1 }).max() ?? 0
      depth[id] = own
      return own
    }
    for node in nodes { _ = place(node.id, [node.id]) }
    let last = depth.values.max() ?? 0
    return nodes.isEmpty ? [] : (0...last).map { column in nodes.filter { depth[$0.id] == column } }
  }
}

// MARK: In the terminal

extension GraphModel {
  /// The plugins, one a line, each followed by its relations to others.
  var lines: [StyledText] {
    nodes.flatMap { node -> [StyledText] in
      let own = edges.filter { $0.from == node.id }
      let users = Set(edges.filter { $0.to == node.id && $0.from != node.id }.map(\.from)).sorted()
      let state: StyledText =
        node.version == nil
        ? "  \(Words.Graph.notInstalled, .yellow)" : node.isRefused ? "  \(Words.Graph.refused, .red)" : ""
      let version = node.version.map { " " + $0 } ?? ""
      let readers = users.isEmpty ? "" : "   \(Words.Graph.users(users))"
      return ["\(node.id.rawValue, .bold)\(version)\(state)\(readers, .dim)"]
        + own.enumerated().map { number, edge in
          "\(number == own.count - 1 ? "└─ " : "├─ ")\(edge.words) \(edge.to.rawValue, .bold)"
        }
    }
  }

  /// The lines of a Mermaid diagram: mermaid.js.org.
  var mermaid: [String] {
    // Mermaid reserves words such as `graph` and `end`.
    func name(_ id: PluginID) -> String { "p_" + String(id.rawValue.map { $0 == "-" ? "_" : $0 }) }
    let boxes = nodes.filter { $0.version != nil }.map { node in
      "  \(name(node.id))[\"\(node.id) \(node.version ?? "")\(node.isRefused ? " (\(Words.Graph.refused))" : "")\"]"
    }
    let arrows = edges.map { edge in
      let what = edge.what ?? ""
      return switch edge.kind {
      case .needs: "  \(name(edge.from)) -- \(Words.Graph.version(minimum: edge.what)) --> \(name(edge.to))"
      case .wants: "  \(name(edge.from)) -. \(Words.Graph.version(minimum: edge.what)) .-> \(name(edge.to))"
      case .shows: "  \(name(edge.from)) -. \(Words.Graph.place(what)) .-> \(name(edge.to))"
      case .calls: "  \(name(edge.from)) -. \(Words.Graph.service(what)) .-> \(name(edge.to))"
      case .contributes: "  \(name(edge.from)) == \(Words.Graph.slot(what)) ==> \(name(edge.to))"
      }
    }
    return ["graph LR"] + boxes + arrows.sorted()
  }
}
