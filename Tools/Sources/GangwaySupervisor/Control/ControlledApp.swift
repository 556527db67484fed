@_spi(FrontEnd) import GangwayProtocol

/// A running app that other commands reach.
@_spi(FrontEnd) @MainActor public protocol ControlledApp: AnyObject {
  /// Returns the states of the plugins.
  func plugins() async -> [HostMessage.PluginStatus]
  /// Returns the numbers of sessions and front ends.
  func status() -> AppStatus
  /// Replaces a plugin by its current file.
  ///
  /// - Returns: the text to show the user.
  /// - Throws: the reason why the previous version keeps running.
  func reloaded(_ plugin: PluginID) async throws -> String
  /// Returns a connection for a front end in another process, with the name of its session.
  ///
  /// - Parameter session: the session's name; nil if the app has only one.
  /// - Throws: ``SupervisorFailure`` if there is no session of that name.
  func frontEnd(_ session: SessionID?, isReadOnly: Bool) throws(SupervisorFailure)
    -> (session: SessionID, connection: FrontEndConnection)
}

/// The sessions and front ends of a running app.
@_spi(FrontEnd) public struct AppStatus: Codable, Hashable, Sendable {
  /// The number of open sessions.
  public var sessions: Int
  /// The number of front ends of all sessions.
  public var frontEnds: Int
  /// The title of the screen in front; nil if the app has several sessions, or none.
  public var screen: String?
}

extension Supervisor: ControlledApp {
  @_spi(FrontEnd) public func status() -> AppStatus {
    AppStatus(sessions: 1, frontEnds: frontEnds, screen: presentation.top?.title)
  }

  @_spi(FrontEnd) public func plugins() async -> [HostMessage.PluginStatus] {
    // A plugin that loads too slowly must not block the command that asks for the reason.
    await listed(within: .seconds(1))
    return Self.ordered(statuses)
  }

  /// Returns the states of plugins in the order of their ids.
  static func ordered(_ statuses: [PluginID: HostMessage.PluginStatus]) -> [HostMessage.PluginStatus] {
    statuses.values.sorted { ($0.id ?? "", $0.file) < ($1.id ?? "", $1.file) }
  }

  @_spi(FrontEnd) public func reloaded(_ plugin: PluginID) async throws -> String {
    do {
      let text = try await reload(plugin)
      say(text, plugin: plugin)
      return text
    } catch {
      keeper.tell(.init(.failure, "\(error)", plugin: plugin))
      throw error
    }
  }

  @_spi(FrontEnd) public func frontEnd(_ session: SessionID?, isReadOnly: Bool) throws(SupervisorFailure)
    -> (session: SessionID, connection: FrontEndConnection)
  {
    guard session ?? Self.session == Self.session else {
      throw SupervisorFailure(Words.Control.onlySession(Self.session, not: session?.rawValue ?? ""))
    }
    return (Self.session, connect(isReadOnly: isReadOnly))
  }
}
