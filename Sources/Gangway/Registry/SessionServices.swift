/// The services of one session, or of the host, each made once.
@MainActor final class SessionServices {
  let registry: Registry
  /// Finds the coordinator of a type that was made last and is still shown; none for the host's own services.
  var newestCoordinator: (ObjectIdentifier) -> (any Coordinator)? = { _ in nil }
  private let folders: PluginFolders
  private let scope: ServiceScope
  private var typed: [ObjectIdentifier: AnyObject] = [:]
  private var named: [String: AnyObject] = [:]
  private var contexts: [String: PluginContext] = [:]

  init(registry: Registry, folders: PluginFolders, scope: ServiceScope = .session) {
    self.registry = registry
    self.folders = folders
    self.scope = scope
  }

  func context(for plugin: String) -> PluginContext {
    if let context = contexts[plugin] { return context }
    let context = PluginContext(plugin: plugin, folders: folders, session: self)
    contexts[plugin] = context
    return context
  }

  func service<Service: AnyObject>(_ type: Service.Type, for context: PluginContext) throws -> Service {
    let key = ObjectIdentifier(type)
    var absence: String?
    if registry.services.typed[key] == nil, let plugin = registry.announcer(ofService: TypeName.full(type)) {
      absence = registry.obtainNow(plugin)
    }
    guard let registration = registry.services.typed[key] else {
      if let absence {
        throw NavigationError(
          .noService, "The service \(type), which \(context.plugin) asks for, cannot be had: \(absence)")
      }
      throw NavigationError(
        .noService,
        "No plugin registered the service \(type), which \(context.plugin) asks for. Call "
          + "registry.service { … } in the plugin that offers it, and load that plugin too.")
    }
    let home = try home(of: registration.scope, registration.name)
    let made = try home.typed[key] ?? registration.make(home.context(for: registration.plugin))
    home.typed[key] = made
    guard let service = made as? Service else {
      throw NavigationError(.noService, "The service \(type) was made as \(Swift.type(of: made)).")
    }
    return service
  }

  func handle(_ id: String, for caller: String) throws -> ServiceHandle {
    if registry.services.named[id] == nil { _ = registry.obtainNow(String(id.prefix { $0 != "." })) }
    guard let registration = registry.services.named[id] else {
      throw NavigationError(
        .noService,
        "\(id), which \(caller) asks for, cannot be called: "
          + "\(registry.unavailability(ofService: id) ?? "it is not there"). Ask unavailability(ofService:) first.")
    }
    return ServiceHandle(id: id, caller: caller, registration: registration, services: self)
  }

  func instance(of registration: ServiceTable.Named) throws -> AnyObject {
    let home = try home(of: registration.scope, registration.id)
    let made = try home.named[registration.id] ?? registration.make(home.context(for: registration.plugin))
    home.named[registration.id] = made
    return made
  }

  private func home(of scope: ServiceScope, _ service: String) throws -> SessionServices {
    if scope == self.scope { return self }
    if scope == .host { return registry.hostServices(folders) }
    throw NavigationError(
      .noService,
      "\(service) is a session's, and was asked for by a service that all sessions share. Give it the "
        + "scope .host, or ask for it where there is a session.")
  }
}
