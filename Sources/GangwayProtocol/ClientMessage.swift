/// What a front end or supervisor says to a host, one JSON object a line.
public enum ClientMessage: Hashable, Sendable {
  /// The first message: which protocol the client speaks, and whether it takes patches in place of whole presentations (1.3).
  case hello(ProtocolVersion, takesPatches: Bool = false)
  /// Makes a session, restored from a checkpoint where one is given.
  ///
  /// A checkpoint from a file is put before the guards again; one that a session had when its host ended is not.
  ///
  /// Sessions of one profile share what features keep: files, and services of the host. Sessions of different people have different ones (1.3).
  case open(session: SessionID, checkpoint: Checkpoint?, isFromFile: Bool = false, profile: String? = nil)
  /// Records of the checkpoint that the next `open` of this session goes on with, which is too long for one line (1.3).
  case records(session: SessionID, [Checkpoint.Record])
  /// Something the person did.
  case event(session: SessionID, Event)
  /// Asks for the whole presentation: a patch was based on another one than the client has (1.3).
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

  /// Reads a message; an unknown type or a missing field is a decoding error that names it.
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
        debugDescription: "no message type '\(type)': hello, records, open, event, resync, tree, history, close, quit")
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
