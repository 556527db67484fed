@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import Gangway

/// The plugins that work together, chosen by their manifests before any of them loads.
///
/// A plan resolves duplicate ids, rivals, dependencies and cycles.
struct PluginPlan {
  /// A plugin that passed all checks so far.
  final class Member: Sendable {
    let file: String
    let identity: FileIdentity?
    let manifest: PluginManifest
    /// Whether its library needs Foundation; see ``FoundationLibrary``.
    let needsFoundation: Bool
    /// The libraries that it brings along, by path.
    let helpers: [String: FileIdentity]
    var id: PluginID { manifest.id }

    init(
      file: String, identity: FileIdentity?, manifest: PluginManifest, needsFoundation: Bool = false,
      helpers: [String: FileIdentity] = [:]
    ) {
      self.needsFoundation = needsFoundation
      self.helpers = helpers
      self.file = file
      self.identity = identity
      self.manifest = manifest
    }
  }

  /// The plugins that work together, each after its dependencies.
  private(set) var accepted: [Member] = []
  /// The refusals of the other plugins, by file.
  private(set) var refused: [String: Refusal] = [:]

  /// Plans a set of plugins.
  ///
  /// - Parameters:
  ///   - members: the plugins in search order. Of two rivals, the first one stays.
  ///   - missing: the reasons why plugins are missing, by id.
  ///   - ignoresCase: whether the app compares links without case.
  init(_ members: [Member], missing: [PluginID: String] = [:], ignoresCase: Bool = false) {
    var rest = uniqueIDs(members)
    rest = withoutRivals(rest, ignoresCase)
    let byID = Dictionary(rest.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    let problems = DependencyProblems(byID, missing: missing).refusals
    for member in rest {
      if let refusal = problems[member.id] { refused[member.file] = refusal }
    }
    accepted = Self.sorted(rest.filter { problems[$0.id] == nil })
  }

  private mutating func uniqueIDs(_ members: [Member]) -> [Member] {
    var first: [PluginID: Member] = [:]
    return members.filter { member in
      guard let other = first[member.id] else {
        first[member.id] = member
        return true
      }
      let isSame = other.identity != nil && other.identity == member.identity
      refused[member.file] = Refusal(
        .plan, .duplicateID,
        isSame
          ? "it is the same file as '\(other.file)'"
          : "its id '\(member.id)' is also the id of '\(other.file)', which takes precedence "
            + "(version \(other.manifest.version); this file has version \(member.manifest.version))",
        advice: isSame ? "Pass it once." : "Remove one of the two files, or leave one out by its path with --without.")
      return false
    }
  }

  /// Returns the plugins without those that register the same links or services as an earlier one.
  private mutating func withoutRivals(_ members: [Member], _ ignoresCase: Bool) -> [Member] {
    var links: [String: (pattern: String, plugin: PluginID)] = [:]
    var services: [String: PluginID] = [:]
    return members.filter { member in
      var patterns: [(pattern: String, shape: String)] = []
      var own: [String] = []
      for record in member.manifest.records {
        switch record.kind {
        case .link:
          for shape in LinkPattern.shapes(of: record.id, ignoringCase: ignoresCase) {
            patterns.append((record.id, shape))
          }
        case .service: own.append(record.id)
        default: break
        }
      }
      for (pattern, shape) in patterns {
        guard let rival = links[shape] else { continue }
        refused[member.file] = Refusal(
          .plan, .conflict,
          "the plugin \(member.id) registers the link \(pattern), which matches the same URLs as \(rival.pattern) of "
            + "the plugin \(rival.plugin)", advice: "Change one of the links, or leave one plugin out with --without.")
        return false
      }
      for service in own {
        guard let rival = services[service] else { continue }
        refused[member.file] = Refusal(
          .plan, .conflict,
          "the plugin \(member.id) registers the service \(service), which \(rival) also registers",
          advice: "Leave one of the two plugins out with --without.")
        return false
      }
      for (pattern, shape) in patterns { links[shape] = (pattern, member.id) }
      for service in own { services[service] = member.id }
      return true
    }
  }

  /// Returns the plugins depth first, so that each comes after its dependencies. Otherwise, the order stays.
  private static func sorted(_ members: [Member]) -> [Member] {
    let byID = Dictionary(members.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    var sorted: [Member] = []
    var entered: Set<PluginID> = []
    func visit(_ member: Member) {
      guard entered.insert(member.id).inserted else { return }
      for dependency in member.manifest.dependencies {
        if let other = byID[dependency.plugin] { visit(other) }
      }
      sorted.append(member)
    }
    for member in members { visit(member) }
    return sorted
  }
}

/// The reasons why plugins lack their dependencies.
struct DependencyProblems {
  private let members: [PluginID: PluginPlan.Member]
  private let missing: [PluginID: String]
  /// The refusals, by id.
  private(set) var refusals: [PluginID: Refusal] = [:]

  init(_ members: [PluginID: PluginPlan.Member], missing: [PluginID: String]) {
    self.members = members
    self.missing = missing
    let dependents = members.values.filter { !$0.manifest.dependencies.isEmpty }.map(\.id).sorted()
    for id in dependents { refusals[id] = ownProblem(id) }
    // Refuse plugins because of another one, each with the shortest chain to the cause.
    let causes = refusals
    for id in dependents where causes[id] == nil {
      guard let chain = shortestChain(from: id, to: { causes[$0] != nil }), let cause = chain.last else { continue }
      refusals[id] = Refusal(
        .plan, .failedDependency,
        "it needs \(chain.dropFirst().map(\.rawValue).joined(separator: ", which needs ")), and \(cause) is refused: "
          + "\(causes[cause]?.reason ?? "")",
        advice: causes[cause]?.advice ?? "")
    }
  }

  private func needed(_ id: PluginID) -> [PluginID] {
    members[id]?.manifest.dependencies.filter { !$0.isOptional && members[$0.plugin] != nil }.map(\.plugin) ?? []
  }

  private func ownProblem(_ id: PluginID) -> Refusal? {
    guard let member = members[id], !member.manifest.dependencies.isEmpty else { return nil }
    for dependency in member.manifest.dependencies {
      guard let other = members[dependency.plugin] else {
        if dependency.isOptional { continue }
        let wanted = dependency.minimum.map { " \($0) or later" } ?? ""
        return Refusal(
          .plan, .missingDependency,
          "it needs the plugin \(dependency.plugin)\(wanted), and "
            + (missing[dependency.plugin] ?? "no plugin with that id was found"),
          advice: "Install \(dependency.plugin), or name its folder with --plugins-dir.")
      }
      guard let minimum = dependency.minimum else { continue }
      guard let version = PluginVersion(other.manifest.version), version >= minimum else {
        return Refusal(
          .plan, .unsatisfiedDependency,
          "it needs the plugin \(dependency.plugin) \(minimum) or later, and \(other.manifest.version) is installed "
            + "('\(other.file)')",
          advice: "Install \(dependency.plugin) \(minimum) or later.")
      }
    }
    guard let circle = shortestChain(from: id, to: { $0 == id }) else { return nil }
    let chain = circle.map(\.rawValue).joined(separator: " → ")
    let itself = circle.count == 2
    return Refusal(
      .plan, .dependencyCycle, itself ? "it depends on itself" : "its dependencies form a cycle: \(chain)",
      advice: itself
        ? "Remove \(id) from the plugin's own dependencies."
        : "Make one of the dependencies optional, or move the shared code into another plugin.")
  }

  /// Returns the shortest chain of dependencies from a plugin to a goal, both included; nil if there is none.
  ///
  /// The chain has at least one step, so a cycle can end at its start.
  private func shortestChain(from start: PluginID, to isGoal: (PluginID) -> Bool) -> [PluginID]? {
    var previous: [PluginID: PluginID] = [:]
    var queue = [start]
    var position = 0
    while position < queue.count {
      let id = queue[position]
      position += 1
      for next in needed(id) {
        if isGoal(next) {
          var chain = [next, id]
          var step = id
          while step != start, let before = previous[step] {
            chain.append(before)
            step = before
          }
          return chain.reversed()
        }
        if previous[next] == nil, next != start {
          previous[next] = id
          queue.append(next)
        }
      }
    }
    return nil
  }
}
