import FoundationEssentials
import Glibc

/// A lock that marks a stored session as in use, as long as the object and its process live.
///
/// The lock is an advisory lock of the system (`flock`) on a separate file beside the session's file. A lock on the
/// session's file itself would be lost when that file is replaced.
package final class SessionLock: Sendable {
  private let descriptor: Int32

  private init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit {
    // Closing alone would not unlock while a child process that is being started still has the descriptor.
    _ = flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  package enum Outcome {
    case taken(SessionLock)
    /// Another process has the lock; its ID is known if the lock file contains it.
    case inUse(process: Int32?)
    /// The file cannot be locked, so other apps cannot be kept out.
    case impossible
    /// The system has no free descriptor now; `errno` tells which limit was reached.
    case notNow
  }

  /// Takes the lock of a state file.
  package static func take(_ path: String) -> Outcome {
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    if !folder.isEmpty {
      try? FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }
    let descriptor = open("\(path).lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { return errno == EMFILE || errno == ENFILE ? .notNow : .impossible }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let isHeld = errno == EWOULDBLOCK
      var bytes = [UInt8](repeating: 0, count: 16)
      let count = pread(descriptor, &bytes, bytes.count, 0)
      close(descriptor)
      guard isHeld else { return .impossible }
      let text = String(decoding: bytes.prefix(max(0, count)).prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
      return .inUse(process: Int32(text))
    }
    ftruncate(descriptor, 0)
    let line = Array("\(getpid())\n".utf8)
    _ = pwrite(descriptor, line, line.count, 0)
    return .taken(SessionLock(descriptor))
  }
}
