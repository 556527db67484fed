@_spi(FrontEnd) import GangwayProtocol

/// A message to a running app, one JSON object on a line.
///
/// Once attached, a front end sends an app the same messages as a host (``ClientMessage``). Only an app has the other
/// requests. `Documentation/PresentationProtocol.md` describes them all.
enum AppRequest: Hashable, Sendable {
  /// Turns the connection into a front end of a session; nil for the only session.
  case attach(session: SessionID?, isReadOnly: Bool)
  /// Asks for the states of the plugins.
  case list
  /// Asks for the numbers of sessions and front ends.
  case status
  /// Replaces a plugin by its current file; nil stands for the plugin in front.
  case reload(plugin: PluginID?)
  /// Ends the host of the attached session; another host takes over.
  case restart
  /// A message that hosts take, too.
  case session(ClientMessage)
}

extension AppRequest: Codable {
  private enum CodingKeys: CodingKey { case type, session, readOnly, plugin }

  init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    switch try fields.decode(String.self, forKey: .type) {
    case "attach":
      self = .attach(
        session: try fields.decodeIfPresent(SessionID.self, forKey: .session),
        isReadOnly: try fields.decodeIfPresent(Bool.self, forKey: .readOnly) ?? false)
    case "list": self = .list
    case "status": self = .status
    case "reload": self = .reload(plugin: try fields.decodeIfPresent(PluginID.self, forKey: .plugin))
    case "restart": self = .restart
    default: self = .session(try ClientMessage(from: decoder))
    }
  }

  func encode(to encoder: any Encoder) throws {
    if case .session(let message) = self { return try message.encode(to: encoder) }
    var fields = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .attach(let session, let isReadOnly):
      try fields.encode("attach", forKey: .type)
      try fields.encodeIfPresent(session, forKey: .session)
      if isReadOnly { try fields.encode(true, forKey: .readOnly) }
    case .list: try fields.encode("list", forKey: .type)
    case .status: try fields.encode("status", forKey: .type)
    case .reload(let plugin):
      try fields.encode("reload", forKey: .type)
      try fields.encodeIfPresent(plugin, forKey: .plugin)
    case .restart: try fields.encode("restart", forKey: .type)
    case .session: break
    }
  }
}

/// A message of a running app, one JSON object on a line.
enum AppMessage: Hashable, Sendable {
  /// The answer to `list`, `status`, `reload` and `restart`, with the number of the request's line and the text to show
  /// the user.
  case done(line: Int, text: String, plugins: [HostMessage.PluginStatus] = [], status: AppStatus? = nil)
  /// A message that hosts send, too.
  case session(HostMessage)
  /// The update that answers an event which was not done, because its host ended. A front end sends lost text again.
  case lost(HostMessage)
}

extension AppMessage: Codable {
  private enum CodingKeys: CodingKey { case type, line, text, plugins, status, lost }

  init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    guard try fields.decode(String.self, forKey: .type) == "done" else {
      let message = try HostMessage(from: decoder)
      self = try fields.decodeIfPresent(Bool.self, forKey: .lost) == true ? .lost(message) : .session(message)
      return
    }
    self = .done(
      line: try fields.decode(Int.self, forKey: .line),
      text: try fields.decodeIfPresent(String.self, forKey: .text) ?? "",
      plugins: try fields.decodeIfPresent([HostMessage.PluginStatus].self, forKey: .plugins) ?? [],
      status: try fields.decodeIfPresent(AppStatus.self, forKey: .status))
  }

  func encode(to encoder: any Encoder) throws {
    switch self {
    case .session(let message): try message.encode(to: encoder)
    case .lost(let message):
      try message.encode(to: encoder)
      var fields = encoder.container(keyedBy: CodingKeys.self)
      try fields.encode(true, forKey: .lost)
    case .done(let line, let text, let plugins, let status):
      var fields = encoder.container(keyedBy: CodingKeys.self)
      try fields.encode("done", forKey: .type)
      try fields.encode(line, forKey: .line)
      if !text.isEmpty { try fields.encode(text, forKey: .text) }
      if !plugins.isEmpty { try fields.encode(plugins, forKey: .plugins) }
      try fields.encodeIfPresent(status, forKey: .status)
    }
  }
}
