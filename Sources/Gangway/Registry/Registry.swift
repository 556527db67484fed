import Observation

/// The central table of what plugins contribute. One per host.
///
/// It is read by everybody and changed by the host alone, as a whole, when a plugin is registered, announced or set aside.
@MainActor public final class Registry {
  /// A tab that a plugin registered.
  @MainActor public struct Tab: Identifiable {
    /// `plugin.name`.
    public nonisolated let id: ContributionID
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
    let guards: @MainActor (PluginContext) -> [NavigationGuard]
    /// What stands on it now; nil where that does not change.
    var label: (@MainActor (PluginContext) -> TabLabel)?
    /// The type of the routes of its stack; nil where it holds no stack.
    let routes: ObjectIdentifier?
    let make: @MainActor (PluginContext) throws -> any Coordinator
    /// Whether it stands for one whose plugin is not loaded.
    var isStandIn = false

    /// The tab's flow, to be shown by a root of the application's own.
    public func destination<Owner: Coordinator>() -> DestinationOf<Owner> { DestinationOf(.push, .registered(id)) }
  }

  /// A plugin that registered without an objection.
  public struct RegisteredPlugin: Hashable, Sendable {
    /// The plugin's id.
    public let id: String
    /// The plugin's version.
    public let version: String
  }

  /// The registered tabs, in their order, those that start off the bar too.
  ///
  /// Under observation tracking, a change is told.
  public var tabs: [Tab] {
    _ = tabChanges.count
    return arrangement.tabs
  }
  /// The plugins that contribute, in the order in which they were registered or announced; not all of them are loaded.
  public private(set) var plugins: [RegisteredPlugin] = []
  /// What the links of the plugins lead to.
  public let links = Links()
  /// How the host's configuration places what plugins contribute.
  public private(set) var placement = Placement()

  private let tabChanges = TabChanges()
  private(set) var places: [ContributionID: PlaceRegistration] = [:]
  // Read with every navigation, and not checked for overlapping access: see ``Node``.
  @exclusivity(unchecked) private(set) var guards: [GuardRegistration] = []
  /// How changes are shown.
  private(set) var transitions: [TransitionRule] = []
  private(set) var observers: [ObserverRegistration] = []
  private(set) var services = ServiceTable()
  private(set) var slots: [ContributionID: SlotRegistration] = [:]
  private(set) var slotContents: [ContributionID: SlotContents] = [:]
  private(set) var uses: [Use] = []
  private var pluginVersions: [String: String] = [:]
  private var registeredTabs: [Tab] = []
  /// The tabs in their order, and where each stands; nil when they are to be sorted again. Hundreds of plugins are
  /// announced one after the other, and sorted once.
  private var arranged: (tabs: [Tab], index: [ContributionID: Int])?
  private var leftOut: [String: String] = [:]
  /// Services of the host's scope, where there is one person alone.
  private var hostServices: SessionServices?
  /// Those of several people, by their profiles, for as long as a session of theirs has them.
  private var hostServicesOfProfiles: [String: WeakServices] = [:]
  private var isRegistering = false

  // What the rest of this room changes, for plugins that are announced and loaded later.
  /// Plugins that were announced, by id.
  var known: [String: Known] = [:]
  /// Those of them that have guards of the application and are not loaded.
  @exclusivity(unchecked) var unloadedGuards: Set<String> = []
  /// How many announced plugins were loaded, or could not be had.
  var arrivals = 0
  /// Where the code of announced plugins comes from.
  package weak var source: (any PluginSource)?

  /// Makes an empty registry.
  public init() {}

  /// Makes a registry of plugins that are linked into the process, as an application without libraries or a benchmark
  /// does.
  ///
  /// - Throws: ``RegistrationError`` if one registers what does not fit together.
  public convenience init(plugins: [any Plugin.Type], placement: Placement = Placement()) throws {
    self.init()
    for plugin in plugins { try register(plugin) }
    arrange(placement)
  }

  // MARK: What a host calls

  /// Registers a plugin: all it contributes, or nothing.
  ///
  /// - Throws: ``RegistrationError`` naming both rivals of every conflict; ``ContributionsChanged`` where the plugin was
  ///   announced with other contributions; or what `register(in:)` throws.
  package func register(_ type: any Plugin.Type) throws {
    let finished = try contributions(of: type)
    if let announced = known[type.id]?.manifest {
      let manifest = finished.manifest(version: type.version)
      guard announced == manifest else {
        throw ContributionsChanged(plugin: type.id, differences: announced.differences(from: manifest))
      }
    }
    add(RegisteredPlugin(id: type.id, version: type.version))
    known[type.id]?.standing = .loaded
    take(finished)
  }

  /// Runs `register(in:)` and checks what it says; nothing is taken over.
  private func contributions(of type: any Plugin.Type) throws -> PluginContributions {
    let id = type.id
    guard ContributionID.isName(id) else {
      throw RegistrationError(plugin: id, problems: ["has the id '\(id)', which is not of the form [a-z][a-z0-9-]*"])
    }
    if isLoaded(id), let rival = pluginVersions[id] {
      throw RegistrationError(
        plugin: id, problems: ["has the id of a plugin that is registered already, in version \(rival)"])
    }
    guard !isRegistering else {
      throw RegistrationError(plugin: id, problems: ["comes while another plugin is being registered"])
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
      finished.problems.append("has the version '\(type.version)', which is not of the form 1.2.3")
    }
    let problems =
      finished.problems + services.conflicts(with: finished.services)
      + LinkCheck(links: links).problems(of: finished, wereCompared: known[id] != nil)
    guard problems.isEmpty else { throw RegistrationError(plugin: id, problems: problems) }
    return finished
  }

  /// Notes that a plugin contributes, once.
  func add(_ plugin: RegisteredPlugin) {
    guard pluginVersions.updateValue(plugin.version, forKey: plugin.id) == nil else { return }
    plugins.append(plugin)
  }

  /// What a plugin would register, as data; the registry stays as it is.
  ///
  /// - Throws: ``RegistrationError`` if it registers what does not fit together.
  public func manifest(of type: any Plugin.Type) throws -> PluginManifest {
    try contributions(of: type).manifest(version: type.version)
  }

  /// Takes over what a plugin contributes, in the place of what stood for it.
  func take(_ contributions: PluginContributions) {
    if !contributions.tabs.isEmpty {
      if isKnown(contributions.plugin) {
        registeredTabs.removeAll { $0.isStandIn && $0.plugin == contributions.plugin }
      }
      registeredTabs += contributions.tabs
      arranged = nil
      // The bars follow: a plugin that has just been loaded says what stands on its tabs.
      tabChanges.count += 1
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
    for slot in contributions.slots { slots[slot.id] = slot }
    for contribution in contributions.contributions {
      slotContents[contribution.slot, default: .init()].add(contribution)
    }
    links.add(contributions.links, of: contributions.plugin)
    uses += contributions.uses
  }

  /// Counts the changes of the tabs, for those who observe them.
  @Observable @MainActor final class TabChanges {
    var count = 0
  }

  private var arrangement: (tabs: [Tab], index: [ContributionID: Int]) {
    if let arranged { return arranged }
    let tabs = placement.arrange(registeredTabs)
    let index = Dictionary(tabs.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
    arranged = (tabs, index)
    return (tabs, index)
  }

  /// Places tabs as the application's owner wants them.
  package func arrange(_ placement: Placement) {
    guard placement != self.placement else { return }
    self.placement = placement
    arranged = nil
  }

  /// Takes over what a test puts in the place of other plugins.
  func stub(_ plugin: String, _ change: (PluginContributions) -> Void) {
    let contributions = PluginContributions(plugin: plugin)
    change(contributions)
    take(contributions)
  }

  /// Notes why a plugin is not there, to be told where it would be.
  package func leaveOut(_ plugin: String, because reason: String) { leftOut[plugin] = reason }

  /// What a plugin contributes, as `tab todos.list` and `place todos.detail`.
  public func contributions(of plugin: String) -> [String] {
    if let manifest = known[plugin]?.manifest { return manifest.lines }
    let tabs = registeredTabs.filter { $0.plugin == plugin }.map { "tab \($0.id)" }
    let places = places.values.filter { $0.plugin == plugin }.map { "place \($0.id)" }.sorted()
    let links = links.all.filter { $0.plugin == plugin }.map { "link \($0.pattern)" }
    let guards = guards.filter { $0.plugin == plugin }.map { "guard \($0.name)" }
    let observers = observers.filter { $0.plugin == plugin }.map { "observer \($0.name)" }
    let services = services.named.values.filter { $0.plugin == plugin }.map { "service \($0.id)" }.sorted()
    let slots = slots.values.filter { $0.plugin == plugin }.map { "slot \($0.id)" }.sorted()
    let given = slotContents.values.flatMap(\.all).filter { $0.plugin == plugin }.map {
      "contribution \($0.place) to \($0.slot)"
    }
    return tabs + places + links + guards + observers + services + slots + given.sorted()
  }

  /// The services that the sessions of the host share which have the same folders. Those of a profile, of which a host may see
  /// thousands, are the sessions' to keep.
  func hostServices(_ folders: PluginFolders) -> SessionServices {
    guard let profile = folders.profile else {
      let shared = hostServices ?? SessionServices(registry: self, folders: folders, scope: .host)
      hostServices = shared
      return shared
    }
    if let shared = hostServicesOfProfiles[profile]?.services { return shared }
    // What is left of those that went is swept before there is as much again.
    if hostServicesOfProfiles.count == hostServicesOfProfiles.capacity {
      hostServicesOfProfiles = hostServicesOfProfiles.filter { $0.value.services != nil }
    }
    let shared = SessionServices(registry: self, folders: folders, scope: .host)
    hostServicesOfProfiles[profile] = WeakServices(services: shared)
    return shared
  }

  private struct WeakServices { weak var services: SessionServices? }

  // MARK: What navigation asks

  /// The registered tab of an id.
  public func tab(_ id: ContributionID) -> Tab? {
    let arrangement = arrangement
    return arrangement.index[id].map { arrangement.tabs[$0] }
  }

  /// What was contributed to a slot, in order.
  func contents(of slot: ContributionID) -> [SlotContribution] { slotContents[slot]?.sorted() ?? [] }

  /// Why a place cannot be shown; nil when it can.
  public func unavailability(of place: ContributionID) -> String? {
    guard places[place] == nil else { return nil }
    let plugin = place.plugin
    if known[plugin]?.has(.place, place) == true {
      return absence(of: plugin).map { "the plugin \(plugin) is not there: \($0)" }
    }
    if pluginVersions[plugin] != nil { return "the plugin \(plugin) offers no place \(place)" }
    return unavailability(ofPlugin: plugin)
  }

  /// Whether a plugin registered a place, or would.
  func isOffered(_ place: ContributionID) -> Bool {
    places[place] != nil || known[place.plugin]?.has(.place, place) == true
  }

  /// The version that a place's payload is encoded in now, as its plugin registered or announced it.
  func schema(of place: ContributionID) -> Int {
    places[place]?.schema
      ?? known[place.plugin]?.manifest.record(.place, place.rawValue)?[.schema].flatMap { Int($0) } ?? 1
  }

  /// Why a plugin is not there; nil when it is, or is loaded when it is needed.
  public func unavailability(ofPlugin plugin: String) -> String? {
    if known[plugin] != nil { return absence(of: plugin).map { "the plugin \(plugin) is not there: \($0)" } }
    if pluginVersions[plugin] != nil { return nil }
    if let reason = leftOut[plugin] { return "the plugin \(plugin) was left out: \(reason)" }
    return "the plugin \(plugin) is not loaded"
  }

  /// Whether a plugin registered, or was announced.
  func isKnown(_ plugin: String) -> Bool { pluginVersions[plugin] != nil }

  /// Calls outside `register(in:)` that changed nothing, for the host to report.
  public private(set) var lateCalls: [String] = []
  /// Called with each of ``lateCalls`` as it comes.
  package var onLateCall: (String) -> Void = { _ in }

  private func noteLateCall(_ call: String) {
    lateCalls.append(call)
    onLateCall(call)
  }
}
