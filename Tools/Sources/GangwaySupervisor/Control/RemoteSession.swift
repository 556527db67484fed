import GangwayClient
import GangwayProtocol
import Glibc

/// A session of an app in another process, which has front ends of its own.
@MainActor public final class RemoteSession: SessionConnection {
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
  private var number = 0
  private var waiting: [Int: CheckedContinuation<AttachMessage.FromApp, any Error>] = [:]
  private var hasEnded = false

  /// The continuation of ``attach(to:session:isReadOnly:)``; nil once the app has accepted or rejected this front end.
  private var entering: CheckedContinuation<Void, any Error>?
  private var isGreeted = false

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
    to app: RunningApps.App, session: String? = nil, isReadOnly: Bool = false
  ) async throws -> RemoteSession {
    guard let descriptor = app.connect() else { throw SupervisorFailure(app.silence) }
    let remote = RemoteSession(descriptor, app)
    let incoming = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    Task {
      for await piece in LineReader.pieces(of: incoming, limit: AttachedFrontEnd.maximumBacklog) {
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
      remote.writer.send(try Line.encode(ControlRequest.attach(session: session, isReadOnly: isReadOnly)))
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

  /// Handles a line from the app: first the greeting, which accepts or rejects this front end, then messages.
  ///
  /// - Returns: whether the line is a valid message.
  private func take(_ bytes: [UInt8]) -> Bool {
    guard isGreeted else {
      guard let greeting = try? Line.decode(ControlAnswer.self, from: bytes) else { return false }
      isGreeted = greeting.isDone
      if !greeting.isDone { enter(.failure(SupervisorFailure(greeting.text))) }
      return true
    }
    guard let message = try? Line.decode(AttachMessage.FromApp.self, from: bytes) else { return false }
    take(message)
    enter(.success(()))
    return true
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

  private func take(_ message: AttachMessage.FromApp) {
    if case .update(_, let update) = message {
      if let new = update.presentation { presentation = new }
      pending = update.pending
    }
    if let number = message.number {
      waiting.removeValue(forKey: number)?.resume(returning: message)
    } else if case .update(_, let update) = message {
      if untold == nil { onUpdate(update) } else { untold = ((untold ?? []) + [update]).suffix(20) }
    }
  }

  private func end() {
    let failure = SupervisorFailure("The app of process \(app.process) has ended, or has disconnected this front end.")
    enter(.failure(failure))
    for waiter in waiting.values { waiter.resume(throwing: failure) }
    waiting = [:]
    guard !hasEnded else { return }
    hasEnded = true
    onEnd("\(failure)")
  }

  private func ask(_ request: (Int) -> AttachMessage.FromFrontEnd) async throws -> AttachMessage.FromApp {
    guard !hasEnded else { throw SupervisorFailure("The app of process \(app.process) has ended.") }
    number += 1
    let line = try Line.encode(request(number))
    let answer = try await withCheckedThrowingContinuation { waiter in
      waiting[number] = waiter
      writer.send(line)
    }
    if case .failure(_, let reason) = answer { throw SupervisorFailure(reason) }
    return answer
  }

  public func send(_ action: Event.Action) async throws -> Update {
    let answer = try await ask { .event(Event(id: $0, revision: presentation.revision, action: action)) }
    guard case .update(_, let update) = answer else { throw Self.nonsense }
    return update
  }

  public func tree() async throws -> TreeNode {
    guard case .tree(_, let tree) = try await ask({ .tree(number: $0) }) else { throw Self.nonsense }
    return tree
  }

  public func history() async throws -> [String] {
    guard case .history(_, let lines) = try await ask({ .history(number: $0) }) else { throw Self.nonsense }
    return lines
  }

  public func restart() async throws { _ = try await ask { .restart(number: $0) } }

  public func reload(_ plugin: String?) async throws -> String {
    guard case .done(_, let text) = try await ask({ .reload(number: $0, plugin: plugin) }) else { throw Self.nonsense }
    return text
  }

  private static let nonsense = SupervisorFailure(
    "The app sent an unexpected answer. It may be another version of gangway.")
}
