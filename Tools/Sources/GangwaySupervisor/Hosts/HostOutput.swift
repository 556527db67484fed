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
    /// The session whose screen is not known any more: a patch was based on another than the one that is here, and the whole is to be
    /// asked for.
    var lostSession: SessionID?
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

  /// What lines that came before have to do with those that follow; of the thread that reads alone.
  private struct Reading {
    /// Records that came ahead of the update they are of. Without it they are of no use: they go with the host.
    var ahead: [Checkpoint.Record] = []
    var sent = SentPresentations()
  }

  /// Begins to read.
  func start() {
    let reading = Mutex(Reading())
    LineReader.follow(descriptor) { [self] pieces in
      for piece in pieces {
        switch piece {
        case .crash: report(Piece(report: .dying, size: 1))
        case .oversized(let count): report(Piece(report: .garbled("a line of \(count) bytes"), size: 1))
        case .line(let bytes):
          guard let piece = reading.withLock({ Self.decode(bytes, &$0) }) else { continue }
          report(piece)
        }
      }
    } ended: { [self] in
      report(Piece(report: .closed, size: 1))
      continuation.finish()
    }
  }

  private static func decode(_ bytes: [UInt8], _ reading: inout Reading) -> Piece? {
    func piece(_ report: HostProcess.Report, lost: SessionID? = nil) -> Piece {
      Piece(report: report, size: bytes.count, lostSession: lost)
    }
    do {
      let message = try Line.decode(HostMessage.self, from: bytes)
      switch message {
      case .records(_, let records):
        reading.ahead += records
        return nil
      case .update(let session, var update):
        if !reading.ahead.isEmpty {
          var change = update.checkpoint ?? .init(changed: [], removed: [], nextNode: 1)
          change.changed = reading.ahead + change.changed
          reading.ahead = []
          update.checkpoint = change
        }
        let isLost = reading.sent.complete(&update, of: session)
        return piece(.message(.update(session: session, update)), lost: isLost ? session : nil)
      case .closed(let session):
        reading.sent.forget(session)
        return piece(.message(message))
      default: return piece(.message(message))
      }
    } catch {
      return piece(.garbled("\(error)"))
    }
  }

  private func report(_ piece: Piece) {
    let total = backlog.wrappingAdd(piece.size, ordering: .relaxed).newValue
    continuation.yield(piece)
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
