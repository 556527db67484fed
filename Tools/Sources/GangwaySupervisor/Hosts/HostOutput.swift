@_spi(FrontEnd) import GangwayClient
@_spi(FrontEnd) import GangwayProtocol
import Glibc
import Synchronization

/// The output of a host, read and decoded on a separate thread.
///
/// The amount of unread output is limited: a host that writes faster than the supervisor reads has to wait.
package final class HostOutput: Sendable {
  /// The most output in bytes that may be unread before the host has to wait.
  private static let maximumBacklog = 64 << 20

  /// A report of the host, or about it.
  package enum Report: Sendable {
    case message(HostMessage)
    /// The byte of the host's signal handler: the host is crashing and writes its report.
    case dying
    /// A line that is not a message.
    case garbled(String)
    /// The host closed its end of the channel, so it has ended or is about to end.
    case closed
  }

  /// A report, with its size in bytes.
  struct Piece: Sendable {
    let report: Report
    let size: Int
    /// The session whose presentation is lost, because a patch had a different base.
    ///
    /// The supervisor must request the whole presentation.
    var lostSession: SessionID?
  }

  private let reports: AsyncStream<Piece>
  private let continuation: AsyncStream<Piece>.Continuation
  private let descriptor: Int32
  /// The size of the unacknowledged reports in bytes.
  private let backlog = Atomic(0)
  private let isRead = Atomic(true)
  @MainActor private var taker: (@MainActor (Report) -> Bool)?

  /// Takes ownership of the descriptor that a host writes to.
  init(_ descriptor: Int32) {
    self.descriptor = descriptor
    (reports, continuation) = AsyncStream.makeStream(of: Piece.self)
  }

  deinit { close(descriptor) }

  /// The state that decoding carries from line to line; used by the reading thread only.
  private struct Reading {
    /// The records that arrived ahead of their update.
    ///
    /// They are useless without the update, so they are lost with the host.
    var ahead: [Checkpoint.Record] = []
    var sent = SentPresentations()
  }

  /// Starts reading.
  func start() {
    let reading = Mutex(Reading())
    LineReader.follow(descriptor) { [self] pieces in
      for piece in pieces {
        switch piece {
        case .crash: report(Piece(report: .dying, size: 1))
        case .oversized(let count): report(Piece(report: .garbled(Words.Impossible.longLine(bytes: count)), size: 1))
        case .line(let bytes):
          guard let piece = reading.withLock({ Self.decode(bytes, &$0) }) else { continue }
          report(piece)
        @unknown default: report(Piece(report: .garbled(Words.Impossible.longLine(bytes: 0)), size: 1))
        }
      }
    } ended: { [self] in
      report(Piece(report: .closed, size: 1))
      continuation.finish()
    }
  }

  private static func decode(_ bytes: [UInt8], _ reading: inout Reading) -> Piece? {
    func piece(_ report: Report, lost: SessionID? = nil) -> Piece {
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

  private func acknowledge(_ piece: Piece) { backlog.wrappingSubtract(piece.size, ordering: .relaxed) }

  /// Passes the reports to a handler, in order, until the output ends or the handler returns false.
  ///
  /// A further call replaces the handler for all later reports.
  ///
  /// - Parameters:
  ///   - lost: called with a session whose presentation is lost.
  ///   - take: the handler of a report; returns false to stop.
  @MainActor func follow(
    lost: @escaping @MainActor (SessionID) -> Void, _ take: @escaping @MainActor (Report) -> Bool
  ) {
    let isFollowed = taker != nil
    taker = take
    guard !isFollowed else { return }
    Task { @MainActor [self] in
      for await piece in reports {
        acknowledge(piece)
        if let session = piece.lostSession { lost(session) }
        guard taker?(piece.report) == true else { break }
      }
      taker = nil
      // Nothing uses the reports any more, but the host must not block on its output.
      for await piece in reports { acknowledge(piece) }
    }
  }

  /// Stops reading.
  func stop() {
    isRead.store(false, ordering: .releasing)
    shutdown(descriptor, Int32(SHUT_RD))
  }
}
