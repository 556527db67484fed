import GangwayProtocol

/// A request of a command to a running app, one JSON object a line.
public enum ControlRequest: Codable, Sendable {
  /// Asks for the state of the plugins.
  case status
  /// Replaces a plugin by its current file.
  case reload(plugin: String)
  /// Opens a link.
  case open(url: String, session: String?)
  /// Turns the connection into a front end of a session.
  case attach(session: String?, isReadOnly: Bool)
}

/// The interface of a running app to other commands.
@MainActor public protocol ControlledApp: AnyObject {
  /// Answers a request.
  func answer(_ request: ControlRequest) async -> ControlAnswer
  /// Returns a connection for a front end in another process.
  ///
  /// - Parameter session: the session's name; nil if the app has only one.
  /// - Throws: ``SupervisorFailure`` if there is no session of that name.
  func frontEnd(_ session: String?, isReadOnly: Bool) throws(SupervisorFailure) -> FrontEndConnection
}

/// The answer of a running app to a request.
public struct ControlAnswer: Codable, Sendable {
  /// Whether the request succeeded.
  public var isDone: Bool
  /// The text to show the user.
  public var text: String
  /// The plugins, if the request asked for them.
  public var plugins: [HostMessage.PluginStatus]

  /// Creates an answer.
  public init(isDone: Bool, text: String, plugins: [HostMessage.PluginStatus] = []) {
    self.isDone = isDone
    self.text = text
    self.plugins = plugins
  }
}

extension Supervisor: ControlledApp {
  public func answer(_ request: ControlRequest) async -> ControlAnswer {
    switch request {
    case .status:
      // A plugin that loads too slowly must not block the command that asks for the reason.
      await listed(within: .seconds(1))
      return .listing(statuses)
    case .reload(let plugin):
      do {
        let text = try await reload(plugin)
        say(text, plugin: plugin)
        return ControlAnswer(isDone: true, text: text)
      } catch {
        keeper.tell(.init(.failure, "\(error)", plugin: plugin))
        return ControlAnswer(isDone: false, text: "\(error)")
      }
    case .open(let url, let session):
      do {
        return try await ControlAnswer.opening(url, on: frontEnd(session, isReadOnly: false))
      } catch {
        return ControlAnswer(isDone: false, text: "\(error)")
      }
    case .attach: return ControlAnswer.notHere
    }
  }

  public func frontEnd(_ session: String?, isReadOnly: Bool) throws(SupervisorFailure) -> FrontEndConnection {
    guard session ?? Self.session == Self.session else {
      throw SupervisorFailure("The app has only the session '\(Self.session)', not '\(session ?? "")'.")
    }
    return connect(isReadOnly: isReadOnly)
  }
}

extension ControlAnswer {
  /// Opens a link in a session and returns the outcome.
  @MainActor static func opening(_ url: String, on frontEnd: FrontEndConnection) async throws -> ControlAnswer {
    let update = try await frontEnd.send(.open(url))
    let bad = update.notices.filter { $0.kind != .information }
    guard bad.isEmpty else { return ControlAnswer(isDone: false, text: bad.map(\.text).joined(separator: " ")) }
    return ControlAnswer(isDone: true, text: "'\(frontEnd.presentation.top?.title ?? "")' is in front.")
  }

  /// Returns an answer that lists the state of the plugins.
  ///
  /// - Parameter statuses: the plugins' states, by id.
  static func listing(_ statuses: [String: HostMessage.PluginStatus]) -> ControlAnswer {
    ControlAnswer(
      isDone: true, text: "", plugins: statuses.values.sorted { ($0.id ?? "", $0.file) < ($1.id ?? "", $1.file) })
  }

  /// The answer to a request that only the socket can handle.
  static let notHere = ControlAnswer(isDone: false, text: "This connection cannot show the session.")
}
