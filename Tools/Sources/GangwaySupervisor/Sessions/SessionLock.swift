import FoundationEssentials
import Glibc

/// Says that a stored session is in use, for as long as it lives and its process does.
///
/// It is an advisory lock of the system's (`flock`) on a file beside the session's, which stays: a lock on the session's own
/// file would go with it when it is written anew.
package final class SessionLock: Sendable {
  private let descriptor: Int32

  private init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit {
    // Closing alone would leave it taken as long as a process that is being started has the descriptor as well.
    _ = flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  package enum Outcome {
    case taken(SessionLock)
    /// Another process has it, whose number it may have said.
    case inUse(process: Int32?)
    /// There is no way to lock it: nobody keeps others from it.
    case impossible
    /// The system has no descriptor for it at the moment; `errno` says which limit was met.
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
