import GangwayClient
import GangwayProtocol
import Glibc

/// A front end in another process, as the app has it: does what comes from there, and sends what changes.
@MainActor public final class AttachedFrontEnd {
  /// How much may wait for it to be read, in bytes: one that does not read is let go.
  public nonisolated static let maximumBacklog = 64 << 20

  private let maximumBacklog: Int
  private let seat: SessionSeat
  private let descriptor: Int32
  private let writer: SocketWriter
  /// What it was sent last.
  private var sent: Presentation?

  /// Takes over a socket.
  init(_ descriptor: Int32, _ seat: SessionSeat, maximumBacklog: Int) {
    (self.descriptor, self.seat, self.maximumBacklog) = (descriptor, seat, maximumBacklog)
    writer = SocketWriter(descriptor)
  }

  /// Serves it until it leaves.
  ///
  /// - Parameter greeting: what it is told first.
  func run(greeting: ControlAnswer) async {
    if let line = try? Line.encode(greeting) { writer.send(line) }
    send(nil, Update(event: nil, revision: 0, presentation: nil, checkpoint: nil, pending: seat.pending))
    seat.onUpdate = { [weak self] in self?.send(nil, $0) }
    seat.onClose = { [weak self] in self?.end() }
    // What is read is a descriptor of its own: the other is closed when nothing is written any more.
    let incoming = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    for await piece in LineReader.pieces(of: incoming) {
      guard case .line(let bytes) = piece,
        let request = try? Line.decode(AttachMessage.FromFrontEnd.self, from: bytes)
      else {
        // The rest is read until the end alone.
        end()
        continue
      }
      Task { await perform(request) }
    }
    close(incoming)
    end()
  }

  /// Lets it go.
  private func end() {
    seat.onUpdate = { _ in }
    writer.close()
    shutdown(descriptor, Int32(SHUT_RDWR))
  }

  private func perform(_ request: AttachMessage.FromFrontEnd) async {
    switch request {
    case .event(let event):
      await answer(event.id) { .update(number: event.id, try await self.seat.send(event.action)) }
    case .tree(let number): await answer(number) { .tree(number: number, try await self.seat.tree()) }
    case .history(let number): await answer(number) { .history(number: number, try await self.seat.history()) }
    case .restart(let number):
      await answer(number) {
        try await self.seat.restart()
        return .done(number: number, "")
      }
    case .reload(let number, let plugin):
      await answer(number) { .done(number: number, try await self.seat.reload(plugin)) }
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

  /// Sends an update, with the presentation where another one was sent last.
  private func send(_ number: Int?, _ update: Update) {
    var update = update
    let now = seat.presentation
    (update.presentation, update.patch, update.checkpoint) = (now == sent ? nil : now, nil, nil)
    (update.revision, update.pending) = (now.revision, seat.pending)
    sent = now
    send(.update(number: number, update))
  }

  private func send(_ message: AttachMessage.FromApp) {
    guard writer.backlog < maximumBacklog, let line = try? Line.encode(message) else { return end() }
    writer.send(line)
  }
}
