@_spi(FrontEnd) import GangwayProtocol

/// The contributions of a plugin, as data: enough to show its tabs, match its links and name its places without its
/// code.
///
/// A host creates it by running `register(in:)` once, in a process of its own, and keeps it. When the plugin is loaded,
/// it must register the same contributions.
@_spi(FrontEnd) public struct PluginManifest: Codable, Hashable, Sendable {
  /// A dependency on another plugin.
  public struct Dependency: Codable, Hashable, Sendable {
    /// The other plugin's id.
    public var plugin: PluginID
    /// The lowest version that works; nil for any.
    public var minimum: PluginVersion?
    /// Whether the plugin also works without the other.
    public var isOptional: Bool
    /// Creates a dependency.
    package init(plugin: PluginID, minimum: PluginVersion? = nil, isOptional: Bool = false) {
      self.plugin = plugin
      self.minimum = minimum
      self.isOptional = isOptional
    }
  }

  /// The plugin's id.
  public var id: PluginID
  /// The plugin's version, as it declares it.
  package var version: String
  /// The contributions and uses, each kind in the order of its registration.
  package var records: [ContributionRecord]
  /// The plugins that this plugin needs.
  public var dependencies: [Dependency]

  /// Creates a manifest.
  package init(id: PluginID, version: String, records: [ContributionRecord] = [], dependencies: [Dependency] = []) {
    self.id = id
    self.version = version
    self.records = records
    self.dependencies = dependencies
  }

  /// The plugins that this plugin uses or contributes to.
  package var usedPlugins: Set<PluginID> {
    let ids = records(of: .use).map(\.id) + records(of: .contribution).compactMap { $0[.slot] }
    return Set(ids.map { ContributionID($0).plugin }).subtracting([id])
  }

  /// Returns the records of a kind.
  public func records(of kind: ContributionRecord.Kind) -> [ContributionRecord] { records.filter { $0.kind == kind } }

  /// Returns the record of a kind and id.
  package func record(_ kind: ContributionRecord.Kind, _ id: String) -> ContributionRecord? {
    records.first { $0.kind == kind && $0.id == id }
  }

  /// The contributions, one line each: `tab todos.list`, `place todos.detail`.
  public var lines: [String] { records.filter { $0.kind != .use }.map(\.line) }

  /// Returns the differences of two manifests of one plugin, each with both values; empty if they are equal.
  ///
  /// - Parameter other: the present registration, which is compared with this earlier one.
  package func differences(from other: PluginManifest) -> [String] {
    var found: [String] = []
    func compare<Item: Hashable>(_ what: String, _ before: [Item], _ after: [Item]) {
      guard before != after else { return }
      let (old, new) = (Set(before), Set(after))
      let gone = before.filter { !new.contains($0) }
      let come = after.filter { !old.contains($0) }
      let first = gone.first.map { "\($0)" } ?? (come.isEmpty ? "\(before)" : "nothing")
      let second = come.first.map { "\($0)" } ?? (gone.isEmpty ? "\(after)" : "nothing")
      found.append("\(what): it registered \(first) before, and \(second) now")
    }
    compare("version", [version], [other.version])
    var kinds: [ContributionRecord.Kind] = []
    for record in records + other.records where !kinds.contains(record.kind) { kinds.append(record.kind) }
    for kind in kinds { compare("\(kind.rawValue)s", records(of: kind), other.records(of: kind)) }
    compare("dependencies", dependencies, other.dependencies)
    return found
  }
}
