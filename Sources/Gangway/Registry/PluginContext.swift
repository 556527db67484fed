#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What a session hands to a plugin's code: folders of its own, a log, services.
@MainActor public final class PluginContext {
  /// The plugin's id.
  public let plugin: String
  /// Where the plugin keeps the person's data. It exists; another session of the same user shares it.
  public var dataFolder: URL { folders.folder(.data, for: plugin) }
  /// Where the plugin keeps what it can make again. It exists.
  public var cacheFolder: URL { folders.folder(.cache, for: plugin) }

  private let folders: PluginFolders
  private(set) weak var session: SessionServices?

  init(plugin: String, folders: PluginFolders, session: SessionServices) {
    self.plugin = plugin
    self.folders = folders
    self.session = session
  }

  /// Writes to the host's log, each line tagged with the plugin.
  public func log(_ message: String) {
    // A line of its own could pass for another plugin's.
    for line in message.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      folders.log("[\(plugin)] \(line)")
    }
  }

  /// The session's instance of a service, made when first asked for; in a builder of a coordinator or screen.
  ///
  /// Where its plugin is not loaded yet, the navigation that runs the builder waits for it, and runs the builder again.
  ///
  /// - Throws: ``NavigationError`` with the code `noService` when nobody registered one of this type; what its maker
  ///   throws.
  public func service<Service: AnyObject>(_ type: Service.Type = Service.self) throws -> Service {
    guard let session else { throw NavigationError(.sessionEnded(plugin: plugin)) }
    return try session.service(type, for: self)
  }

  /// The session's instance of a service, made when first asked for, once its plugin is loaded.
  ///
  /// - Throws: `noService` when nobody registered one of this type, or its plugin cannot be had; what its maker throws.
  public func service<Service: AnyObject>(_ type: Service.Type = Service.self) async throws -> Service {
    guard let session else { throw NavigationError(.sessionEnded(plugin: plugin)) }
    return try await session.service(type, for: self)
  }

  /// A service of another feature, by its id, `plugin.name`. Its plugin is loaded when it is first called.
  ///
  /// - Throws: `noService` saying why it is not there.
  public func service(_ id: ContributionID) throws -> ServiceHandle {
    guard let session else { throw NavigationError(.sessionEnded(plugin: plugin)) }
    return try session.handle(id, for: plugin)
  }

  /// Why a service of another feature cannot be called; nil when it can.
  public func unavailability(ofService id: ContributionID) -> String? {
    guard let registry = session?.registry else { return "the session has ended" }
    return registry.unavailability(ofService: id)
  }

  /// Says that another feature is likely to be needed soon: it is loaded now, beside what the person does, so that they do
  /// not wait for it then. What cannot be had is told when it is needed.
  ///
  /// - Parameter plugin: the other plugin's id.
  public func preload(_ plugin: String) { session?.registry?.preload(plugin) }

  // MARK: Tabs

  /// Puts a tab that this plugin registered on the bar, with the stack it had. It stays there over restarts.
  ///
  /// - Parameter name: the name it was registered under.
  /// - Throws: `unknownTab` where the plugin registered no such tab, or the application's root shows no registered tabs.
  public func showTab(_ name: String) throws { try setTab(name, isShown: true, .keepStack) }

  /// Takes a tab that this plugin registered off the bar.
  ///
  /// - Parameters:
  ///   - name: the name it was registered under.
  ///   - removal: what becomes of its stack.
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
  /// Whose they are; nil where there is one person alone.
  private(set) var profile: String?
  let log: @Sendable (String) -> Void

  /// The folders of one person, where a host has sessions of several: beside those of the plugins, under `_profiles`.
  ///
  /// - Parameter profile: names them: at most 64 letters, digits, `-` and `_`.
  /// - Returns: nil where that is no such name.
  public func of(profile: String) -> PluginFolders? {
    let isName = profile.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
        true
      default: false
      }
    }
    guard isName, (1...64).contains(profile.utf8.count) else { return nil }
    // No plugin has an id with this sign in it.
    var folders = PluginFolders(
      data: data.appending(path: "_profiles/\(profile)", directoryHint: .isDirectory),
      cache: cache.appending(path: "_profiles/\(profile)", directoryHint: .isDirectory), log: log)
    folders.profile = profile
    return folders
  }

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

extension PluginContext: LinkContext {}
