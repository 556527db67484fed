import FoundationEssentials

/// What a session hands to a plugin's code: folders of its own, a log, services.
@MainActor public final class PluginContext {
  /// The plugin's id.
  public let plugin: String
  /// Where the plugin keeps the person's data. It exists; another session of the same user shares it.
  public var dataFolder: URL { folders.folder(.data, for: plugin) }
  /// Where the plugin keeps what it can make again. It exists.
  public var cacheFolder: URL { folders.folder(.cache, for: plugin) }

  private let folders: PluginFolders
  private weak var session: SessionServices?

  init(plugin: String, folders: PluginFolders, session: SessionServices) {
    self.plugin = plugin
    self.folders = folders
    self.session = session
  }

  /// Writes a line to the host's log, tagged with the plugin.
  public func log(_ message: String) { folders.log("[\(plugin)] \(message)") }

  /// The session's instance of a service, made when first asked for.
  ///
  /// - Throws: ``NavigationError`` with the code `noService` when nobody registered one of this type, or what its
  ///   maker throws.
  public func service<Service: AnyObject>(_ type: Service.Type = Service.self) throws -> Service {
    guard let session else {
      throw NavigationError(.noService, "The session of \(plugin) has ended, and its services with it.")
    }
    return try session.service(type, for: self)
  }
}

/// The services of one session, each made once.
@MainActor final class SessionServices {
  private let registry: Registry
  private let folders: PluginFolders
  private var services: [ObjectIdentifier: AnyObject] = [:]
  private var contexts: [String: PluginContext] = [:]

  init(registry: Registry, folders: PluginFolders) {
    self.registry = registry
    self.folders = folders
  }

  func context(for plugin: String) -> PluginContext {
    if let context = contexts[plugin] { return context }
    let context = PluginContext(plugin: plugin, folders: folders, session: self)
    contexts[plugin] = context
    return context
  }

  func service<Service: AnyObject>(_ type: Service.Type, for context: PluginContext) throws -> Service {
    let key = ObjectIdentifier(type)
    if let made = services[key] as? Service { return made }
    guard let registration = registry.services[key] else {
      throw NavigationError(
        .noService,
        "No plugin registered the service \(type), which \(context.plugin) asks for. Call "
          + "registry.service { … } in the plugin that offers it, and load that plugin too.")
    }
    let made = try registration.make(self.context(for: registration.plugin))
    services[key] = made
    guard let service = made as? Service else {
      throw NavigationError(.noService, "The service \(type) was made as \(Swift.type(of: made)).")
    }
    return service
  }
}

/// Where plugins keep files, and where their log lines go.
public struct PluginFolders: Sendable {
  enum Purpose: String, Sendable { case data, cache }

  /// Folders of the host's own choosing.
  ///
  /// - Parameters:
  ///   - data: contains a folder for each plugin's data.
  ///   - cache: contains a folder for each plugin's cache.
  ///   - log: takes a log line, from any thread.
  public init(data: URL, cache: URL, log: @escaping @Sendable (String) -> Void) {
    self.data = data
    self.cache = cache
    self.log = log
  }

  private let data: URL
  private let cache: URL
  let log: @Sendable (String) -> Void

  /// The folder of a plugin, made if it is not there.
  func folder(_ purpose: Purpose, for plugin: String) -> URL {
    let parent = purpose == .data ? data : cache
    let folder = parent.appending(path: plugin, directoryHint: .isDirectory)
    do {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      log("[\(plugin)] \(folder.path) cannot be made: \(error)")
    }
    return folder
  }
}
