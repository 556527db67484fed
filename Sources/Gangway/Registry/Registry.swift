/// The central table of what plugins contribute. One per host.
@MainActor public final class Registry {
  /// A tab that a plugin registered.
  @MainActor public struct Tab {
    /// `plugin.name`.
    public let id: String
    /// The plugin's id.
    public let plugin: String
    /// What the person reads.
    public let title: String
    /// A character or two to stand before the title.
    public let symbol: String?
    /// Tabs are sorted by it, then by id, unless the host's configuration says otherwise.
    public let order: Int
    /// The title of the group it stands in; nil for none.
    public internal(set) var group: String?
    /// Whether it is on the bar before its plugin says so with ``PluginContext/showTab(_:)``.
    public internal(set) var isShown: Bool
    /// Who is asked before it is shown.
    public let guards: [NavigationGuard]
    /// The tab's flow, to be shown by a root of the application's own.
    public var destination: Destination { Destination(.push, .registered(plugin: plugin, tab: id)) }
    /// The type of the routes of its stack; nil where it holds no stack.
    let routes: ObjectIdentifier?
    let make: @MainActor (PluginContext) throws -> any Coordinator
    /// Whether it stands for one whose plugin is not loaded.
    var isStandIn = false
  }

  struct PlaceRegistration {
    let id: String
    let plugin: String
    let payload: String
    let schema: Int
    let guards: [NavigationGuard]
    /// Whether a payload is one of the place's.
    let check: @MainActor (Place) throws -> Void
    let make: @MainActor (Place, PluginContext) throws -> any Coordinator
  }

  struct GuardRegistration {
    let plugin: String
    let order: Int
    let `guard`: NavigationGuard
  }

  /// A plugin that registered without an objection.
  public struct RegisteredPlugin: Hashable, Sendable {
    /// The plugin's id.
    public let id: String
    /// The plugin's version.
    public let version: String
  }

  /// The registered tabs, in their order, those that start off the bar too.
  public private(set) var tabs: [Tab] = []
  /// The plugins that contribute, in the order in which they were registered or announced; not all of them are loaded.
  public private(set) var plugins: [RegisteredPlugin] = []
  /// What the links of the plugins lead to.
  public let links = Links()
  /// How the host's configuration places what plugins contribute.
  public var placement = Placement() {
    didSet { arrangeTabs() }
  }
  private(set) var places: [String: PlaceRegistration] = [:]
  @exclusivity(unchecked) private(set) var guards: [GuardRegistration] = []
  private(set) var services = ServiceTable()
  private(set) var slots: [String: SlotRegistration] = [:]
  private(set) var slotContributions: [String: [SlotContribution]] = [:]
  private(set) var uses: [Use] = []
  /// Services of the host's scope, made once.
  private var hostServices: SessionServices?
  private var registeredTabs: [Tab] = []
  private var leftOut: [String: String] = [:]
  var draft: Draft?
  /// Where the code of announced plugins comes from.
  public weak var source: (any PluginSource)?
  /// Plugins that were announced, by id.
  var known: [String: Known] = [:]
  /// Those of them that have guards of the application and are not loaded.
  @exclusivity(unchecked) var unloadedGuards: [String] = []

  /// Makes an empty registry.
  public init() {}

  // MARK: What a host calls

  /// Registers a plugin: all it contributes, or nothing.
  ///
  /// - Throws: ``RegistrationError`` naming both rivals of every conflict; ``ContributionsChanged`` where the plugin was
  ///   announced with other contributions; or what `register(in:)` throws.
  public func register(_ type: any Plugin.Type) throws {
    let finished = try draft(of: type)
    let manifest = finished.manifest(version: type.version)
    if let announced = known[type.id]?.manifest, announced != manifest {
      throw ContributionsChanged(plugin: type.id, differences: announced.differences(from: manifest))
    }
    add(RegisteredPlugin(id: type.id, version: type.version))
    known[type.id]?.standing = .loaded
    take(finished)
  }

  /// Runs `register(in:)` and checks what it says; nothing is taken over.
  private func draft(of type: any Plugin.Type) throws -> Draft {
    let id = type.id
    guard Self.isID(id) else {
      throw RegistrationError(plugin: id, problems: ["has the id '\(id)', which is not of the form [a-z][a-z0-9-]*"])
    }
    if isLoaded(id), let rival = plugins.first(where: { $0.id == id }) {
      throw RegistrationError(
        plugin: id, problems: ["has the id of a plugin that is registered already, in version \(rival.version)"])
    }
    guard draft == nil else {
      throw RegistrationError(plugin: id, problems: ["comes while another plugin is being registered"])
    }
    let finished = Draft(plugin: id)
    draft = finished
    defer { draft = nil }
    try type.init().register(in: self)
    if PluginVersion(type.version) == nil {
      finished.problems.append("has the version '\(type.version)', which is not of the form 1.2.3")
    }
    let problems = finished.problems + services.conflicts(with: finished.services) + linkProblems(of: finished)
    guard problems.isEmpty else { throw RegistrationError(plugin: id, problems: problems) }
    return finished
  }

  /// Notes that a plugin contributes, once.
  func add(_ plugin: RegisteredPlugin) {
    if known[plugin.id] != nil, plugins.contains(where: { $0.id == plugin.id }) { return }
    plugins.append(plugin)
  }

  /// What a plugin would register, as data; the registry stays as it is.
  ///
  /// - Throws: as ``register(_:)``.
  public func manifest(of type: any Plugin.Type) throws -> PluginManifest {
    try draft(of: type).manifest(version: type.version)
  }

  /// Takes over what a plugin contributes, in the place of what stood for it.
  func take(_ draft: Draft) {
    if !draft.tabs.isEmpty {
      registeredTabs.removeAll { $0.isStandIn && $0.plugin == draft.plugin }
      registeredTabs += draft.tabs
      arrangeTabs()
    }
    for place in draft.places { places[place.id] = place }
    if !draft.guards.isEmpty {
      guards = (guards + draft.guards).sorted {
        ($0.order, $0.plugin, $0.guard.name) < ($1.order, $1.plugin, $1.guard.name)
      }
    }
    services.merge(draft.services)
    for slot in draft.slots { slots[slot.id] = slot }
    for contribution in draft.contributions {
      var others = slotContributions[contribution.slot, default: []]
      others.removeAll { $0.place == contribution.place }
      others.append(contribution)
      others.sort { ($0.order, $0.place) < ($1.order, $1.place) }
      slotContributions[contribution.slot] = others
    }
    for link in draft.links { links.add(link) }
    uses += draft.uses
  }

  private func arrangeTabs() { tabs = placement.arrange(registeredTabs) }

  /// Takes over what a test puts in the place of other plugins.
  func stub(_ plugin: String, _ change: (Draft) -> Void) {
    let draft = Draft(plugin: plugin)
    change(draft)
    take(draft)
  }

  /// Notes why a plugin is not there, to be told where it would be.
  public func leaveOut(_ plugin: String, because reason: String) { leftOut[plugin] = reason }

  /// What a plugin contributes, as `tab todos.list` and `coordinator todos.detail`.
  public func contributions(of plugin: String) -> [String] {
    if let manifest = known[plugin]?.manifest { return manifest.lines }
    let tabs = registeredTabs.filter { $0.plugin == plugin }.map { "tab \($0.id)" }
    let places = places.values.filter { $0.plugin == plugin }.map { "coordinator \($0.id)" }.sorted()
    let links = links.all.filter { $0.plugin == plugin }.map { "link \($0.pattern)" }
    let guards = guards.filter { $0.plugin == plugin }.map { "guard \($0.guard.name)" }
    let services = services.named.values.filter { $0.plugin == plugin }.map { "service \($0.id)" }.sorted()
    let slots = slots.values.filter { $0.plugin == plugin }.map { "slot \($0.id)" }.sorted()
    let given = slotContributions.values.joined().filter { $0.plugin == plugin }.map {
      "contribution \($0.place) to \($0.slot)"
    }
    return tabs + places + links + guards + services + slots + given.sorted()
  }

  /// The services that live as long as the host.
  func hostServices(_ folders: PluginFolders) -> SessionServices {
    if let hostServices { return hostServices }
    let made = SessionServices(registry: self, folders: folders, scope: .host)
    hostServices = made
    return made
  }

  // MARK: What navigation asks

  /// Why a place cannot be shown; nil when it can.
  public func unavailability(of place: String) -> String? {
    guard places[place] == nil else { return nil }
    let plugin = String(place.prefix { $0 != "." })
    if let manifest = known[plugin]?.manifest, manifest.places.contains(where: { $0.id == place }) {
      return absence(of: plugin).map { "the plugin \(plugin) is not there: \($0)" }
    }
    if plugins.contains(where: { $0.id == plugin }) {
      return "the plugin \(plugin) offers no place \(place)"
    }
    return unavailability(ofPlugin: plugin)
  }

  /// Whether a plugin registered a place, or would.
  func isOffered(_ place: String) -> Bool {
    places[place] != nil
      || known[String(place.prefix { $0 != "." })]?.manifest.places.contains { $0.id == place } == true
  }

  /// Why a plugin is not there; nil when it is, or is loaded when it is needed.
  public func unavailability(ofPlugin plugin: String) -> String? {
    if known[plugin] == nil, plugins.contains(where: { $0.id == plugin }) { return nil }
    if known[plugin] != nil { return absence(of: plugin).map { "the plugin \(plugin) is not there: \($0)" } }
    if let reason = leftOut[plugin] { return "the plugin \(plugin) was left out: \(reason)" }
    return "the plugin \(plugin) is not loaded"
  }

  static func isID(_ text: some StringProtocol) -> Bool {
    guard let first = text.utf8.first, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first) else { return false }
    return text.utf8.allSatisfy {
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
        || $0 == UInt8(ascii: "-")
    }
  }

  /// Calls outside `register(in:)` that changed nothing, for the host to report.
  public private(set) var lateCalls: [String] = []
  /// Called with each of ``lateCalls`` as it comes.
  public var onLateCall: (String) -> Void = { _ in }

  func noteLateCall(_ what: String) {
    let call = "\(what) was registered outside register(in:), and is ignored"
    lateCalls.append(call)
    onLateCall(call)
  }
}

/// Why a plugin was refused that was announced with other contributions than it registers.
public struct ContributionsChanged: Error, Hashable, Sendable, CustomStringConvertible {
  /// The plugin.
  public let plugin: String
  /// Each difference, with both values.
  public let differences: [String]

  /// The differences in a line.
  public var description: String { differences.joined(separator: "; ") }
}

/// Why a plugin's contributions were refused.
public struct RegistrationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The plugin.
  public let plugin: String
  /// Every problem found, each naming both rivals.
  public let problems: [String]

  /// The problems in a line.
  public var description: String { "the plugin \(plugin) " + problems.joined(separator: "; it ") }
}
