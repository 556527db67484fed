@_spi(FrontEnd) import GangwayClient
import GangwayTerminal
import Glibc

/// The file `terminal.conf` with the user's settings of the terminal front end.
enum SettingsFile {
  /// The most bytes to read.
  private static let maximumLength = 1 << 16

  /// Reads the file; a missing file means default settings.
  ///
  /// - Returns: the settings, with mistakes that name the file.
  static func read(_ file: String = Locations.settings) -> TerminalSettings {
    // Opening a pipe must not block.
    let descriptor = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      guard errno != ENOENT, errno != ENOTDIR else { return TerminalSettings() }
      return unreadable(file)
    }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 12)
    while bytes.count <= maximumLength {
      let count = Glibc.read(descriptor, &piece, piece.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { return unreadable(file) }
      guard count > 0 else { break }
      bytes += piece[..<count]
    }
    guard bytes.count <= maximumLength else {
      return TerminalSettings(failure: Words.Files.settingsTooLong(file, limit: maximumLength))
    }
    return TerminalSettings(String(decoding: bytes, as: UTF8.self), file: file)
  }

  /// Returns default settings with the reason in `errno`.
  private static func unreadable(_ file: String) -> TerminalSettings {
    TerminalSettings(failure: Words.Files.settingsUnreadable(file, reason: String(cString: strerror(errno))))
  }
}
