import GangwayClient
import GangwayTerminal
import Glibc

/// `terminal.conf`: how a person wants the terminal front end to be.
enum SettingsFile {
  /// How much of it is read, in bytes.
  private static let maximumLength = 1 << 16

  /// Reads it; one that is not there says nothing.
  ///
  /// - Returns: the settings, whose mistakes name the file.
  static func read(_ file: String = Locations.settings) -> TerminalSettings {
    // A pipe would be waited for.
    let descriptor = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      guard errno != ENOENT, errno != ENOTDIR else { return TerminalSettings() }
      return TerminalSettings(failure: "\(file) cannot be read: \(String(cString: strerror(errno))).")
    }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 12)
    while bytes.count <= maximumLength {
      let count = Glibc.read(descriptor, &piece, piece.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else {
        return TerminalSettings(failure: "\(file) cannot be read: \(String(cString: strerror(errno))).")
      }
      guard count > 0 else { break }
      bytes += piece[..<count]
    }
    guard bytes.count <= maximumLength else {
      return TerminalSettings(failure: "\(file) has more than \(maximumLength) bytes, which no settings have.")
    }
    return TerminalSettings(String(decoding: bytes, as: UTF8.self), file: file)
  }
}
