import Dispatch
@_spi(FrontEnd) import Gangway
@_spi(FrontEnd) import GangwayClient
@_spi(FrontEnd) import GangwayProtocol
import Glibc

extension ClientMessage {
  /// The session of a message that needs an open session; nil for other messages.
  fileprivate var session: SessionID? {
    switch self {
    case .event(let id, _), .resync(let id), .tree(let id), .history(let id), .close(let id): id
    case .hello, .records, .open, .quit: nil
    }
  }
}

/// The host's side of the presentation protocol: sessions over two pipes.
@MainActor final class ServedHost {
  private let channel: ChannelWriter
  /// Makes a session for a profile; nil if the profile's name is not valid.
  private let makeSession: @MainActor (_ profile: String?) -> Session?
  private var sessions: [SessionID: Session] = [:]
  /// Messages for sessions that are opening, with their line numbers. They are handled after the first screen is sent.
  private var early: [SessionID: [(message: ClientMessage, line: Int)]] = [:]
  /// Records that arrived before the `open` of their session.
  private var ahead: [SessionID: [Checkpoint.Record]] = [:]
  /// Unfinished answers, which wait briefly while a plugin loads.
  private var answers: [Int: Task<Void, Never>] = [:]
  private var answerCount = 0
  private var isGreeted = false
  /// The protocol version of the client.
  private var clientTakesPatches = false
  /// The presentations that the client has, which are the base of patches.
  private var sent: [SessionID: Presentation] = [:]
  private var line = 0

  /// Serves until the client quits or is gone.
  static func run(
    _ options: HostOptions, _ root: @escaping @MainActor (Registry) throws -> any Coordinator
  ) async -> Int32 {
    signal(SIGPIPE, SIG_IGN)
    // The input is read from the start, during all preparations, so that a client that writes is never blocked.
    let input = LineInbox()
    let channel = ChannelWriter(STDOUT_FILENO)
    ChannelReader.start(STDIN_FILENO, besides: channel, arrived: input.add, ended: input.finish)
    defer { channel.drain() }
    if options.launch.waitsForDebugger { await Debugger.waitForOne() }
    // During a probe, the host sends only these messages, so that an observer knows what the host waits for.
    let catalog = PluginCatalog(options) { try? channel.send(.probing(file: $0)) }
    let host = ServedHost(channel) { profile in
      let folders = profile.map { Folders.standard.of(profile: $0) } ?? Folders.standard
      return folders.map { Session(registry: catalog.registry, folders: $0, root: root) }
    }
    host.send(.hello(.current, processID: Int(getpid())))
    catalog.willLoad = { [weak host] in host?.send(.loading(file: $0)) }
    catalog.didNotice = { [weak host] text in
      Console.complain("gangway-host: \(text)")
      host?.send(.failure(.init(code: "process", message: text)))
    }
    catalog.didChange = { [weak host] status in if status.state != .loading { host?.send(.plugin(status)) } }
    do {
      try await catalog.prepare()
      await catalog.loadEarly()
    } catch {
      host.send(.failure(.init(code: "plugins", message: "\(error)")))
      Console.complain("gangway-host: \(error)")
      return 1
    }
    for warning in catalog.warnings { Console.complain("gangway-host: \(warning)") }
    // A screen that the client has already asked for comes before the list of all plugins, which may be long.
    let goesOn = host.take(input.take())
    host.send(.ready(catalog.statuses))
    guard goesOn else { return 0 }
    for await _ in input.arrivals {
      guard host.take(input.take()) else { return 0 }
    }
    // Handle the messages that arrived with the end.
    guard host.take(input.take()) else { return 0 }
    // A finished answer may start others: messages that waited for their session.
    while let answer = host.answers.values.first { await answer.value }
    return 0
  }

  init(_ channel: ChannelWriter, makeSession: @escaping @MainActor (_ profile: String?) -> Session?) {
    self.channel = channel
    self.makeSession = makeSession
  }

  /// Handles received pieces, and returns false if the host must end.
  private func take(_ pieces: [LineSplitter.Piece]) -> Bool { pieces.allSatisfy(take) }

  /// Handles one line, and returns false if the host must end.
  private func take(_ piece: LineSplitter.Piece) -> Bool {
    line += 1
    return answerFailures(of: line) {
      switch piece {
      case .line(let bytes): return try handle(Line.decode(ClientMessage.self, from: bytes), line)
      case .oversized(let count):
        throw HostMessage.Failure(
          code: "oversized", message: "The line has \(count) bytes or more; the maximum is \(Line.maximumLength).")
      case .crash: throw HostMessage.Failure(code: "malformed", message: "The line has a control character.")
      }
    }
  }

  /// Runs the work of a line, answers its errors, and returns false if the host must end.
  private func answerFailures(of line: Int, _ work: () throws -> Bool) -> Bool {
    do {
      return try work()
    } catch var failure as HostMessage.Failure {
      failure.line = line
      send(.failure(failure))
    } catch {
      send(.failure(.init(code: "malformed", message: "\(error)", line: line)))
    }
    return true
  }

  private func handle(_ message: ClientMessage, _ line: Int) throws -> Bool {
    if case .hello(let version, let takesPatches) = message { return try greet(version, takesPatches) }
    guard isGreeted else {
      throw HostMessage.Failure(
        code: "handshake",
        message: "The first message must be hello with the protocol version \(ProtocolVersion.current).")
    }
    if let id = message.session, early[id]?.append((message, line)) != nil { return true }
    switch message {
    case .hello: break
    case .records(let id, let records): ahead[id, default: []] += records
    case .open(let id, var checkpoint, let isFromFile, let profile):
      for record in ahead.removeValue(forKey: id) ?? [] { checkpoint?.records[record.id] = record }
      try open(id, checkpoint, isFromFile, profile: profile, line)
    case .event(let id, let event):
      let session = try session(id)
      answer { self.send(.update(session: id, await session.answer(to: event))) }
    case .resync(let id): try sendWhole(id)
    case .tree(let id): send(.tree(session: id, try session(id).tree))
    case .history(let id): send(.history(session: id, try session(id).history.map(\.description)))
    case .close(let id):
      try session(id).close()
      sessions[id] = nil
      sent[id] = nil
      send(.closed(session: id))
    case .quit: return false
    }
    return true
  }

  private func greet(_ version: ProtocolVersion, _ takesPatches: Bool) throws -> Bool {
    guard version.major == ProtocolVersion.current.major else {
      throw HostMessage.Failure(
        code: "version",
        message: "The client uses protocol \(version), and this host uses \(ProtocolVersion.current): "
          + "their major versions must be equal. Install both from one release.")
    }
    isGreeted = true
    clientTakesPatches = takesPatches
    return true
  }

  /// Sends the whole presentation of a session, as for a client that lost the base of patches.
  private func sendWhole(_ id: SessionID) throws {
    let presentation = try session(id).presentation
    sent[id] = nil
    send(
      .update(
        session: id,
        Update(event: nil, revision: presentation.revision, presentation: presentation, checkpoint: nil)))
  }

  /// Returns an update for the client, with a patch if the client takes patches and the patch is shorter.
  private func forClient(_ update: Update, of id: SessionID) -> Update {
    guard let presentation = update.presentation else { return update }
    guard clientTakesPatches else { return update }
    var update = update
    defer { sent[id] = presentation }
    guard let patch = sent[id].flatMap(presentation.patch), patch.isWorthwhile else { return update }
    update.presentation = nil
    update.patch = patch
    return update
  }

  private func open(_ id: SessionID, _ checkpoint: Checkpoint?, _ isFromFile: Bool, profile: String?, _ line: Int)
    throws
  {
    guard sessions[id] == nil else {
      throw HostMessage.Failure(
        code: "session", message: "There is a session '\(id)' already. Close it first.", session: id)
    }
    guard let session = makeSession(profile) else {
      throw HostMessage.Failure(
        code: "session",
        message: "'\(profile ?? "")' is not a valid profile: use at most 64 letters, digits, '-' and '_'.", session: id)
    }
    session.onRestoring = { [weak self] node, plugin in
      self?.send(.restoring(session: id, node: node, plugin: plugin))
    }
    sessions[id] = session
    early[id] = []
    answer { [self] in
      do {
        let update = try await session.open(from: checkpoint, asksGuards: isFromFile)
        session.onUpdate = { [weak self] in self?.send(.update(session: id, $0)) }
        send(.update(session: id, update))
      } catch {
        sessions[id] = nil
        send(
          .failure(
            .init(
              code: "checkpoint",
              message: "The checkpoint could not be restored: \(error). Open the session without it.",
              line: line, session: id)))
      }
      for (message, line) in early.removeValue(forKey: id) ?? [] {
        _ = answerFailures(of: line) { try handle(message, line) }
      }
    }
  }

  /// Runs the work of an answer, at once as far as possible.
  private func answer(_ work: @escaping @MainActor () async -> Void) {
    let number = answerCount
    answerCount += 1
    var isDone = false
    let task = Task.immediate {
      await work()
      isDone = true
      answers[number] = nil
    }
    if !isDone { answers[number] = task }
  }

  private func session(_ id: SessionID) throws -> Session {
    guard let session = sessions[id] else {
      throw HostMessage.Failure(
        code: "session", message: "There is no session '\(id)'. Open it first.", session: id)
    }
    return session
  }

  private func send(_ message: HostMessage) {
    var message = message
    if case .update(let id, let update) = message { message = .update(session: id, forClient(update, of: id)) }
    do {
      // If a library ends the process while it loads, the client must know which one.
      if case .loading = message { return try channel.send(message, isUrgent: true) }
      try channel.send(message)
    } catch {
      Console.complain("gangway-host: a message could not be encoded: \(error)")
    }
  }
}
