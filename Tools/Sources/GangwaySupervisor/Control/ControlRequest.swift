import GangwayProtocol

/// What a command asks of a running app, a JSON object a line.
public enum ControlRequest: Codable, Sendable {
  /// How far the plugins have come.
  case status
  /// Replaces a plugin by its present file.
  case reload(plugin: String)
  /// Leads the person to where a link leads.
  case open(url: String, session: String?)
  /// Has the connection be a front end of a session from then on.
  case attach(session: String?, isReadOnly: Bool)
}

/// What an app does for other commands.
@MainActor public protocol ControlledApp: AnyObject {
  /// Answers a request.
  func answer(_ request: ControlRequest) async -> ControlAnswer
  /// A connection for a front end in another process.
  ///
  /// - Parameter session: the session's name; nil where there is one alone.
  /// - Throws: ``SupervisorFailure`` where there is none of that name.
  func seat(_ session: String?, isReadOnly: Bool) throws(SupervisorFailure) -> SessionSeat
}

/// What a running app answers.
public struct ControlAnswer: Codable, Sendable {
  /// Whether it was done.
  public var isDone: Bool
  /// What to tell the person.
  public var text: String
  /// The plugins, where they were asked for.
  public var plugins: [HostMessage.PluginStatus]

  /// Makes an answer.
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
      // Somebody who asks why something is loaded for so long is not to wait for it.
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
        return try await ControlAnswer.opening(url, on: seat(session, isReadOnly: false))
      } catch {
        return ControlAnswer(isDone: false, text: "\(error)")
      }
    case .attach: return ControlAnswer.notHere
    }
  }

  public func seat(_ session: String?, isReadOnly: Bool) throws(SupervisorFailure) -> SessionSeat {
    guard session ?? Self.session == Self.session else {
      throw SupervisorFailure("The app has the session '\(Self.session)' alone, and no '\(session ?? "")'.")
    }
    return connect(isReadOnly: isReadOnly)
  }
}

extension ControlAnswer {
  /// Leads a session to where a link leads, and says what came of it.
  @MainActor static func opening(_ url: String, on seat: SessionSeat) async throws -> ControlAnswer {
    let update = try await seat.send(.open(url))
    let bad = update.notices.filter { $0.kind != .information }
    guard bad.isEmpty else { return ControlAnswer(isDone: false, text: bad.map(\.text).joined(separator: " ")) }
    return ControlAnswer(isDone: true, text: "'\(seat.presentation.top?.title ?? "")' is in front.")
  }

  /// How far the plugins have come.
  ///
  /// - Parameter statuses: by id.
  static func listing(_ statuses: [String: HostMessage.PluginStatus]) -> ControlAnswer {
    ControlAnswer(
      isDone: true, text: "", plugins: statuses.values.sorted { ($0.id ?? "", $0.file) < ($1.id ?? "", $1.file) })
  }

  /// The answer to what the socket answers itself.
  static let notHere = ControlAnswer(isDone: false, text: "The connection cannot be a front end.")
}
