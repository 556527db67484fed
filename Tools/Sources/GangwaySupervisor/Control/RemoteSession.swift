@_spi(FrontEnd) import GangwayClient
@_spi(FrontEnd) import GangwayProtocol
import Glibc

/// A session of an app in another process, which has front ends of its own.
@_spi(FrontEnd) @MainActor public final class RemoteSession: SessionConnection {
  public private(set) var presentation = Presentation(
    revision: 0, tabBars: [], path: [], canGoBack: false, layers: [])
  public private(set) var pending: [Update.Pending] = []
  public var onUpdate: (Update) -> Void = { _ in } {
    didSet {
      let untold = untold
      self.untold = nil
      for update in untold ?? [] { onUpdate(update) }
    }
  }
  /// Called with a text for the user when the app ends or disconnects this front end.
  public var onEnd: (String) -> Void = { _ in }

  /// The updates that arrived before ``onUpdate`` was set; nil afterwards.
  private var untold: [Update]? = []
  private let writer: SocketWriter
  private let descriptor: Int32
  private let app: RunningApps.App
  private var session: SessionID = ""
  private var sent = SentPresentations()
  /// The number of the last line to the app, which is also the id of an event in the line.
  private var line = 0
  private var waiting: [Int: CheckedContinuation<AppMessage, any Error>] = [:]
  private var hasEnded = false
  /// The continuation of ``attach(to:session:isReadOnly:)``; nil once the app has accepted or rejected this front end.
  private var entering: CheckedContinuation<Void, any Error>?

  private init(_ descriptor: Int32, _ app: RunningApps.App) {
    (self.descriptor, self.app) = (descriptor, app)
    writer = SocketWriter(descriptor)
  }

  /// The time limit for the app to accept a front end.
  private static let patience: Duration = .seconds(5)

  /// Attaches to a session of an app.
  ///
  /// - Parameters:
  ///   - app: the app.
  ///   - session: the session's name; nil if the app has only one.
  ///   - isReadOnly: whether the app ignores the actions of this front end.
  /// - Throws: ``SupervisorFailure`` if the app does not answer or has no such session.
  public static func attach(
    to app: RunningApps.App, session: SessionID? = nil, isReadOnly: Bool = false
  ) async throws -> RemoteSession {
    guard let descriptor = app.connect() else { throw SupervisorFailure(app.silence) }
    let remote = RemoteSession(descriptor, app)
    let incoming = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    Task {
      for await piece in LineReader.pieces(of: incoming, limit: ControlSocket.maximumBacklog) {
        // After an invalid message, shut the connection down, but read it to its end.
        guard case .line(let bytes) = piece, remote.take(bytes) else { remote.close(); continue }
      }
      Glibc.close(incoming)
      remote.end()
    }
    let limit = Task {
      guard (try? await Task.sleep(for: patience)) != nil else { return }
      remote.enter(.failure(SupervisorFailure(app.silence)))
    }
    defer { limit.cancel() }
    do {
      try remote.write(.session(.hello(.current, takesPatches: true)))
      try remote.write(.attach(session: session, isReadOnly: isReadOnly))
      try await withCheckedThrowingContinuation { remote.entering = $0 }
    } catch {
      remote.detach()
      throw error
    }
    return remote
  }

  private func enter(_ result: Result<Void, any Error>) {
    entering?.resume(with: result)
    entering = nil
  }

  /// Handles a line from the app.
  ///
  /// - Returns: whether the line is a valid message.
  private func take(_ bytes: [UInt8]) -> Bool {
    guard let message = try? Line.decode(AppMessage.self, from: bytes) else { return false }
    switch message {
    case .done(let line, _, _, _): waiting.removeValue(forKey: line)?.resume(returning: message)
    case .session(.hello(let version, _)):
      guard version.major == ProtocolVersion.current.major else {
        enter(.failure(SupervisorFailure(Words.Control.otherVersion(process: app.process))))
        return false
      }
    case .session(.failure(let failure)): take(failure)
    case .session(.update(let session, let update)), .lost(.update(let session, let update)):
      self.session = session
      if case .lost = message { take(update, isLost: true) } else { take(update, isLost: false) }
      enter(.success(()))
    case .session(.tree), .session(.history): answerOldest(message)
    default: break
    }
    return true
  }

  private func take(_ failure: HostMessage.Failure) {
    let reason = SupervisorFailure(failure.message)
    inquiries.removeAll { $0 == failure.line }
    if let waiter = failure.line.flatMap({ waiting.removeValue(forKey: $0) }) {
      waiter.resume(throwing: reason)
    } else {
      enter(.failure(reason))
    }
  }

  private func take(_ update: Update, isLost: Bool) {
    var update = update
    if sent.complete(&update, of: session) { try? write(.session(.resync(session: session))) }
    if let new = update.presentation { presentation = new }
    pending = update.pending
    if let event = update.event, let waiter = waiting.removeValue(forKey: event.rawValue) {
      // As from a session in this process.
      if isLost { update.event = nil }
      waiter.resume(returning: .session(.update(session: session, update)))
    } else if untold == nil {
      onUpdate(update)
    } else {
      untold = ((untold ?? []) + [update]).suffix(20)
    }
  }

  /// The lines of the requests for the tree and the history, in their order.
  private var inquiries: [Int] = []

  /// Answers the oldest request for the tree or the history: the app answers them in their order.
  private func answerOldest(_ message: AppMessage) {
    guard !inquiries.isEmpty else { return }
    waiting.removeValue(forKey: inquiries.removeFirst())?.resume(returning: message)
  }

  /// Detaches from the session, which continues in the app.
  public func detach() {
    hasEnded = true
    close()
  }

  private func close() {
    writer.close()
    shutdown(descriptor, Int32(SHUT_RDWR))
  }

  private func end() {
    let failure = SupervisorFailure(Words.Control.endedOrDisconnected(process: app.process))
    enter(.failure(failure))
    for waiter in waiting.values { waiter.resume(throwing: failure) }
    waiting = [:]
    guard !hasEnded else { return }
    hasEnded = true
    onEnd("\(failure)")
  }

  private func write(_ request: AppRequest) throws {
    line += 1
    writer.send(try Line.encode(request))
  }

  /// Sends a request and waits for its answer.
  ///
  /// - Parameter request: returns the request for the number of its line.
  private func ask(_ request: (Int) -> AppRequest) async throws -> AppMessage {
    guard !hasEnded else { throw SupervisorFailure(Words.Control.ended(process: app.process)) }
    let number = line + 1
    let request = request(number)
    return try await withCheckedThrowingContinuation { waiter in
      waiting[number] = waiter
      do {
        try write(request)
      } catch {
        waiting.removeValue(forKey: number)?.resume(throwing: error)
      }
    }
  }

  private func inquire(_ message: ClientMessage) async throws -> AppMessage {
    try await ask {
      inquiries.append($0)
      return .session(message)
    }
  }

  public func send(_ action: Event.Action) async throws -> Update {
    let revision = presentation.revision
    let answer = try await ask {
      .session(.event(session: session, Event(id: EventID(rawValue: $0), revision: revision, action: action)))
    }
    guard case .session(.update(_, let update)) = answer else { throw Self.nonsense }
    return update
  }

  public func tree() async throws -> TreeNode {
    guard case .session(.tree(_, let tree)) = try await inquire(.tree(session: session)) else { throw Self.nonsense }
    return tree
  }

  public func history() async throws -> [String] {
    guard case .session(.history(_, let lines)) = try await inquire(.history(session: session)) else {
      throw Self.nonsense
    }
    return lines
  }

  public func restart() async throws { _ = try await ask { _ in .restart } }

  public func reload(_ plugin: PluginID?) async throws -> String {
    guard case .done(_, let text, _, _) = try await ask({ _ in .reload(plugin: plugin) }) else { throw Self.nonsense }
    return text
  }

  private static let nonsense = SupervisorFailure(Words.Control.unexpectedAnswer)
}
