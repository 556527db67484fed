@_spi(FrontEnd) import GangwayProtocol

/// The source of the code of plugins that a registry knows by their manifests; implemented by the host.
@MainActor package protocol PluginSource: AnyObject {
  /// Loads a plugin's code into the process and registers the plugin, after its dependencies.
  ///
  /// This returns at once, or within less than a frame; longer work continues in the background.
  ///
  /// - Parameters:
  ///   - plugin: the plugin's id.
  ///   - finished: called once, on the main actor, perhaps before this returns: with nil if the plugin is registered,
  ///     or with the reason why it is not.
  func load(_ plugin: PluginID, finished: @escaping @MainActor (String?) -> Void)
}

/// A plugin that is being loaded.
@MainActor final class PluginLoad {
  let plugin: PluginID
  private(set) var isDone = false
  private var waiters: [CheckedContinuation<Void, Never>] = []

  init(_ plugin: PluginID) { self.plugin = plugin }

  /// Waits until loading has ended, with or without success.
  func wait() async {
    guard !isDone else { return }
    await withCheckedContinuation { waiters.append($0) }
  }

  func finish() {
    isDone = true
    for waiter in waiters { waiter.resume() }
    waiters = []
  }
}

/// The error of a change that needs a plugin which is still loading.
///
/// The change is undone, and tried again after loading.
struct LoadNeeded: Error {
  let load: PluginLoad
}

/// The load state of a plugin.
enum LoadState {
  /// The manifest is known, and the code is not loaded.
  case announced
  case loading(PluginLoad)
  case loaded
  /// The code runs in another host, which shows the plugin's tabs and places: see ``FlowHost``.
  case elsewhere
  /// The plugin cannot or must not load; its places show the reason.
  case absent(String)
}

/// Plugins that are known by their manifests, and loaded when first needed.
extension Registry {
  @MainActor final class Known {
    let manifest: PluginManifest
    var loadState: LoadState
    /// Whether the plugin may arrive while the app runs.
    ///
    /// Its tabs show progress, without Try again.
    let isExpected: Bool
    /// Whether the plugin has guards of the application.
    let hasGuards: Bool
    /// Whether the plugin declares uses of other plugins.
    let hasUses: Bool
    /// Whether the plugin receives commits.
    let hasObservers: Bool
    private lazy var ids: [ContributionRecord.Kind: Set<String>] = manifest.records.reduce(into: [:]) {
      $0[$1.kind, default: []].insert($1.id)
    }

    init(manifest: PluginManifest, loadState: LoadState, isExpected: Bool = false) {
      self.manifest = manifest
      self.loadState = loadState
      self.isExpected = isExpected
      let kinds = Set(manifest.records.lazy.map(\.kind))
      hasGuards = kinds.contains(.guard)
      hasUses = kinds.contains(.use)
      hasObservers = kinds.contains(.observer)
    }

    /// Returns whether the manifest has a contribution of a kind under an id.
    func has(_ kind: ContributionRecord.Kind, _ id: ContributionID) -> Bool { ids[kind]?.contains(id.rawValue) == true }

    /// Whether the code could still arrive.
    var isAwaited: Bool {
      switch loadState {
      case .announced, .loading: true
      case .loaded, .elsewhere, .absent: false
      }
    }
  }

  /// Registers the contributions of a plugin without loading its code.
  ///
  /// The host has already looked for rivals. If there is one all the same, the first plugin keeps its contributions.
  ///
  /// - Parameters:
  ///   - manifest: the contributions that the plugin registered in another process.
  ///   - reason: the reason not to load the plugin until the user retries; nil if it may load.
  ///   - isExpected: whether the plugin arrives later on its own. Its places show the reason as progress.
  ///   - runsElsewhere: whether another host runs the plugin, so that this host never loads its code.
  package func announce(
    _ manifest: PluginManifest, absentBecause reason: String? = nil, isExpected: Bool = false,
    runsElsewhere: Bool = false
  ) {
    links.announce(
      manifest.records.lazy.filter { $0.kind == .link }.map {
        LinkAnnouncement(
          pattern: $0.id, plugin: manifest.id, payload: $0.type, tab: $0[.tab].map { ContributionID($0) })
      }, of: manifest.id)
    let known = Known(
      manifest: manifest, loadState: reason.map { .absent($0) } ?? (runsElsewhere ? .elsewhere : .announced),
      isExpected: isExpected)
    take(Placeholder.contributions(of: manifest))
    self.known[manifest.id] = known
    add(RegisteredPlugin(id: manifest.id, version: manifest.version))
    noteGuards(of: known)
  }

  /// The manifests of all announced plugins, ordered by id.
  package var manifests: [PluginManifest] { known.values.map(\.manifest).sorted { $0.id < $1.id } }

  /// Marks a plugin as unavailable.
  package func setAbsent(_ plugin: PluginID, because reason: String) {
    let load = load(of: plugin)
    setLoadState(plugin, .absent(reason))
    load?.finish()
  }

  /// Returns whether the plugin's code is loaded.
  package func isLoaded(_ plugin: PluginID) -> Bool {
    guard let known = known[plugin] else { return isKnown(plugin) }
    if case .loaded = known.loadState { return true }
    return false
  }

  /// Returns whether another host runs the plugin.
  func runsElsewhere(_ plugin: PluginID) -> Bool {
    if case .elsewhere? = known[plugin]?.loadState { true } else { false }
  }

  private func load(of plugin: PluginID) -> PluginLoad? {
    if case .loading(let load)? = known[plugin]?.loadState { load } else { nil }
  }

  /// Starts loading a plugin unless its code is loaded.
  ///
  /// - Returns: the reason why the plugin cannot load; nil if it is loaded, or if it was never announced.
  /// - Throws: ``LoadNeeded`` while the plugin is loading.
  func obtain(_ plugin: PluginID) throws -> String? {
    guard let loadState = known[plugin]?.loadState else { return nil }
    switch loadState {
    case .loaded: return nil
    case .elsewhere: return "it runs in a host of its own"
    case .absent(let reason): return reason
    case .loading(let load): throw LoadNeeded(load: load)
    case .announced: break
    }
    guard let source else { return "this process cannot load the plugin \(plugin)" }
    let load = PluginLoad(plugin)
    known[plugin]?.loadState = .loading(load)
    source.load(plugin) { [weak self] failure in
      guard let self else { return }
      setLoadState(plugin, failure.map { .absent($0) } ?? .loaded)
      load.finish()
    }
    if case .absent(let reason)? = known[plugin]?.loadState { return reason }
    guard load.isDone else { throw LoadNeeded(load: load) }
    return nil
  }

  /// Starts to load a plugin that is likely to be needed, in the background.
  func preload(_ plugin: PluginID) {
    guard let known = known[plugin], known.isAwaited else { return }
    Task { await load(plugin) }
  }

  /// Loads a plugin and waits until loading has ended.
  ///
  /// - Returns: the reason why the plugin cannot load; nil if it is loaded.
  @discardableResult package func load(_ plugin: PluginID) async -> String? {
    while true {
      do {
        return try obtain(plugin)
      } catch let need as LoadNeeded {
        await need.load.wait()
      } catch {
        return "\(error)"
      }
    }
  }

  /// Lets a plugin that could not load be tried again when it is next needed.
  func retry(_ plugin: PluginID) {
    if case .absent? = known[plugin]?.loadState { setLoadState(plugin, .announced) }
  }

  /// Notes the load state of a plugin.
  private func setLoadState(_ plugin: PluginID, _ loadState: LoadState) {
    guard let known = known[plugin] else { return }
    known.loadState = loadState
    arrivals += 1
    noteGuards(of: known)
  }

  /// Notes whether a plugin with guards of the application still has to load.
  private func noteGuards(of known: Known) {
    guard known.hasGuards else { return }
    if known.isAwaited { unloadedGuards.insert(known.manifest.id) } else { unloadedGuards.remove(known.manifest.id) }
  }

  /// Loads the plugins whose guards run before every navigation.
  ///
  /// Guards of a plugin that cannot load do not run.
  ///
  /// - Throws: ``LoadNeeded``.
  func obtainGuards() throws {
    for plugin in unloadedGuards.sorted() { _ = try obtain(plugin) }
  }

  /// The plugins that have observers and could still load.
  var unloadedObservers: [PluginID] {
    known.values.filter { $0.hasObservers && $0.isAwaited }.map(\.manifest.id).sorted()
  }

  /// Returns whether a tab of a plugin that is not loaded yet has guards, as its manifest says.
  func hasGuards(_ tab: ContributionID) -> Bool {
    guard let known = known[tab.plugin], known.isAwaited else { return false }
    return known.manifest.records.contains { $0.kind == .tab && $0.id == tab.rawValue && $0[.guards] != nil }
  }

  /// Returns the reason why a plugin is unavailable; nil if it is loaded, could load, or is not known.
  func absence(of plugin: PluginID) -> String? {
    if case .absent(let reason)? = known[plugin]?.loadState { reason } else { nil }
  }

  /// Returns whether a plugin arrives while the app runs.
  func isExpected(_ plugin: PluginID) -> Bool { known[plugin]?.isExpected == true && absence(of: plugin) != nil }

  /// Returns the plugin that would register a service of a type, by the type's full name.
  func announcer(ofService type: String) -> PluginID? {
    known.values.first { known in
      guard known.has(.service, ContributionID(type)) else { return false }
      if case .loaded = known.loadState { return false }
      return true
    }?.manifest.id
  }
}

/// Placeholders for a plugin's contributions until its code is loaded.
@MainActor enum Placeholder {
  /// Creates the contributions that must exist before the code: tabs, and the contents of slots.
  ///
  /// Links have their own placeholders, see ``Links/announce(_:)``. The manifest has the rest.
  static func contributions(of manifest: PluginManifest) -> PluginContributions {
    let plugin = manifest.id
    let contributions = PluginContributions(plugin: plugin)
    for record in manifest.records {
      switch record.kind {
      case .tab:
        contributions.tabs.append(
          Registry.Tab(
            id: ContributionID(record.id), plugin: plugin, title: record[.title] ?? record.id, symbol: record[.symbol],
            order: record.order, group: record[.group], isShown: record[.isHidden] == nil, guards: { _ in [] },
            preload: record[.preload].map { _ in .badge }, routes: nil,
            make: { _ in throw NavigationError(.notLoaded(plugin: plugin)) },
            isStandIn: true))
      case .contribution:
        contributions.contributions.append(
          SlotContribution(
            slot: ContributionID(record[.slot] ?? ""), place: ContributionID(record.id), plugin: plugin,
            order: record.order, value: Unloaded(), type: record.type, encoded: record[.json] ?? "null"))
      default: break
      }
    }
    return contributions
  }

  /// A placeholder for a value whose type is in code that is not loaded.
  private struct Unloaded: Sendable {}
}
