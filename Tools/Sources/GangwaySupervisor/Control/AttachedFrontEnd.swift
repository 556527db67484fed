import GangwayClient
import GangwayProtocol
import Glibc

/// The app's side of a front end in another process: performs the front end's requests and sends it updates.
@MainActor public final class AttachedFrontEnd {
  /// The most unread output, in bytes; a front end that reads too slowly is disconnected.
  public nonisolated static let maximumBacklog = 64 << 20

  private let maximumBacklog: Int
  private let frontEnd: FrontEndConnection
  private let descriptor: Int32
  private let writer: SocketWriter
  /// The presentation that was sent last.
  private var sent: Presentation?

  /// Takes ownership of a connected socket.
  init(_ descriptor: Int32, _ frontEnd: FrontEndConnection, maximumBacklog: Int) {
    (self.descriptor, self.frontEnd, self.maximumBacklog) = (descriptor, frontEnd, maximumBacklog)
    writer = SocketWriter(descriptor)
  }

  /// Serves the front end until it disconnects.
  ///
  /// - Parameter greeting: the answer to send first.
  func run(greeting: ControlAnswer) async {
    if let line = try? Line.encode(greeting) { writer.send(line) }
    send(nil, Update(event: nil, revision: 0, presentation: nil, checkpoint: nil, pending: frontEnd.pending))
    frontEnd.onUpdate = { [weak self] in self?.send(nil, $0) }
    frontEnd.onClose = { [weak self] in self?.end() }
    // Reading uses a duplicate of the descriptor, because the writer closes the original after its last write.
    let incoming = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    for await piece in LineReader.pieces(of: incoming) {
      guard case .line(let bytes) = piece,
        let request = try? Line.decode(AttachMessage.FromFrontEnd.self, from: bytes)
      else {
        // The connection is shut down, but must be read to its end.
        end()
        continue
      }
      Task { await perform(request) }
    }
    close(incoming)
    end()
  }

  /// Disconnects the front end.
  private func end() {
    frontEnd.onUpdate = { _ in }
    writer.close()
    shutdown(descriptor, Int32(SHUT_RDWR))
  }

  private func perform(_ request: AttachMessage.FromFrontEnd) async {
    switch request {
    case .event(let event):
      await answer(event.id) { .update(number: event.id, try await self.frontEnd.send(event.action)) }
    case .tree(let number): await answer(number) { .tree(number: number, try await self.frontEnd.tree()) }
    case .history(let number): await answer(number) { .history(number: number, try await self.frontEnd.history()) }
    case .restart(let number):
      await answer(number) {
        try await self.frontEnd.restart()
        return .done(number: number, "")
      }
    case .reload(let number, let plugin):
      await answer(number) { .done(number: number, try await self.frontEnd.reload(plugin)) }
    }
  }

  private func answer(_ number: Int, _ work: () async throws -> AttachMessage.FromApp) async {
    do {
      switch try await work() {
      case .update(let number, let update): send(number, update)
      case let message: send(message)
      }
    } catch {
      send(.failure(number: number, "\(error)"))
    }
  }

  /// Sends an update, with the presentation if it differs from the last one sent.
  private func send(_ number: Int?, _ update: Update) {
    var update = update
    let now = frontEnd.presentation
    (update.presentation, update.patch, update.checkpoint) = (now == sent ? nil : now, nil, nil)
    (update.revision, update.pending) = (now.revision, frontEnd.pending)
    sent = now
    send(.update(number: number, update))
  }

  private func send(_ message: AttachMessage.FromApp) {
    guard writer.backlog < maximumBacklog, let line = try? Line.encode(message) else { return end() }
    writer.send(line)
  }
}
