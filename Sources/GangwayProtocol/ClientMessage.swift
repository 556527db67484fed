/// A message from a front end or supervisor to a host, one JSON object on a line.
@_spi(FrontEnd) public enum ClientMessage: Hashable, Sendable {
  /// The first message: the client's protocol version, and whether it takes patches instead of whole presentations.
  case hello(ProtocolVersion, takesPatches: Bool = false)
  /// Opens a session, and restores a checkpoint if there is one.
  ///
  /// Guards run again for a checkpoint from a file. They do not run for the checkpoint of a session whose host ended.
  ///
  /// Sessions of one profile share the files of features and the services of the host. Different users have different
  /// profiles.
  case open(session: SessionID, checkpoint: Checkpoint?, isFromFile: Bool = false, profile: String? = nil)
  /// Further records for the checkpoint of this session's next `open`, if one line cannot hold them.
  case records(session: SessionID, [Checkpoint.Record])
  /// A user action.
  case event(session: SessionID, Event)
  /// Asks for the whole presentation, because a patch has another base than the client's presentation.
  case resync(session: SessionID)
  /// Asks for the navigation tree.
  case tree(session: SessionID)
  /// Asks for the commits of the session.
  case history(session: SessionID)
  /// Ends a session.
  case close(session: SessionID)
  /// Ends the host, with exit code 0.
  case quit
}

extension ClientMessage: Codable {
  private enum CodingKeys: String, CodingKey {
    case type, `protocol`, session, checkpoint, event, fromFile, records, patches, profile
  }

  /// Reads a message. An unknown type or a missing field is a decoding error that names it.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    func session() throws -> SessionID { try fields.decode(SessionID.self, forKey: .session) }
    switch try fields.decode(String.self, forKey: .type) {
    case "hello":
      self = .hello(
        try fields.decode(ProtocolVersion.self, forKey: .protocol),
        takesPatches: try fields.decodeIfPresent(Bool.self, forKey: .patches) ?? false)
    case "open":
      self = .open(
        session: try session(), checkpoint: try fields.decodeIfPresent(Checkpoint.self, forKey: .checkpoint),
        isFromFile: try fields.decodeIfPresent(Bool.self, forKey: .fromFile) ?? false,
        profile: try fields.decodeIfPresent(String.self, forKey: .profile))
    case "records":
      self = .records(session: try session(), try fields.decode([Checkpoint.Record].self, forKey: .records))
    case "event": self = .event(session: try session(), try fields.decode(Event.self, forKey: .event))
    case "resync": self = .resync(session: try session())
    case "tree": self = .tree(session: try session())
    case "history": self = .history(session: try session())
    case "close": self = .close(session: try session())
    case "quit": self = .quit
    case let type:
      throw DecodingError.dataCorruptedError(
        forKey: .type, in: fields,
        debugDescription: "there is no message type '\(type)'; the types are hello, records, open, event, resync, "
          + "tree, history, close, quit")
    }
  }

  /// Writes a message.
  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .hello(let version, let takesPatches):
      try fields.encode("hello", forKey: .type)
      try fields.encode(version, forKey: .protocol)
      if takesPatches { try fields.encode(true, forKey: .patches) }
    case .open(let session, let checkpoint, let isFromFile, let profile):
      try fields.encode("open", forKey: .type)
      try fields.encode(session, forKey: .session)
      try fields.encodeIfPresent(checkpoint, forKey: .checkpoint)
      if isFromFile { try fields.encode(true, forKey: .fromFile) }
      try fields.encodeIfPresent(profile, forKey: .profile)
    case .records(let session, let records):
      try fields.encode("records", forKey: .type)
      try fields.encode(session, forKey: .session)
      try fields.encode(records, forKey: .records)
    case .event(let session, let event):
      try fields.encode("event", forKey: .type)
      try fields.encode(session, forKey: .session)
      try fields.encode(event, forKey: .event)
    case .resync(let session):
      try fields.encode("resync", forKey: .type)
      try fields.encode(session, forKey: .session)
    case .tree(let session):
      try fields.encode("tree", forKey: .type)
      try fields.encode(session, forKey: .session)
    case .history(let session):
      try fields.encode("history", forKey: .type)
      try fields.encode(session, forKey: .session)
    case .close(let session):
      try fields.encode("close", forKey: .type)
      try fields.encode(session, forKey: .session)
    case .quit: try fields.encode("quit", forKey: .type)
    }
  }
}
