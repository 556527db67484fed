/// Where a registry gets the code of plugins that it knows by their manifests: the host.
@MainActor public protocol PluginSource: AnyObject {
  /// Brings a plugin's code into the process and registers it, and before that what it depends on.
  ///
  /// It waits for a moment, in which the person sees no difference; what takes longer goes on by itself.
  ///
  /// - Parameters:
  ///   - plugin: the plugin's id.
  ///   - patience: how long to wait before returning.
  ///   - finished: called once, on the main actor, perhaps before this returns: with nil when the plugin is registered,
  ///     or with the reason why it is not.
  func load(_ plugin: String, patience: Duration, finished: @escaping @MainActor (String?) -> Void)
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

    init(manifest: PluginManifest, standing: Standing) {
      self.manifest = manifest
      self.standing = standing
    }
  }

  /// How long a person is kept waiting before the screen says that a plugin is being loaded.
  static let patience: Duration = .milliseconds(100)
  /// How long code that asks for a service is kept waiting for the plugin that has it.
  static let longPatience: Duration = .seconds(10)

  /// Takes over what a plugin would contribute, with none of its code loaded.
  ///
  /// - Parameters:
  ///   - manifest: what it registered in another process.
  ///   - reason: why it is not to be loaded before the person asks for it again; nil where it may be.
  /// - Throws: ``RegistrationError`` naming both rivals of every conflict.
  public func announce(_ manifest: PluginManifest, absentBecause reason: String? = nil) throws {
    let draft = try standIn(for: manifest)
    let problems = linkRivals(of: draft)
    guard problems.isEmpty else { throw RegistrationError(plugin: manifest.id, problems: problems) }
    known[manifest.id] = Known(manifest: manifest, standing: reason.map { .absent($0) } ?? .announced)
    take(draft)
    add(RegisteredPlugin(id: manifest.id, version: manifest.version))
    if !manifest.guards.isEmpty { noteGuards() }
  }

  /// The manifests of all plugins that were announced, by id.
  public var manifests: [PluginManifest] { known.values.map(\.manifest).sorted { $0.id < $1.id } }

  /// Says that a plugin cannot be had.
  public func setAbsent(_ plugin: String, because reason: String) {
    let load = load(of: plugin)
    known[plugin]?.standing = .absent(reason)
    noteGuards()
    load?.finish()
  }

  /// Whether the plugin's code is here.
  public func isLoaded(_ plugin: String) -> Bool {
    guard let known = known[plugin] else { return plugins.contains { $0.id == plugin } }
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
  func obtain(_ plugin: String, patience: Duration = Registry.patience) throws -> String? {
    guard let standing = known[plugin]?.standing else { return nil }
    switch standing {
    case .loaded: return nil
    case .absent(let reason): return reason
    case .loading(let load) where patience <= Self.patience: throw LoadNeeded(load: load)
    case .loading, .announced: break
    }
    guard let source else { return "nothing can load the plugin \(plugin) here" }
    let load = load(of: plugin) ?? PluginLoad(plugin)
    known[plugin]?.standing = .loading(load)
    source.load(plugin, patience: patience) { [weak self] failure in
      guard let self else { return }
      if let failure {
        known[plugin]?.standing = .absent(failure)
      } else {
        known[plugin]?.standing = .loaded
      }
      noteGuards()
      load.finish()
    }
    if case .absent(let reason)? = known[plugin]?.standing { return reason }
    guard load.isDone else { throw LoadNeeded(load: load) }
    return nil
  }

  /// Sees to it that a plugin's code is here, however long it takes within reason; whoever asks cannot go on without.
  func obtainNow(_ plugin: String) -> String? {
    do {
      return try obtain(plugin, patience: Self.longPatience)
    } catch {
      return "the plugin \(plugin) is still being loaded after \(Self.longPatience)"
    }
  }

  /// Loads a plugin now, as where everything is to be there.
  ///
  /// - Returns: why it cannot be had; nil where it is here.
  @discardableResult public func loadNow(_ plugin: String) -> String? { obtainNow(plugin) }

  /// Makes a plugin that could not be had be tried once more when it is next needed.
  func retry(_ plugin: String) {
    if case .absent? = known[plugin]?.standing { known[plugin]?.standing = .announced }
    noteGuards()
  }

  /// Whether guards of the application are in plugins that are not loaded.
  private func noteGuards() {
    unloadedGuards = known.values.filter {
      guard !$0.manifest.guards.isEmpty else { return false }
      switch $0.standing {
      case .announced, .loading: return true
      case .loaded, .absent: return false
      }
    }.map(\.manifest.id).sorted()
  }

  /// Loads the plugins whose guards are asked before every navigation. One that cannot be had is not asked.
  ///
  /// - Throws: ``LoadNeeded``.
  func obtainGuards() throws {
    for plugin in unloadedGuards { _ = try obtain(plugin) }
  }

  /// Why a plugin is absent; nil where it is here, could be, or is not known.
  func absence(of plugin: String) -> String? {
    if case .absent(let reason)? = known[plugin]?.standing { reason } else { nil }
  }

  /// The plugin that would register a service of a type, by the type's full name.
  func announcer(ofService type: String) -> String? {
    known.values.first { known in
      guard known.manifest.typedServices.contains(type) else { return false }
      if case .loaded = known.standing { return false }
      return true
    }?.manifest.id
  }

  /// What makes the flow of a tab, once its plugin is here.
  func maker(ofTab id: String) -> (@MainActor (PluginContext) throws -> any Coordinator)? {
    tabs.first { $0.id == id }?.make
  }

  /// What stands for a plugin's contributions until its code is here.
  private func standIn(for manifest: PluginManifest) throws -> Draft {
    let plugin = manifest.id
    let draft = Draft(plugin: plugin)
    func absent() -> NavigationError {
      NavigationError(.makingFailed, "The plugin \(plugin) is not loaded, and should have been.")
    }
    draft.tabs = manifest.tabs.map { tab in
      Tab(
        id: tab.id, plugin: plugin, title: tab.title, symbol: tab.symbol, order: tab.order, group: tab.group,
        isShown: tab.isShown, guards: [], routes: nil, make: { _ in throw absent() }, isStandIn: true)
    }
    for link in manifest.links {
      var registration = LinkRegistration(
        pattern: try LinkPattern(link.pattern), plugin: plugin, payload: link.payload, plan: { _ in throw absent() },
        values: { _ in nil }, home: LinkHome(nil))
      registration.isStandIn = true
      draft.links.append(registration)
    }
    draft.contributions = manifest.contributions.map {
      SlotContribution(
        slot: $0.slot, place: $0.place, plugin: plugin, order: $0.order, value: Unloaded(), type: $0.type,
        encoded: $0.encoded)
    }
    return draft
  }
}

/// Stands for a value whose type is in code that is not here.
private struct Unloaded: Sendable {}
