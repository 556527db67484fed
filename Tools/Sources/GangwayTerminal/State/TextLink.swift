@_spi(FrontEnd) import GangwayProtocol

/// The handling of addresses in texts.
enum TextLink {
  /// The schemes of addresses that the terminal opens, outside of the app.
  private static let outside = ["http", "https", "mailto", "ftp", "ftps", "file", "sftp", "ssh", "tel"]

  /// Returns whether an address points outside of the app.
  static func isOutside(_ url: String) -> Bool { outside.contains(url.prefix { $0 != ":" }.lowercased()) }

  /// Returns the effect of pressing a link: the app opens it, or copies an outside address to the clipboard.
  static func outcome(_ url: String) -> KeyOutcome { isOutside(url) ? .copy(url) : .send(.open(url)) }
}
