import GangwayProtocol

/// What is done with an address within a text.
enum TextLink {
  /// Those that are opened outside of the app, by the terminal.
  private static let outside = ["http", "https", "mailto", "ftp", "ftps", "file", "sftp", "ssh", "tel"]

  /// Whether it leads out of the app.
  static func isOutside(_ url: String) -> Bool { outside.contains(url.prefix { $0 != ":" }.lowercased()) }

  /// What a press on it does: the app goes there, or the address is put on the clipboard.
  static func outcome(_ url: String) -> KeyOutcome { isOutside(url) ? .copy(url) : .send(.open(url)) }
}
