@_spi(FrontEnd) import GangwayClient
import Glibc

/// The process's own input and output, separate from the output of plugins.
final class Console: Sendable {
  private let descriptor: Int32

  private init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// Moves standard output to a private descriptor, and redirects standard output to standard error.
  ///
  /// So output that a plugin prints can corrupt neither a protocol nor a screen.
  static func takeOver() -> Console {
    let copy = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 10)
    dup2(STDERR_FILENO, STDOUT_FILENO)
    return Console(copy >= 0 ? copy : STDERR_FILENO)
  }

  /// Writes text to the original standard output.
  func write(_ text: String) { _ = write(Array(TerminalText.fit(text).utf8)) }

  /// Writes bytes to the original standard output, and returns false if it has no reader any more.
  func write(_ bytes: [UInt8]) -> Bool { ProcessIO.writeAll(bytes, to: descriptor) }

  /// Writes text to standard output, before ``takeOver()``.
  static func write(_ text: String) { _ = ProcessIO.writeAll(Array(TerminalText.fit(text).utf8), to: STDOUT_FILENO) }

  /// Writes a line to standard error.
  static func complain(_ line: String) {
    _ = ProcessIO.writeAll(Array((TerminalText.fit(line) + "\n").utf8), to: STDERR_FILENO)
  }
}
