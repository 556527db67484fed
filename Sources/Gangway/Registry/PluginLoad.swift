/// Where a registry gets the code of plugins that it knows by their manifests: the host.
@MainActor public protocol PluginSource: AnyObject {
  /// Brings a plugin's code into the process and registers it, and before that what it depends on.
  ///
  /// It returns at once, or after a moment shorter than a frame; what takes longer goes on by itself.
  ///
  /// - Parameters:
  ///   - plugin: the plugin's id.
  ///   - finished: called once, on the main actor, perhaps before this returns: with nil when the plugin is registered,
  ///     or with the reason why it is not.
  func load(_ plugin: String, finished: @escaping @MainActor (String?) -> Void)
}

/// A plugin that is being loaded.
@MainActor final class PluginLoad {
  let plugin: String
  private(set) var isDone = false
  private var waiters: [CheckedContinuation<Void, Never>] = []

  init(_ plugin: String) { self.plugin = plugin }

  /// Waits for its end, whatever that is.
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

/// What is thrown out of a change of the tree that needs a plugin which is still being loaded: the change is undone, and
/// done again when it is there.
struct LoadNeeded: Error {
  let load: PluginLoad
}

/// How far a plugin has come.
enum Standing {
  /// It is known by its manifest, and its code is not here.
  case announced
  case loading(PluginLoad)
  case loaded
  /// It cannot be loaded, or is not to be: the reason stands in its places.
  case absent(String)
}

/// Plugins that are known by their manifests, and loaded when they are first needed.
extension Registry {
  @MainActor final class Known {
    let manifest: PluginManifest
    var standing: Standing
    /// Whether the plugin may arrive while the app runs. Its tabs show progress, without Try again.
    let isExpected: Bool
    /// Whether it has guards of the application.
    let hasGuards: Bool
    /// Whether it says that it uses something of others.
    let hasUses: Bool
    /// Whether it is told of commits.
    let hasObservers: Bool
    private lazy var ids: [ContributionRecord.Kind: Set<String>] = manifest.records.reduce(into: [:]) {
      $0[$1.kind, default: []].insert($1.id)
    }

    init(manifest: PluginManifest, standing: Standing, isExpected: Bool = false) {
      self.manifest = manifest
      self.standing = standing
      self.isExpected = isExpected
      let kinds = Set(manifest.records.lazy.map(\.kind))
      hasGuards = kinds.contains(.guard)
      hasUses = kinds.contains(.use)
      hasObservers = kinds.contains(.observer)
    }

    /// Whether it says that it contributes something of a kind under an id.
    func has(_ kind: ContributionRecord.Kind, _ id: ContributionID) -> Bool { ids[kind]?.contains(id.rawValue) == true }

    /// Whether its code could still come.
    var isAwaited: Bool {
      switch standing {
      case .announced, .loading: true
      case .loaded, .absent: false
      }
    }
  }

  /// Takes over what a plugin would contribute, with none of its code loaded. Whether it has rivals was found out when it
  /// was decided what goes together; should it have some all the same, the plugin that was there first keeps what it has.
  ///
  /// - Parameters:
  ///   - manifest: what it registered in another process.
  ///   - reason: why it is not to be loaded before the person asks for it again; nil where it may be.
  ///   - isExpected: whether it comes later by itself: its places show the reason as something in progress.
  package func announce(_ manifest: PluginManifest, absentBecause reason: String? = nil, isExpected: Bool = false) {
    links.announce(
      manifest.records.lazy.filter { $0.kind == .link }.map { ($0.id, $0.type) }, of: manifest.id)
    let known = Known(
      manifest: manifest, standing: reason.map { .absent($0) } ?? .announced, isExpected: isExpected)
    take(StandIn.contributions(of: manifest))
    self.known[manifest.id] = known
    add(RegisteredPlugin(id: manifest.id, version: manifest.version))
    noteGuards(of: known)
  }

  /// The manifests of all plugins that were announced, by id.
  public var manifests: [PluginManifest] { known.values.map(\.manifest).sorted { $0.id < $1.id } }

  /// Says that a plugin cannot be had.
  package func setAbsent(_ plugin: String, because reason: String) {
    let load = load(of: plugin)
    stand(plugin, .absent(reason))
    load?.finish()
  }

  /// Whether the plugin's code is here.
  public func isLoaded(_ plugin: String) -> Bool {
    guard let known = known[plugin] else { return isKnown(plugin) }
    if case .loaded = known.standing { return true }
    return false
  }

  private func load(of plugin: String) -> PluginLoad? {
    if case .loading(let load)? = known[plugin]?.standing { load } else { nil }
  }

  /// Sees to it that a plugin's code is here.
  ///
  /// - Returns: why it cannot be had; nil where it is here, or nobody announced it.
  /// - Throws: ``LoadNeeded`` while it is being loaded.
  func obtain(_ plugin: String) throws -> String? {
    guard let standing = known[plugin]?.standing else { return nil }
    switch standing {
    case .loaded: return nil
    case .absent(let reason): return reason
    case .loading(let load): throw LoadNeeded(load: load)
    case .announced: break
    }
    guard let source else { return "nothing can load the plugin \(plugin) here" }
    let load = PluginLoad(plugin)
    known[plugin]?.standing = .loading(load)
    source.load(plugin) { [weak self] failure in
      guard let self else { return }
      stand(plugin, failure.map { .absent($0) } ?? .loaded)
      load.finish()
    }
    if case .absent(let reason)? = known[plugin]?.standing { return reason }
    guard load.isDone else { throw LoadNeeded(load: load) }
    return nil
  }

  /// Begins to load a plugin that is likely to be needed; nobody waits for it.
  func preload(_ plugin: String) {
    guard let known = known[plugin], known.isAwaited else { return }
    Task { await load(plugin) }
  }

  /// Loads a plugin and waits until it is here.
  ///
  /// - Returns: why it cannot be had; nil where it is here.
  @discardableResult package func load(_ plugin: String) async -> String? {
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

  /// Makes a plugin that could not be had be tried once more when it is next needed.
  func retry(_ plugin: String) {
    if case .absent? = known[plugin]?.standing { stand(plugin, .announced) }
  }

  /// Notes how far a plugin has come.
  private func stand(_ plugin: String, _ standing: Standing) {
    guard let known = known[plugin] else { return }
    known.standing = standing
    arrivals += 1
    noteGuards(of: known)
  }

  /// Notes whether a plugin has guards of the application and is not loaded.
  private func noteGuards(of known: Known) {
    guard known.hasGuards else { return }
    if known.isAwaited { unloadedGuards.insert(known.manifest.id) } else { unloadedGuards.remove(known.manifest.id) }
  }

  /// Loads the plugins whose guards are asked before every navigation. One that cannot be had is not asked.
  ///
  /// - Throws: ``LoadNeeded``.
  func obtainGuards() throws {
    for plugin in unloadedGuards.sorted() { _ = try obtain(plugin) }
  }

  /// Plugins that have observers and could still be loaded.
  var unloadedObservers: [String] {
    known.values.filter { $0.hasObservers && $0.isAwaited }.map(\.manifest.id).sorted()
  }

  /// Whether a tab has guards, as its plugin says or, before that is loaded, said in another process.
  func hasGuards(_ tab: ContributionID) -> Bool {
    guard let known = known[tab.plugin], known.isAwaited else { return false }
    return known.manifest.records.contains { $0.kind == .tab && $0.id == tab.rawValue && $0[.guards] != nil }
  }

  /// Why a plugin is absent; nil where it is here, could be, or is not known.
  func absence(of plugin: String) -> String? {
    if case .absent(let reason)? = known[plugin]?.standing { reason } else { nil }
  }

  /// Whether a plugin is to come while the app runs.
  func isExpected(_ plugin: String) -> Bool { known[plugin]?.isExpected == true && absence(of: plugin) != nil }

  /// The plugin that would register a service of a type, by the type's full name.
  func announcer(ofService type: String) -> String? {
    known.values.first { known in
      guard known.has(.service, ContributionID(type)) else { return false }
      if case .loaded = known.standing { return false }
      return true
    }?.manifest.id
  }
}

/// What stands for a plugin's contributions until its code is here.
@MainActor enum StandIn {
  /// Makes what must be there before the code is: tabs, and what slots show. Links stand for themselves, see
  /// ``Links/announce(_:)``; the rest is found in the manifest.
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
            routes: nil, make: { _ in throw NavigationError(.notLoaded(plugin: plugin)) },
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

  /// Stands for a value whose type is in code that is not here.
  private struct Unloaded: Sendable {}
}
