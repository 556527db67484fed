@_spi(FrontEnd) import GangwayProtocol
#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The session's environment for a plugin's code: its own folders, a log, services.
@MainActor public final class PluginContext {
  /// The plugin's id.
  public let plugin: PluginID
  /// The folder for the user's data.
  ///
  /// It exists, and other sessions of the same user share it.
  public var dataFolder: URL { folders.folder(.data, for: plugin) }
  /// The folder for data that the plugin can create again.
  ///
  /// It exists.
  public var cacheFolder: URL { folders.folder(.cache, for: plugin) }

  /// The signed-in user; nil if nobody has signed in.
  ///
  /// Gangway itself signs nobody in yet, so it is always nil.
  public var user: User? { session?.user }

  private let folders: PluginFolders
  private(set) weak var session: SessionServices?

  init(plugin: PluginID, folders: PluginFolders, session: SessionServices) {
    self.plugin = plugin
    self.folders = folders
    self.session = session
  }

  /// Writes to the host's log, and tags each line with the plugin.
  public func log(_ message: String) {
    // Without the tag, a second line could pass for another plugin's.
    for line in message.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      folders.log("[\(plugin)] \(line)")
    }
  }

  /// Returns the plugin's section of the app's configuration: the object under `plugins` and the plugin's id.
  ///
  /// ```swift
  /// let settings = try context.configuration(as: FilesConfiguration.self)
  /// ```
  ///
  /// - Parameter type: the type that the section decodes to. Fields that the type does not have are ignored.
  /// - Returns: the section; nil if the configuration has none for this plugin.
  /// - Throws: ``NavigationError`` with the code `configuration` if the section does not fit the type. The message has
  ///   the section and the reason.
  public func configuration<Section: Decodable>(as type: Section.Type = Section.self) throws -> Section? {
    guard let session, let registry = session.registry else {
      throw NavigationError(.sessionEnded(plugin: plugin))
    }
    guard let section = registry.sections[plugin] else { return nil }
    do {
      return try StoredValue.decode(type, from: section)
    } catch {
      throw NavigationError(
        .configurationMismatch(
          plugin: plugin, section: section, type: TypeName.of(type), why: StoredRoute.brief(error)))
    }
  }

  /// Returns the session's instance of a service, which the first request creates.
  ///
  /// Call it in a builder of a coordinator or screen.
  ///
  /// If the service's plugin is not loaded yet, the navigation waits for the plugin, and then runs the builder again.
  ///
  /// - Throws: ``NavigationError`` with the code `noService` if no plugin registered a service of this type; the error
  ///   of the service's maker.
  public func service<Service: AnyObject>(_ type: Service.Type = Service.self) throws -> Service {
    guard let session else { throw NavigationError(.sessionEnded(plugin: plugin)) }
    return try session.service(type, for: self)
  }

  /// Returns the session's instance of a service, which the first request creates, once its plugin is loaded.
  ///
  /// - Throws: `noService` if no plugin registered a service of this type, or if its plugin cannot load; the error of
  ///   the service's maker.
  public func service<Service: AnyObject>(_ type: Service.Type = Service.self) async throws -> Service {
    guard let session else { throw NavigationError(.sessionEnded(plugin: plugin)) }
    return try await session.service(type, for: self)
  }

  /// Returns a service of another feature by its id, `plugin.name`.
  ///
  /// The first call loads the service's plugin.
  ///
  /// - Throws: `noService` with the reason why there is no such service.
  public func service(_ id: ContributionID) throws -> ServiceHandle {
    guard let session else { throw NavigationError(.sessionEnded(plugin: plugin)) }
    return try session.handle(id, for: plugin)
  }

  /// Returns the reason why a service of another feature cannot be called; nil if it can.
  public func unavailability(ofService id: ContributionID) -> String? {
    guard let registry = session?.registry else { return "This session has ended." }
    return registry.unavailability(ofService: id).map { _ in registry.absenceForUsers(of: id.plugin) }
  }

  /// Loads another feature's plugin in the background, because it is likely to be needed soon.
  ///
  /// If the plugin cannot load, the user sees the reason when the plugin is needed.
  ///
  /// - Parameter plugin: the other plugin's id.
  public func preload(_ plugin: PluginID) { session?.registry?.preload(plugin) }

  // MARK: Tabs

  /// Puts a tab of this plugin on the bar, with its former stack.
  ///
  /// The tab stays on the bar after a restart.
  ///
  /// - Parameter name: the name that the tab was registered under.
  /// - Throws: `unknownTab` if the plugin registered no such tab, or if the application's root shows no registered
  ///   tabs.
  public func showTab(_ name: String) throws { try setTab(name, isShown: true, .keepStack) }

  /// Removes a tab of this plugin from the bar.
  ///
  /// - Parameters:
  ///   - name: the name that the tab was registered under.
  ///   - removal: whether the tab keeps its stack.
  /// - Throws: as ``showTab(_:)``.
  public func hideTab(_ name: String, _ removal: TabRemoval = .keepStack) throws {
    try setTab(name, isShown: false, removal)
  }

  private func setTab(_ name: String, isShown: Bool, _ removal: TabRemoval) throws {
    let id = ContributionID(plugin: plugin, name: name)
    guard let session,
      let root = session.newestCoordinator(ObjectIdentifier(RootCoordinator.self)) as? RootCoordinator
    else { throw NavigationError(.rootShowsNoTabs(tab: id)) }
    guard session.registry?.tab(id) != nil else {
      throw NavigationError(.pluginHasNoTab(plugin: plugin, name: name))
    }
    root.setTab(id, isShown: isShown, removal)
  }
}

/// The folders for plugins' files, and the target of their log lines.
@_spi(FrontEnd) public struct PluginFolders: Sendable {
  enum Purpose: String, Sendable { case data, cache }

  /// Creates the folders that the host chooses.
  ///
  /// - Parameters:
  ///   - data: the folder that contains a folder for each plugin's data.
  ///   - cache: the folder that contains a folder for each plugin's cache.
  ///   - log: takes a log line, from any thread.
  public init(data: URL, cache: URL, log: @escaping @Sendable (String) -> Void) {
    self.data = data
    self.cache = cache
    self.log = log
  }

  private let data: URL
  private let cache: URL
  /// The user's profile; nil if the host serves a single user.
  private(set) var profile: String?
  let log: @Sendable (String) -> Void

  /// Returns the folders of one user, in a host that serves several users. They are beside the plugins' folders, under
  /// `_profiles`.
  ///
  /// - Parameter profile: the name of the profile: at most 64 letters, digits, `-` and `_`.
  /// - Returns: the folders; nil if the name is not valid.
  package func of(profile: String) -> PluginFolders? {
    let isName = profile.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
        true
      default: false
      }
    }
    guard isName, (1...64).contains(profile.utf8.count) else { return nil }
    // No plugin id contains an underscore.
    var folders = PluginFolders(
      data: data.appending(path: "_profiles/\(profile)", directoryHint: .isDirectory),
      cache: cache.appending(path: "_profiles/\(profile)", directoryHint: .isDirectory), log: log)
    folders.profile = profile
    return folders
  }

  /// Returns the folder of a plugin, and creates it if it does not exist.
  func folder(_ purpose: Purpose, for plugin: PluginID) -> URL {
    let parent = purpose == .data ? data : cache
    let folder = parent.appending(path: plugin.rawValue, directoryHint: .isDirectory)
    do {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      log("[\(plugin)] \(folder.path) could not be created: \(error)")
    }
    return folder
  }
}

extension PluginContext: LinkContext {}
