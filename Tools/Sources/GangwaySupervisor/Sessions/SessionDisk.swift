@_spi(FrontEnd) import GangwayClient
@_spi(FrontEnd) import GangwayProtocol
import Glibc

/// The operations by which a session reaches the disk, and their time. Tests and simulations replace them.
@MainActor package struct SessionDisk {
  /// A new file with the whole session.
  package struct WholeFile: Sendable {
    /// The descriptor, open for more lines.
    let descriptor: Int32
    let path: String
    /// The size in bytes.
    let size: Int
  }

  /// Makes the operations of the system.
  package init() {}

  /// The time of writes and of the waits between them.
  package var clock: any SupervisorClock = SystemClock()

  /// Returns the bytes available for a copy of a session from which a host removed everything.
  var roomForCopy: () -> Int = { KeptSession.maximumSize }

  /// Writes the whole session to a new file beside the present one.
  package var write: @Sendable (StateFile, Checkpoint) throws -> WholeFile = { try $0.writeBeside($1) }

  /// Appends a line to an open file; returns whether the whole line was written.
  package var append: ([UInt8], Int32) -> Bool = { ProcessIO.writeAll($0, to: $1) }

  /// Runs a long write on another thread.
  package var inBackground:
    (@escaping @Sendable () -> Result<WholeFile, SupervisorFailure>) async
      -> Result<WholeFile, SupervisorFailure> = { work in await Task.detached { work() }.value }
}
