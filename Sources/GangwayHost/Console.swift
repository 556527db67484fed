import GangwayClient
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
  func write(_ text: String) { _ = write(Array(TerminalText.fit(text).utf8)) }

  /// Writes bytes to what was standard output; false if nobody reads any more.
  func write(_ bytes: [UInt8]) -> Bool { ProcessIO.writeAll(bytes, to: descriptor) }

  /// Writes text to standard output, where nothing has been taken over.
  static func write(_ text: String) { _ = ProcessIO.writeAll(Array(TerminalText.fit(text).utf8), to: STDOUT_FILENO) }

  /// Writes a line to standard error.
  static func complain(_ line: String) {
    _ = ProcessIO.writeAll(Array((TerminalText.fit(line) + "\n").utf8), to: STDERR_FILENO)
  }
}
