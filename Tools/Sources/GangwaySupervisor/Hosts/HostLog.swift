import Dispatch
import FoundationEssentials
@_spi(FrontEnd) import GangwayClient
import Glibc
import Synchronization

/// The log file for the output of hosts and plugins, which is limited in size.
///
/// A full log is renamed and replaces the previous older log.
final class HostLog: Sendable {
  private struct State {
    var descriptor: Int32
    var size: Int
  }

  private let path: String
  private let limit: Int
  private let state: Mutex<State>

  /// Opens a log and appends to its present content.
  ///
  /// - Parameter limit: the maximum size in bytes.
  /// - Throws: ``SupervisorFailure`` with the system's reason.
  init(_ path: String, limit: Int) throws {
    self.path = path
    self.limit = limit
    let descriptor = Self.open(path)
    guard descriptor >= 0 else {
      throw SupervisorFailure(Words.Host.logUnwritable(path, reason: String(cString: strerror(errno))))
    }
    var status = stat()
    fstat(descriptor, &status)
    state = Mutex(State(descriptor: descriptor, size: Int(status.st_size)))
  }

  deinit { close(state.withLock(\.descriptor)) }

  /// Opens the file, but follows no link, which could point to another user's file.
  private static func open(_ path: String) -> Int32 {
    Glibc.open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o600)
  }

  func append(_ bytes: [UInt8]) {
    state.withLock { state in
      if state.size + bytes.count > limit, state.size > 0 {
        rename(path, path + ".1")
        let next = Self.open(path)
        if next >= 0 {
          close(state.descriptor)
          state = State(descriptor: next, size: 0)
        }
      }
      if ProcessIO.writeAll(bytes, to: state.descriptor) { state.size += bytes.count }
    }
  }
}

/// The standard error of one host.
///
/// The output goes to the log, if there is one. Its end is kept in memory, because that is where a fatal error has its
/// message.
@_spi(FrontEnd) public final class HostErrors: Sendable {
  private static let kept = 16 << 10

  private let tail = Mutex<[UInt8]>([])

  /// Reads a descriptor on a separate thread until its end, then closes it.
  @_spi(FrontEnd) public convenience init(_ descriptor: Int32) { self.init(descriptor, to: nil) }

  /// Reads a descriptor on a separate thread until its end, then closes it.
  init(_ descriptor: Int32, to log: HostLog?) {
    DispatchQueue(label: "gangway.host.errors").async { [self] in
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      while true {
        let count = read(descriptor, &buffer, buffer.count)
        if count < 0 && errno == EINTR { continue }
        guard count > 0 else { break }
        let bytes = Array(buffer[..<count])
        log?.append(bytes)
        tail.withLock { tail in
          tail += bytes
          if tail.count > 2 * Self.kept { tail.removeFirst(tail.count - Self.kept) }
        }
      }
      close(descriptor)
    }
  }

  /// The line in which the runtime or the C library explains why it ends the process; nil if there is none.
  @_spi(FrontEnd) public var fatalError: String? {
    let marks = [
      "Fatal error", "Assertion", "Precondition failed", "terminate called", "stack smashing detected", "free():",
      "malloc():", "munmap_chunk():", "double free", "corrupted ", "Could not cast value", "Simultaneous accesses",
      "deallocated with non-zero retain count",
    ]
    let lines = tail.withLock { String(decoding: $0, as: UTF8.self) }.split(separator: "\n")
    return lines.last { line in marks.contains { line.contains($0) } }.map { String($0.prefix(1_000)) }
  }
}
