import GangwayClient
import GangwayProtocol
import Glibc
import Synchronization

/// What a host says, read and decoded on a thread of its own. A host that says more than is taken is made to wait: what is
/// kept of it is bounded.
final class HostOutput: Sendable {
  /// How many bytes may wait to be taken before the host has to wait.
  private static let maximumBacklog = 64 << 20

  /// Something the host said, and its bytes.
  struct Piece: Sendable {
    let report: HostProcess.Report
    let size: Int
  }

  /// Everything the host says, in order; each is to be acknowledged by ``taken(_:)``.
  let reports: AsyncStream<Piece>
  private let continuation: AsyncStream<Piece>.Continuation
  private let descriptor: Int32
  /// The bytes of what has not been taken.
  private let backlog = Atomic(0)
  private let isRead = Atomic(true)

  /// Takes over the descriptor that a host writes to.
  init(_ descriptor: Int32) {
    self.descriptor = descriptor
    (reports, continuation) = AsyncStream.makeStream(of: Piece.self)
  }

  deinit { close(descriptor) }

  /// Begins to read.
  func start() {
    // Records that came ahead of the update they are of. Without it they are of no use: they go with the host.
    let ahead = Mutex<[Checkpoint.Record]>([])
    LineReader.follow(descriptor) { [self] pieces in
      for piece in pieces {
        switch piece {
        case .crash: report(.dying, 1)
        case .oversized(let count): report(.garbled("a line of \(count) bytes"), 1)
        case .line(let bytes): report(Self.decode(bytes, ahead), bytes.count)
        }
      }
    } ended: { [self] in
      report(.closed, 1)
      continuation.finish()
    }
  }

  private static func decode(_ bytes: [UInt8], _ ahead: borrowing Mutex<[Checkpoint.Record]>) -> HostProcess.Report? {
    do {
      let message = try Line.decode(HostMessage.self, from: bytes)
      switch message {
      case .records(_, let records):
        ahead.withLock { $0 += records }
        return nil
      case .update(let session, var update):
        let records = ahead.withLock { records in
          defer { records = [] }
          return records
        }
        guard !records.isEmpty else { return .message(message) }
        var change = update.checkpoint ?? .init(changed: [], removed: [], nextNode: 1)
        change.changed = records + change.changed
        update.checkpoint = change
        return .message(.update(session: session, update))
      default: return .message(message)
      }
    } catch {
      return .garbled("\(error)")
    }
  }

  private func report(_ report: HostProcess.Report?, _ size: Int) {
    guard let report else { return }
    let total = backlog.wrappingAdd(size, ordering: .relaxed).newValue
    continuation.yield(Piece(report: report, size: size))
    guard total > Self.maximumBacklog else { return }
    while isRead.load(ordering: .acquiring), backlog.load(ordering: .relaxed) > Self.maximumBacklog / 2 {
      usleep(1_000)
    }
  }

  /// Says that something has been taken.
  func taken(_ piece: Piece) { backlog.wrappingSubtract(piece.size, ordering: .relaxed) }

  /// Takes nothing more.
  func stop() {
    isRead.store(false, ordering: .releasing)
    shutdown(descriptor, Int32(SHUT_RD))
  }
}
