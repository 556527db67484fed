import Glibc

/// The process's own input and output, kept apart from what plugins print.
final class Console: Sendable {
  private let descriptor: Int32

  private init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// Moves standard output to a private descriptor and points it at standard error, so that what a plugin prints
  /// can garble neither a protocol nor a screen.
  static func takeOver() -> Console {
    let copy = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 10)
    dup2(STDERR_FILENO, STDOUT_FILENO)
    return Console(copy >= 0 ? copy : STDERR_FILENO)
  }

  /// Writes text to what was standard output.
  func write(_ text: String) { _ = Self.write(Array(text.utf8), to: descriptor) }

  /// Writes bytes to what was standard output; false if nobody reads any more.
  func write(_ bytes: [UInt8]) -> Bool { Self.write(bytes, to: descriptor) }

  /// The private descriptor, for the signal handler.
  var rawDescriptor: Int32 { descriptor }

  /// Writes text to standard output, where nothing has been taken over.
  static func write(_ text: String) { _ = write(Array(text.utf8), to: STDOUT_FILENO) }

  /// Writes a line to standard error.
  static func complain(_ line: String) { _ = write(Array((line + "\n").utf8), to: STDERR_FILENO) }

  private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var done = 0
    while done < bytes.count {
      let written = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress! + done, bytes.count - done) }
      if written < 0 {
        if errno == EINTR { continue }
        guard errno == EAGAIN else { return false }
        var poll = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = Glibc.poll(&poll, 1, -1)
        continue
      }
      done += written
    }
    return true
  }
}
