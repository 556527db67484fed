/// What a plugin contributes, as data: enough to show its tabs, match its links and name its places while none of its
/// code is loaded.
///
/// A host makes it by running `register(in:)` once, in a process of its own, and keeps it. What the plugin registers
/// when it is loaded must be the same.
public struct PluginManifest: Codable, Hashable, Sendable {
  /// A tab on the bar, or off it until its plugin says so.
  public struct Tab: Codable, Hashable, Sendable {
    /// `plugin.name`.
    public var id: String
    /// What the person reads.
    public var title: String
    /// A character or two to stand before the title.
    public var symbol: String?
    /// Tabs are sorted by it.
    public var order: Int
    /// The title of the group it stands in.
    public var group: String?
    /// Whether it is on the bar from the start.
    public var isShown: Bool
    /// Whether it holds a stack, so that links can lead to its routes.
    public var hasStack: Bool
    /// The guards that are asked before it is shown.
    public var guards: [String]

    /// Makes a tab.
    public init(
      id: String, title: String, symbol: String? = nil, order: Int = 100, group: String? = nil, isShown: Bool = true,
      hasStack: Bool = true, guards: [String] = []
    ) {
      self.id = id
      self.title = title
      self.symbol = symbol
      self.order = order
      self.group = group
      self.isShown = isShown
      self.hasStack = hasStack
      self.guards = guards
    }
  }

  /// A coordinator that others show.
  public struct Place: Codable, Hashable, Sendable {
    /// `plugin.name`.
    public var id: String
    /// The type of its payload, for people.
    public var payload: String
    /// The version of the payload's encoding.
    public var schema: Int
    /// Makes a place.
    public init(id: String, payload: String, schema: Int = 1) {
      self.id = id
      self.payload = payload
      self.schema = schema
    }
  }

  /// A link.
  public struct Link: Codable, Hashable, Sendable {
    /// The URLs it takes, as it was written.
    public var pattern: String
    /// The type that its parameters are read as, for people.
    public var payload: String
    /// Makes a link.
    public init(pattern: String, payload: String) {
      self.pattern = pattern
      self.payload = payload
    }
  }

  /// A service that others call by its id.
  public struct Service: Codable, Hashable, Sendable {
    /// `plugin.name`.
    public var id: String
    /// What others may call, sorted.
    public var operations: [String]
    /// Makes a service.
    public init(id: String, operations: [String]) {
      self.id = id
      self.operations = operations
    }
  }

  /// A slot that others contribute to.
  public struct Slot: Codable, Hashable, Sendable {
    /// `plugin.name`.
    public var id: String
    /// The type that describes a contribution, for people.
    public var value: String
    /// Makes a slot.
    public init(id: String, value: String) {
      self.id = id
      self.value = value
    }
  }

  /// What it contributes to another plugin's slot.
  public struct Contribution: Codable, Hashable, Sendable {
    /// The slot.
    public var slot: String
    /// The place it leads to.
    public var place: String
    /// Contributions are sorted by it.
    public var order: Int
    /// The type of its description, for people.
    public var type: String
    /// Its description, as JSON.
    public var encoded: String
    /// Makes a contribution.
    public init(slot: String, place: String, order: Int, type: String, encoded: String) {
      self.slot = slot
      self.place = place
      self.order = order
      self.type = type
      self.encoded = encoded
    }
  }

  /// A place or a service's operation of another plugin that it says it uses.
  public struct Use: Codable, Hashable, Sendable {
    /// The id of the place or service.
    public var id: String
    /// The operation; nil for a place.
    public var operation: String?
    /// Whether it does without it.
    public var isOptional: Bool
    /// Makes a use.
    public init(id: String, operation: String?, isOptional: Bool) {
      self.id = id
      self.operation = operation
      self.isOptional = isOptional
    }
  }

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
  /// Its tabs, in the order of their registration, as all lists here.
  public var tabs: [Tab] = []
  /// Its places.
  public var places: [Place] = []
  /// Its links.
  public var links: [Link] = []
  /// The guards it asks before every navigation of the application.
  public var guards: [String] = []
  /// Its services by id, sorted.
  public var services: [Service] = []
  /// The types of its services that are asked for by type, sorted.
  public var typedServices: [String] = []
  /// Its slots.
  public var slots: [Slot] = []
  /// What it contributes to others' slots.
  public var contributions: [Contribution] = []
  /// What it uses of others.
  public var uses: [Use] = []
  /// The plugins it needs.
  public var dependencies: [Dependency] = []

  /// A manifest of a plugin that contributes nothing.
  public init(id: String, version: String) {
    self.id = id
    self.version = version
  }

  /// What it contributes, a line each: `tab todos.list`, `coordinator todos.detail`.
  public var lines: [String] {
    let tabs = tabs.map { "tab \($0.id)" }
    let places = places.map { "coordinator \($0.id)" }.sorted()
    let links = links.map { "link \($0.pattern)" }.sorted()
    let guards = guards.map { "guard \($0)" }
    let services = services.map { "service \($0.id)" } + typedServices.map { "service \($0)" }
    let slots = slots.map { "slot \($0.id)" }.sorted()
    let given = contributions.map { "contribution \($0.place) to \($0.slot)" }.sorted()
    return tabs + places + links + guards + services + slots + given
  }

  /// Where two manifests of one plugin differ, each difference with both values; empty where they are equal.
  ///
  /// - Parameter other: what was registered now, where this is what was registered before.
  public func differences(from other: PluginManifest) -> [String] {
    var found: [String] = []
    func compare<Item: Hashable>(_ what: String, _ before: [Item], _ after: [Item]) {
      guard before != after else { return }
      let gone = before.filter { !after.contains($0) }
      let new = after.filter { !before.contains($0) }
      let first = gone.first.map { "\($0)" } ?? (new.isEmpty ? "\(before)" : "nothing")
      let second = new.first.map { "\($0)" } ?? (gone.isEmpty ? "\(after)" : "nothing")
      found.append("\(what): it registered \(first) before, and \(second) now")
    }
    compare("version", [version], [other.version])
    compare("tabs", tabs, other.tabs)
    compare("coordinators", places, other.places)
    compare("links", links, other.links)
    compare("guards", guards, other.guards)
    compare("services", services, other.services)
    compare("services by type", typedServices, other.typedServices)
    compare("slots", slots, other.slots)
    compare("contributions", contributions, other.contributions)
    compare("uses", uses, other.uses)
    compare("dependencies", dependencies, other.dependencies)
    return found
  }
}
