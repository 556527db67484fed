/// What a plugin contributes, as data: enough to show its tabs, match its links and name its places while none of its
/// code is loaded.
///
/// A host makes it by running `register(in:)` once, in a process of its own, and keeps it. What the plugin registers
/// when it is loaded must be the same.
public struct PluginManifest: Codable, Hashable, Sendable {
  /// Another plugin that it needs.
  public struct Dependency: Codable, Hashable, Sendable {
    /// The other plugin's id.
    public var plugin: String
    /// The lowest version that will do; nil for any.
    public var minimum: PluginVersion?
    /// Whether it does without it where it is not there.
    public var isOptional: Bool
    /// Makes a dependency.
    public init(plugin: String, minimum: PluginVersion? = nil, isOptional: Bool = false) {
      self.plugin = plugin
      self.minimum = minimum
      self.isOptional = isOptional
    }
  }

  /// The plugin's id.
  public var id: String
  /// The plugin's version, as it says it.
  public var version: String
  /// What it contributes and uses, each kind in the order of its registration.
  public var records: [ContributionRecord]
  /// The plugins it needs.
  public var dependencies: [Dependency]

  /// Makes a manifest.
  public init(id: String, version: String, records: [ContributionRecord] = [], dependencies: [Dependency] = []) {
    self.id = id
    self.version = version
    self.records = records
    self.dependencies = dependencies
  }

  /// The plugins that it uses or contributes to.
  package var usedPlugins: Set<String> {
    let ids = records(of: .use).map(\.id) + records(of: .contribution).compactMap { $0[.slot] }
    return Set(ids.map { ContributionID($0).plugin }).subtracting([id])
  }

  /// What it contributes of a kind.
  public func records(of kind: ContributionRecord.Kind) -> [ContributionRecord] { records.filter { $0.kind == kind } }

  /// Its record of a kind and id.
  public func record(_ kind: ContributionRecord.Kind, _ id: String) -> ContributionRecord? {
    records.first { $0.kind == kind && $0.id == id }
  }

  /// What it contributes, a line each: `tab todos.list`, `place todos.detail`.
  public var lines: [String] { records.filter { $0.kind != .use }.map(\.line) }

  /// Where two manifests of one plugin differ, each difference with both values; empty where they are equal.
  ///
  /// - Parameter other: what was registered now, where this is what was registered before.
  public func differences(from other: PluginManifest) -> [String] {
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
