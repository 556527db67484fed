/// A message from a host, one JSON object on a line.
@_spi(FrontEnd) public enum HostMessage: Hashable, Sendable {
  /// A refused message of a client. Nothing changed.
  public struct Failure: Codable, Hashable, Sendable, Error {
    /// The kind of mistake: `malformed`, `oversized`, `version`, `handshake`, `session`.
    public var code: String
    /// The mistake, its reason and the fix.
    public var message: String
    /// The number of the line, from 1.
    public var line: Int?
    /// The session of the message, if it is known.
    public var session: SessionID?

    /// Makes a failure.
    public init(code: String, message: String, line: Int? = nil, session: SessionID? = nil) {
      self.code = code
      self.message = message
      self.line = line
      self.session = session
    }
  }

  /// The first message: the host's protocol version and process id.
  case hello(ProtocolVersion, processID: Int)
  /// The host loads a library next. If the host crashes now, the library is the cause.
  case loading(file: String)
  /// The host restores an entry from a checkpoint next. If the host crashes now, the entry's plugin is the cause.
  case restoring(session: SessionID, node: NodeID, plugin: PluginID?)
  /// A new process loads an unknown library next, to find its contributions.
  case probing(file: String)
  /// The host has checked every file. It loads a `registered` plugin when it first needs it.
  case ready([PluginStatus])
  /// The new state of a plugin: its load succeeded or failed.
  case plugin(PluginStatus)
  /// Records of the next update's checkpoint change, if one line cannot hold them.
  case records(session: SessionID, [Checkpoint.Record])
  /// A change of a session, or the answer to an event.
  case update(session: SessionID, Update)
  /// The answer to `tree`.
  case tree(session: SessionID, TreeNode)
  /// The answer to `history`: the stored commits, one line each, the newest last.
  case history(session: SessionID, [String])
  /// The session has ended.
  case closed(session: SessionID)
  /// A refused message of a client.
  case failure(Failure)
}

extension HostMessage: Codable {
  private enum CodingKeys: String, CodingKey {
    case type, `protocol`, pid, file, session, node, plugin, plugins, update, tree, history, error, status, records
  }

  /// Reads a message.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    func session() throws -> SessionID { try fields.decode(SessionID.self, forKey: .session) }
    switch try fields.decode(String.self, forKey: .type) {
    case "hello":
      self = .hello(
        try fields.decode(ProtocolVersion.self, forKey: .protocol), processID: try fields.decode(Int.self, forKey: .pid)
      )
    case "loading": self = .loading(file: try fields.decode(String.self, forKey: .file))
    case "restoring":
      self = .restoring(
        session: try session(), node: try fields.decode(NodeID.self, forKey: .node),
        plugin: try fields.decodeIfPresent(PluginID.self, forKey: .plugin))
    case "probing": self = .probing(file: try fields.decode(String.self, forKey: .file))
    case "plugin": self = .plugin(try fields.decode(PluginStatus.self, forKey: .status))
    case "ready": self = .ready(try fields.decode([PluginStatus].self, forKey: .plugins))
    case "records":
      self = .records(session: try session(), try fields.decode([Checkpoint.Record].self, forKey: .records))
    case "update": self = .update(session: try session(), try fields.decode(Update.self, forKey: .update))
    case "tree": self = .tree(session: try session(), try fields.decode(TreeNode.self, forKey: .tree))
    case "history":
      self = .history(session: try session(), try fields.decode([String].self, forKey: .history))
    case "closed": self = .closed(session: try session())
    case "error": self = .failure(try fields.decode(Failure.self, forKey: .error))
    case let type:
      throw DecodingError.dataCorruptedError(
        forKey: .type, in: fields,
        debugDescription: "there is no message type '\(type)' in protocol \(ProtocolVersion.current)")
    }
  }

  /// Writes a message.
  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .hello(let version, let processID):
      try fields.encode("hello", forKey: .type)
      try fields.encode(version, forKey: .protocol)
      try fields.encode(processID, forKey: .pid)
    case .loading(let file):
      try fields.encode("loading", forKey: .type)
      try fields.encode(file, forKey: .file)
    case .restoring(let session, let node, let plugin):
      try fields.encode("restoring", forKey: .type)
      try fields.encode(session, forKey: .session)
      try fields.encode(node, forKey: .node)
      try fields.encodeIfPresent(plugin, forKey: .plugin)
    case .probing(let file):
      try fields.encode("probing", forKey: .type)
      try fields.encode(file, forKey: .file)
    case .plugin(let status):
      try fields.encode("plugin", forKey: .type)
      try fields.encode(status, forKey: .status)
    case .ready(let plugins):
      try fields.encode("ready", forKey: .type)
      try fields.encode(plugins, forKey: .plugins)
    case .records(let session, let records):
      try fields.encode("records", forKey: .type)
      try fields.encode(session, forKey: .session)
      try fields.encode(records, forKey: .records)
    case .update(let session, let update):
      try fields.encode("update", forKey: .type)
      try fields.encode(session, forKey: .session)
      try fields.encode(update, forKey: .update)
    case .tree(let session, let tree):
      try fields.encode("tree", forKey: .type)
      try fields.encode(session, forKey: .session)
      try fields.encode(tree, forKey: .tree)
    case .history(let session, let lines):
      try fields.encode("history", forKey: .type)
      try fields.encode(session, forKey: .session)
      try fields.encode(lines, forKey: .history)
    case .closed(let session):
      try fields.encode("closed", forKey: .type)
      try fields.encode(session, forKey: .session)
    case .failure(let failure):
      try fields.encode("error", forKey: .type)
      try fields.encode(failure, forKey: .error)
    }
  }
}
