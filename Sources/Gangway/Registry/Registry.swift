@_spi(FrontEnd) import GangwayProtocol
import Observation

/// The central table of all plugins' contributions; one per host.
///
/// Everything reads the registry. Only the host changes it, as a whole, when a plugin is registered, announced or set
/// aside.
@MainActor public final class Registry {
  /// A tab that a plugin registered.
  @MainActor public struct Tab: Identifiable {
    /// `plugin.name`.
    public nonisolated let id: ContributionID
    /// The plugin's id.
    public let plugin: PluginID
    /// The title for the user.
    public let title: String
    /// One or two characters before the title.
    public let symbol: String?
    /// The number to sort tabs by, before their id; the host's configuration may override it.
    public let order: Int
    /// The title of the tab's group; nil for none.
    public internal(set) var group: String?
    /// Whether the tab is on the bar before its plugin calls ``PluginContext/showTab(_:)``.
    public internal(set) var isShown: Bool
    /// Returns the guards that run before the tab is shown.
    let guards: @MainActor (PluginContext) -> [NavigationGuard]
    /// Returns the present label; nil for a tab whose label never changes.
    var label: (@MainActor (PluginContext) -> TabLabel?)?
    /// When the plugin is loaded before the tab is shown; nil for never.
    var preload: TabPreload?
    /// The type of the routes of the tab's stack; nil for a tab without a stack.
    let routes: ObjectIdentifier?
    let make: @MainActor (PluginContext) throws -> any Coordinator
    /// Whether this is a placeholder for a tab whose plugin is not loaded.
    var isStandIn = false

    /// Returns the tab's flow as a destination, for an application with its own root.
    public func destination<Owner: Coordinator>() -> DestinationOf<Owner> { DestinationOf(.push, .registered(id)) }
  }

  /// A plugin that registered without a problem.
  package struct RegisteredPlugin: Hashable, Sendable {
    /// The plugin's id.
    package let id: PluginID
    /// The plugin's version.
    package let version: String
  }

  /// The registered tabs, in their order, including tabs that start off the bar.
  ///
  /// Observation tracks changes.
  public var tabs: [Tab] { tabTable.observed }
  /// The plugins that contribute, in the order of registration or announcement; some may not be loaded.
  package private(set) var plugins: [RegisteredPlugin] = []
  /// The links of all plugins, with their targets.
  public let links = Links()
  /// The host's configuration of the places of contributions.
  package var placement: Placement { tabTable.placement }

  private let tabTable = TabTable()
  private(set) var places: [ContributionID: PlaceRegistration] = [:]
  // Every navigation reads these, so they are not checked for overlapping access: see ``Node``.
  @exclusivity(unchecked) private(set) var guards: [GuardRegistration] = []
  /// The rules for transitions.
  private(set) var transitions: [TransitionRule] = []
  private(set) var observers: [ObserverRegistration] = []
  private(set) var services = ServiceTable()
  let slotTable = SlotTable()
  var useTable = UseTable()
  private var pluginVersions: [PluginID: String] = [:]
  private var leftOut: [PluginID: String] = [:]
  /// The section of each plugin in the app's configuration, as JSON text.
  private(set) var sections: [PluginID: String] = [:]
  private var hostServices = HostServices()
  private var isRegistering = false

  // The other files of this folder change the next properties, for plugins that are announced now and loaded later.
  /// The announced plugins, by id.
  var known: [PluginID: Known] = [:]
  /// The announced plugins that have guards of the application and are not loaded.
  @exclusivity(unchecked) var unloadedGuards: Set<PluginID> = []
  /// The number of announced plugins that were loaded, or could not be loaded.
  var arrivals = 0
  /// The source of the code of announced plugins.
  package weak var source: (any PluginSource)?

  /// Creates an empty registry.
  public init() {}

  /// Creates a registry of plugins that are linked into the process, as in a benchmark or an application without
  /// libraries.
  ///
  /// - Throws: an error that lists the problems of the contributions of a plugin.
  public convenience init(plugins: [any Plugin.Type], placement: Placement = Placement()) throws {
    self.init()
    for plugin in plugins { try register(plugin) }
    arrange(placement)
  }

  // MARK: Registration

  /// Registers a plugin, with all its contributions or none.
  ///
  /// - Throws: ``RegistrationError``, which names both rivals of every conflict; ``ContributionsChanged`` if the plugin
  ///   was announced with other contributions; or the error of `register(in:)`.
  package func register(_ type: any Plugin.Type) throws {
    let finished = try contributions(of: type)
    if let announced = known[type.pluginID]?.manifest {
      let manifest = finished.manifest(version: type.version)
      guard announced == manifest else {
        throw ContributionsChanged(plugin: type.pluginID, differences: announced.differences(from: manifest))
      }
    }
    add(RegisteredPlugin(id: type.pluginID, version: type.version))
    known[type.pluginID]?.loadState = .loaded
    take(finished)
  }

  /// Runs `register(in:)` and checks the contributions, without adding them.
  private func contributions(of type: any Plugin.Type) throws -> PluginContributions {
    let id = type.pluginID
    guard ContributionID.isName(id.rawValue) else {
      throw RegistrationError(
        plugin: id, problems: ["has the id '\(id)', which is not valid: ids match [a-z][a-z0-9-]*"])
    }
    if isLoaded(id), let rival = pluginVersions[id] {
      throw RegistrationError(
        plugin: id, problems: ["has the id of a plugin that is already registered, version \(rival)"])
    }
    guard !isRegistering else {
      throw RegistrationError(
        plugin: id, problems: ["was registered in register(in:) of another plugin; register it outside"])
    }
    let registrar = Registrar(plugin: id) { [weak self] in self?.noteLateCall($0) }
    isRegistering = true
    defer {
      isRegistering = false
      registrar.close()
    }
    try type.init().register(in: registrar)
    let finished = registrar.contributions
    if PluginVersion(type.version) == nil {
      finished.problems.append("has the version '\(type.version)', which is not a version like 1.2.3")
    }
    let problems =
      finished.problems + services.conflicts(with: finished.services)
      + LinkCheck(links: links).problems(of: finished, wereCompared: known[id] != nil)
    guard problems.isEmpty else { throw RegistrationError(plugin: id, problems: problems) }
    return finished
  }

  /// Notes a plugin as a contributor, once.
  func add(_ plugin: RegisteredPlugin) {
    guard pluginVersions.updateValue(plugin.version, forKey: plugin.id) == nil else { return }
    plugins.append(plugin)
  }

  /// Returns the contributions that a plugin would register, as data, without changing the registry.
  ///
  /// - Throws: ``RegistrationError`` if the contributions have problems.
  package func manifest(of type: any Plugin.Type) throws -> PluginManifest {
    try contributions(of: type).manifest(version: type.version)
  }

  /// Adds the contributions of a plugin, in place of its placeholders.
  func take(_ contributions: PluginContributions) {
    let plugin = contributions.plugin
    if !contributions.tabs.isEmpty {
      tabTable.add(contributions.tabs, replacingPlaceholdersOf: isKnown(plugin) ? plugin : nil)
    }
    for place in contributions.places { places[place.id] = place }
    transitions += contributions.transitions
    if !contributions.guards.isEmpty {
      guards = (guards + contributions.guards).sorted {
        ($0.order, $0.plugin, $0.name) < ($1.order, $1.plugin, $1.name)
      }
    }
    observers += contributions.observers
    services.merge(contributions.services)
    slotTable.add(contributions)
    links.add(contributions.links, of: plugin)
    useTable.declared += contributions.uses
  }

  /// Arranges tabs as the host's configuration says.
  package func arrange(_ placement: Placement) { tabTable.arrange(placement) }

  /// Adds a test's stubs for another plugin.
  func stub(_ plugin: PluginID, _ change: (PluginContributions) -> Void) {
    let contributions = PluginContributions(plugin: plugin)
    change(contributions)
    take(contributions)
  }

  /// Notes why a plugin was left out, to show the reason in its places.
  package func leaveOut(_ plugin: PluginID, because reason: String) { leftOut[plugin] = reason }
  /// Returns whether a plugin was left out.
  package func isLeftOut(_ plugin: PluginID) -> Bool { leftOut[plugin] != nil }

  /// Sets each plugin's section of the app's configuration.
  ///
  /// - Parameter sections: JSON text by the plugin's id.
  package func configure(_ sections: [PluginID: String]) { self.sections.merge(sections) { $1 } }

  /// Returns the contributions of a plugin as lines, such as `tab todos.list` and `place todos.detail`.
  package func contributions(of plugin: PluginID) -> [String] {
    if let manifest = known[plugin]?.manifest { return manifest.lines }
    let tabs = tabTable.registered.filter { $0.plugin == plugin }.map { "tab \($0.id)" }
    let places = places.values.filter { $0.plugin == plugin }.map { "place \($0.id)" }.sorted()
    let links = links.all.filter { $0.plugin == plugin }.map { "link \($0.pattern)" }
    let guards = guards.filter { $0.plugin == plugin }.map { "guard \($0.name)" }
    let observers = observers.filter { $0.plugin == plugin }.map { "observer \($0.name)" }
    let services = services.named.values.filter { $0.plugin == plugin }.map { "service \($0.id)" }.sorted()
    let slots = slotTable.slots.values.filter { $0.plugin == plugin }.map { "slot \($0.id)" }.sorted()
    let given = slotTable.contributions.filter { $0.plugin == plugin }.map {
      "contribution \($0.place) to \($0.slot)"
    }
    return tabs + places + links + guards + observers + services + slots + given.sorted()
  }

  /// Returns the services that the host's sessions with the same folders share.
  func hostServices(_ folders: PluginFolders) -> SessionServices {
    hostServices.services(of: folders.profile) { SessionServices(registry: self, folders: folders, scope: .host) }
  }

  /// Lets go of what the sessions share, as the end of a host would.
  package func endHostServices() { hostServices = HostServices() }

  // MARK: Queries

  /// Returns the registered tab with an id.
  package func tab(_ id: ContributionID) -> Tab? { tabTable.tab(id) }

  /// Returns the reason why a place cannot be shown; nil if it can.
  package func unavailability(of place: ContributionID) -> String? {
    guard places[place] == nil else { return nil }
    let plugin = place.plugin
    if known[plugin]?.has(.place, place) == true {
      return absence(of: plugin).map { "the plugin \(plugin) is not available: \($0)" }
    }
    if pluginVersions[plugin] != nil { return "the plugin \(plugin) does not offer the place \(place)" }
    return unavailability(ofPlugin: plugin)
  }

  /// Returns whether a plugin registered a place, or announced it.
  func isOffered(_ place: ContributionID) -> Bool {
    places[place] != nil || known[place.plugin]?.has(.place, place) == true
  }

  /// Returns the present version of a place's payload, as its plugin registered or announced it.
  func schema(of place: ContributionID) -> Int {
    places[place]?.schema
      ?? known[place.plugin]?.manifest.record(.place, place.rawValue)?[.schema].flatMap { Int($0) } ?? 1
  }

  /// Returns the reason why a plugin is unavailable; nil if it is loaded, or loads when needed.
  package func unavailability(ofPlugin plugin: PluginID) -> String? {
    if known[plugin] != nil { return absence(of: plugin).map { "the plugin \(plugin) is not available: \($0)" } }
    if pluginVersions[plugin] != nil { return nil }
    if let reason = leftOut[plugin] { return "the plugin \(plugin) is not loaded: \(reason)" }
    return "the plugin \(plugin) is not loaded"
  }

  /// Returns why something of a plugin is not available, in words for the user, who does not know plugins.
  func absenceForUsers(of plugin: PluginID) -> String {
    if known[plugin] != nil, absence(of: plugin) != nil {
      return "This needs a feature that does not work at the moment."
    }
    if pluginVersions[plugin] != nil { return "This needs another version of a feature." }
    return "This needs a feature that is not installed."
  }

  /// Returns whether a plugin registered, or was announced.
  func isKnown(_ plugin: PluginID) -> Bool { pluginVersions[plugin] != nil }

  /// The calls outside `register(in:)`, which changed nothing, for the host to report.
  package private(set) var lateCalls: [String] = []
  /// Called with each new one of ``lateCalls``.
  package var onLateCall: (String) -> Void = { _ in }

  private func noteLateCall(_ call: String) {
    lateCalls.append(call)
    onLateCall(call)
  }
}
