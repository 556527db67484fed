import Gangway
import GangwayHost
import GangwayProtocol

/// How plugins hang together: who needs, uses and adds to whom.
struct GraphModel {
  /// A plugin.
  struct Node: Hashable {
    var id: String
    /// Nil for one that is not installed.
    var version: String?
    var isRefused = false
  }

  /// What one plugin has to do with another.
  struct Edge: Hashable, Comparable {
    enum Kind: Int, Hashable {
      /// It is not loaded without it.
      case needs
      /// It uses it where it is there.
      case wants
      /// It shows a place of it.
      case shows
      /// It calls a service of it.
      case calls
      /// It adds to a slot of it.
      case contributes
    }

    var from: String
    var to: String
    var kind: Kind
    /// The place, service, slot or the least version; nil for any version.
    var what: String?

    static func < (first: Edge, second: Edge) -> Bool {
      (first.from, first.kind.rawValue, first.to, first.what ?? "")
        < (second.from, second.kind.rawValue, second.to, second.what ?? "")
    }

    /// What it is, in words that stand between the two.
    var words: String {
      switch kind {
      case .needs: what.map { "needs \($0) or later of" } ?? "needs"
      case .wants: what.map { "uses \($0) or later of" } ?? "uses"
      case .shows: "shows \(what ?? "") of"
      case .calls: "calls \(what ?? "") of"
      case .contributes: "adds to \(what ?? "") of"
      }
    }
  }

  private(set) var nodes: [Node] = []
  private(set) var edges: [Edge] = []

  /// What installed plugins say of each other.
  init(_ survey: PluginSurvey) {
    var known: Set<String> = []
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

  /// The plugins in columns: each stands to the right of those that have to do with it, as far as there is no circle.
  var columns: [[Node]] {
    var depth: [String: Int] = [:]
    func place(_ id: String, _ path: Set<String>) -> Int {
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
  /// A plugin a line, and below it what it has to do with others.
  var lines: [StyledText] {
    nodes.flatMap { node -> [StyledText] in
      let own = edges.filter { $0.from == node.id }
      let users = Set(edges.filter { $0.to == node.id && $0.from != node.id }.map(\.from)).sorted()
      let state: StyledText =
        node.version == nil
        ? "  \("not installed", .yellow)" : node.isRefused ? "  \("refused", .red)" : ""
      let version = node.version.map { " " + $0 } ?? ""
      let readers = users.isEmpty ? "" : "   for \(users.joined(separator: ", "))"
      return ["\(node.id, .bold)\(version)\(state)\(readers, .dim)"]
        + own.enumerated().map { number, edge in
          "\(number == own.count - 1 ? "└─ " : "├─ ")\(edge.words) \(edge.to, .bold)"
        }
    }
  }

  /// The same for Mermaid: mermaid.js.org.
  var mermaid: [String] {
    // `graph`, `end` and the like are words of Mermaid's own.
    func name(_ id: String) -> String { "p_" + String(id.map { $0 == "-" ? "_" : $0 }) }
    let boxes = nodes.filter { $0.version != nil }.map { node in
      "  \(name(node.id))[\"\(node.id) \(node.version ?? "")\(node.isRefused ? " (refused)" : "")\"]"
    }
    let arrows = edges.map { edge in
      let what = edge.what ?? ""
      return switch edge.kind {
      case .needs: "  \(name(edge.from)) -- \(edge.what.map { "\($0)+" } ?? "needs") --> \(name(edge.to))"
      case .wants: "  \(name(edge.from)) -. \(edge.what.map { "\($0)+" } ?? "needs") .-> \(name(edge.to))"
      case .shows: "  \(name(edge.from)) -. shows \(what) .-> \(name(edge.to))"
      case .calls: "  \(name(edge.from)) -. calls \(what) .-> \(name(edge.to))"
      case .contributes: "  \(name(edge.from)) == into \(what) ==> \(name(edge.to))"
      }
    }
    return ["graph LR"] + boxes + arrows.sorted()
  }
}
