import Dispatch
@_spi(FrontEnd) import GangwayClient
@_spi(FrontEnd) import GangwayProtocol
import Glibc

/// The app's side of a connection to its socket: a command, or a front end in another process.
///
/// It is read on the main queue, without a thread of its own.
@MainActor final class AppConnection {
  private let app: any ControlledApp
  private let descriptor: Int32
  private let writer: SocketWriter
  private let source: any DispatchSourceRead
  private let maximumBacklog: Int
  private var splitter = LineSplitter()
  /// The number of the last line of the client, from 1.
  private var line = 0
  private var isGreeted = false
  private var takesPatches = false
  /// The session that the client is a front end of.
  private var front: (session: SessionID, connection: FrontEndConnection)?
  /// The presentation that was sent last.
  private var sent: Presentation?
  private var hasEnded = false
  /// Called when the client has sent its first request, and when the connection ends.
  private let changed: @MainActor (AppConnection) -> Void
  /// Whether the client has sent no request yet.
  private(set) var isSilent = true

  /// Takes ownership of a connected socket, and greets the client.
  init(
    _ descriptor: Int32, _ app: any ControlledApp, maximumBacklog: Int,
    changed: @escaping @MainActor (AppConnection) -> Void
  ) {
    (self.descriptor, self.app, self.maximumBacklog, self.changed) = (descriptor, app, maximumBacklog, changed)
    writer = SocketWriter(descriptor)
    source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .main)
    // The source keeps the connection until it is canceled.
    source.setEventHandler { MainActor.assumeIsolated { self.read() } }
    // The writer closes the descriptor, which must stay open until the source is canceled.
    source.setCancelHandler { [writer] in withExtendedLifetime(writer) {} }
    source.resume()
    send(.session(.hello(.current, processID: Int(getpid()))))
  }

  /// Ends the connection; the client can still read the messages that are in the socket.
  func end() {
    guard !hasEnded else { return }
    hasEnded = true
    front?.connection.onUpdate = { _ in }
    front = nil
    writer.close()
    shutdown(descriptor, Int32(SHUT_RDWR))
    source.setEventHandler {}
    source.cancel()
    changed(self)
  }

  private func read() {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
    if count < 0, errno == EAGAIN || errno == EINTR { return }
    guard count > 0 else { return end() }
    for piece in splitter.append(buffer[..<count]) where !hasEnded {
      line += 1
      take(piece)
    }
  }

  private func take(_ piece: LineSplitter.Piece) {
    guard case .line(let bytes) = piece else {
      return fail("oversized", Words.Control.requestTooLong(limit: Line.maximumLength))
    }
    do {
      let request = try Line.decode(AppRequest.self, from: bytes)
      guard isGreeted else { return greet(request) }
      if isSilent {
        isSilent = false
        changed(self)
      }
      let line = line
      Task { await answer(request, line) }
    } catch {
      fail("malformed", (error as? HostMessage.Failure)?.message ?? "\(error)")
      // A client that does not speak the protocol gets no further.
      if !isGreeted { end() }
    }
  }

  private func greet(_ request: AppRequest) {
    guard case .session(.hello(let version, let takesPatches)) = request else {
      fail("handshake", Words.Control.helloFirst(.current))
      return end()
    }
    guard version.major == ProtocolVersion.current.major else {
      fail("version", Words.Control.otherProtocol(version, own: .current))
      return end()
    }
    (isGreeted, self.takesPatches) = (true, takesPatches)
  }

  // MARK: Requests

  private func answer(_ request: AppRequest, _ line: Int) async {
    do {
      switch request {
      case .attach(let session, let isReadOnly): try attach(session, isReadOnly)
      case .list: send(.done(line: line, text: "", plugins: await app.plugins()))
      case .status: send(.done(line: line, text: "", status: app.status()))
      case .reload(let plugin?) where front == nil:
        send(.done(line: line, text: try await app.reloaded(plugin)))
      case .reload(let plugin):
        send(.done(line: line, text: try await frontEnd().reload(plugin)))
      case .restart:
        try await frontEnd().restart()
        send(.done(line: line, text: ""))
      case .session(let message): try await answer(message)
      }
    } catch {
      fail("refused", "\(error)", line)
    }
  }

  private func answer(_ message: ClientMessage) async throws {
    switch message {
    case .event(_, let event):
      var update = try await frontEnd().send(event.action)
      let isLost = update.event == nil
      update.event = event.id
      send(update, isLost: isLost)
    case .resync:
      sent = nil
      send(Update(event: nil, revision: 0, presentation: nil, checkpoint: nil))
    case .tree: send(.session(.tree(session: front?.session ?? "", try await frontEnd().tree())))
    case .history: send(.session(.history(session: front?.session ?? "", try await frontEnd().history())))
    case .close, .quit: end()
    case .hello, .open, .records:
      throw SupervisorFailure(Words.Control.notAfterHello)
    @unknown default: throw SupervisorFailure(Words.Control.notAfterHello)
    }
  }

  private func frontEnd() throws -> FrontEndConnection {
    guard let front else { throw SupervisorFailure(Words.Control.attachFirst) }
    return front.connection
  }

  private func attach(_ session: SessionID?, _ isReadOnly: Bool) throws {
    guard front == nil else { throw SupervisorFailure(Words.Control.attached) }
    let found = try app.frontEnd(session, isReadOnly: isReadOnly)
    front = found
    send(Update(event: nil, revision: 0, presentation: nil, checkpoint: nil))
    found.connection.onUpdate = { [weak self] in
      var update = $0
      update.event = nil
      self?.send(update)
    }
    // The closure must not keep the connection, which keeps the closure.
    found.connection.onClose = { [weak self, session = found.session] in
      self?.send(.session(.closed(session: session)))
      self?.end()
    }
  }

  // MARK: Messages

  /// Sends an update, with what differs from the presentation that was sent last.
  private func send(_ update: Update, isLost: Bool = false) {
    guard let front else { return }
    var update = update
    let now = front.connection.presentation
    (update.presentation, update.patch, update.checkpoint) = (now == sent ? nil : now, nil, nil)
    if takesPatches, update.presentation != nil, let patch = sent.flatMap(now.patch), patch.isWorthwhile {
      (update.presentation, update.patch) = (nil, patch)
    }
    (update.revision, update.pending) = (now.revision, front.connection.pending)
    sent = now
    let message = HostMessage.update(session: front.session, update)
    send(isLost ? .lost(message) : .session(message))
  }

  private func fail(_ code: String, _ text: String, _ number: Int? = nil) {
    send(.session(.failure(.init(code: code, message: text, line: number ?? line, session: front?.session))))
  }

  private func send(_ message: AppMessage) {
    guard !hasEnded else { return }
    guard writer.backlog < maximumBacklog, let line = try? Line.encode(message) else { return end() }
    writer.send(line)
  }
}
