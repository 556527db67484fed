import FoundationEssentials
import GangwayClient
import GangwayProtocol
import Glibc

/// The session as kept between runs: a file that only its owner can read, written whole or not at all.
public struct StateFile: Sendable {
  /// What was found on opening.
  public enum Content: Sendable {
    case nothing
    case checkpoint(Checkpoint)
    /// It could not be used: why, and where it was put.
    case setAside(String)
  }

  private struct Envelope: Codable {
    var kind: String
    var checkpoint: Checkpoint
  }

  private static let kind = "gangway.session"
  /// The largest file that is read, in bytes.
  static let maximumSize = 64 << 20

  /// Where it is.
  public let path: String

  /// Names a state file, which need not exist.
  public init(path: String) { self.path = path }

  /// Reads the file. One that is damaged, of another program, or open to others is set aside, never deleted.
  public func read() -> Content {
    let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else {
      return errno == ENOENT ? .nothing : setAside("it cannot be opened: \(String(cString: strerror(errno)))")
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return setAside("it is no regular file")
    }
    guard status.st_uid == geteuid() else {
      return setAside("it belongs to user \(status.st_uid), and this is user \(geteuid())")
    }
    guard status.st_mode & 0o077 == 0 else {
      return setAside("others can read or write it (mode \(String(status.st_mode & 0o777, radix: 8)), not 600)")
    }
    guard status.st_size <= Self.maximumSize else {
      return setAside("it has \(status.st_size) bytes, and at most \(Self.maximumSize) are read")
    }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    let count = pread(descriptor, &bytes, bytes.count, 0)
    guard count == bytes.count else { return setAside("it cannot be read: \(String(cString: strerror(errno)))") }
    do {
      let envelope = try Line.decode(Envelope.self, from: bytes)
      guard envelope.kind == Self.kind else { return setAside("it is of another kind: '\(envelope.kind)'") }
      try envelope.checkpoint.validate(maximumRecords: Checkpoint.maximumRecords)
      return .checkpoint(envelope.checkpoint)
    } catch let failure as HostMessage.Failure {
      return setAside("it is no stored session: \(failure.message)")
    } catch {
      return setAside("\(error)")
    }
  }

  /// Writes the file: to a new one beside it, synced, then renamed over it.
  ///
  /// - Throws: ``SupervisorFailure`` with the system's reason; what was stored before is still there.
  public func write(_ checkpoint: Checkpoint) throws {
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    if !folder.isEmpty {
      try? FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }
    let bytes: [UInt8]
    do {
      bytes = try Line.encode(Envelope(kind: Self.kind, checkpoint: checkpoint))
    } catch {
      throw SupervisorFailure("The session cannot be stored: \(error).")
    }
    let temporary = "\(path).\(getpid()).new"
    unlink(temporary)
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw failure("'\(temporary)' cannot be made") }
    guard ProcessIO.writeAll(bytes, to: descriptor) else {
      let error = failure("'\(temporary)' cannot be written")
      close(descriptor)
      unlink(temporary)
      throw error
    }
    fsync(descriptor)
    close(descriptor)
    guard rename(temporary, path) == 0 else {
      let error = failure("'\(path)' cannot be replaced")
      unlink(temporary)
      throw error
    }
  }

  /// Puts the file out of the way, under a name that is free.
  public func setAside(_ reason: String) -> Content {
    for number in 1...999 {
      let name = "\(path).set-aside-\(number)"
      guard access(name, F_OK) != 0 else { continue }
      guard rename(path, name) == 0 else { break }
      return .setAside("The stored session '\(path)' was set aside as '\(name)': \(reason). A fresh one begins.")
    }
    return .setAside(
      "The stored session '\(path)' cannot be used: \(reason); and it cannot be moved: "
        + "\(String(cString: strerror(errno))). A fresh one begins, and is not stored there.")
  }

  private func failure(_ what: String) -> SupervisorFailure {
    SupervisorFailure(
      "The session was not stored: \(what): \(String(cString: strerror(errno))). What was stored before is kept.")
  }
}
