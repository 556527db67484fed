@_spi(FrontEnd) import GangwayProtocol

/// The services of one session, or of the host, each created once.
@MainActor final class SessionServices {
  /// The registry to look up services in; nil if a host's services are used after the host has ended.
  var registry: Registry? { keptRegistry ?? seenRegistry }
  // The registry keeps a host's own services, so they must not keep the registry.
  private let keptRegistry: Registry?
  private weak var seenRegistry: Registry?
  /// The host's services that this session uses, and keeps alive.
  private var hostServices: SessionServices?
  /// Returns the newest coordinator of a type that is still shown; nil for the host's own services.
  var newestCoordinator: (ObjectIdentifier) -> (any Coordinator)? = { _ in nil }
  /// The signed-in user of the session; nil if nobody has signed in, and for the host's own services.
  var user: User?
  /// Whether the request for a service is part of a navigation, which waits for a plugin and then runs again.
  private var isInNavigation = false
  private let folders: PluginFolders
  private let scope: ServiceScope
  private var typed: [ObjectIdentifier: AnyObject] = [:]
  private var named: [ContributionID: AnyObject] = [:]
  private var contexts: [PluginID: PluginContext] = [:]

  init(registry: Registry, folders: PluginFolders, scope: ServiceScope = .session) {
    keptRegistry = scope == .host ? nil : registry
    seenRegistry = registry
    self.folders = folders
    self.scope = scope
  }

  func context(for plugin: PluginID) -> PluginContext {
    if let context = contexts[plugin] { return context }
    let context = PluginContext(plugin: plugin, folders: folders, session: self)
    contexts[plugin] = context
    return context
  }

  /// Writes a line to the host's log.
  func log(_ line: String) { folders.log(line) }

  /// Runs an author's builder as part of a navigation.
  func inNavigation<Made>(_ make: () throws -> Made) rethrows -> Made {
    let outer = isInNavigation
    isInNavigation = true
    defer { isInNavigation = outer }
    return try make()
  }

  /// Returns a service by its type, now.
  ///
  /// - Throws: ``LoadNeeded`` within a navigation; elsewhere an error that says how to wait.
  func service<Service: AnyObject>(_ type: Service.Type, for context: PluginContext) throws -> Service {
    do {
      return try find(type, for: context)
    } catch let need as LoadNeeded where !isInNavigation {
      throw NavigationError(.serviceIsLoading(service: TypeName.of(type), plugin: need.load.plugin))
    }
  }

  /// Returns a service by its type, once its plugin is loaded.
  func service<Service: AnyObject>(_ type: Service.Type, for context: PluginContext) async throws -> Service {
    while true {
      do {
        return try find(type, for: context)
      } catch let need as LoadNeeded {
        await need.load.wait()
      }
    }
  }

  private func find<Service: AnyObject>(_ type: Service.Type, for context: PluginContext) throws -> Service {
    let registry = try current(for: context.plugin)
    let key = ObjectIdentifier(type)
    var absence: String?
    if registry.services.typed[key] == nil, let plugin = registry.announcer(ofService: TypeName.full(type)) {
      absence = try registry.obtain(plugin)
    }
    guard let registration = registry.services.typed[key] else {
      if let own = registry.services.named(key, of: context.plugin), let service = try instance(of: own) as? Service {
        return service
      }
      if let absence {
        throw NavigationError(
          .serviceUnavailable(service: TypeName.of(type), asker: context.plugin, reason: absence))
      }
      throw NavigationError(.unknownService(service: TypeName.of(type), asker: context.plugin))
    }
    let home = try home(of: registration.scope, registration.name, for: context.plugin)
    let made = try home.typed[key] ?? registration.make(home.context(for: registration.plugin))
    home.typed[key] = made
    guard let service = made as? Service else {
      throw NavigationError(.serviceOfOtherType(service: TypeName.of(type), found: "\(Swift.type(of: made))"))
    }
    return service
  }

  /// Returns a handle of a service by its id, to call later.
  ///
  /// - Throws: `noService` if no plugin has the service.
  func handle(_ id: ContributionID, for caller: PluginID) throws -> ServiceHandle {
    let registry = try current(for: caller)
    if let reason = registry.unavailability(ofService: id) {
      throw NavigationError(.serviceUnavailable(service: id.rawValue, asker: caller, reason: reason))
    }
    return ServiceHandle(id: id, caller: caller, services: self)
  }

  /// Returns the registration under an id, once its plugin is loaded.
  func registration(_ id: ContributionID, for caller: PluginID) async throws -> ServiceTable.Named {
    let registry = try current(for: caller)
    if let known = registry.services.named[id] { return known }
    let absence = await registry.load(id.plugin)
    if let known = registry.services.named[id] { return known }
    throw NavigationError(
      .serviceUnavailable(
        service: id.rawValue, asker: caller,
        reason: absence ?? registry.unavailability(ofService: id) ?? "it is not available"))
  }

  func instance(of registration: ServiceTable.Named) throws -> AnyObject {
    let home = try home(of: registration.scope, registration.id.rawValue, for: registration.plugin)
    let made = try home.named[registration.id] ?? registration.make(home.context(for: registration.plugin))
    home.named[registration.id] = made
    return made
  }

  private func home(of scope: ServiceScope, _ service: String, for asker: PluginID) throws -> SessionServices {
    if scope == self.scope { return self }
    guard scope == .host else { throw NavigationError(.serviceOfSession(service: service)) }
    if let hostServices { return hostServices }
    let found = try current(for: asker).hostServices(folders)
    hostServices = found
    return found
  }

  private func current(for asker: PluginID) throws -> Registry {
    guard let registry else { throw NavigationError(.sessionEnded(plugin: asker)) }
    return registry
  }
}
