/// The addresses of screens on this server: the app's URLs without their scheme.
enum PageAddress {
  /// Returns the part of an app's URL that addresses contain, such as `todos/7`; nil if the URL has no such part.
  static func path(of url: String) -> String? {
    url.firstRange(of: "://").map { String(url[$0.upperBound...]) }
  }

  /// Returns the address, such as `/todos/7`, which opens an app's URL in a session of its own.
  ///
  /// - Returns: the address as an attribute; absent if the URL is absent, or if the server uses the address itself.
  static func value(_ url: String?) -> HTML.Value {
    guard let path = url.flatMap(path), let first = path.first, !["/", "\\", "~"].contains(first),
      !path.hasPrefix("_gangway")
    else { return .absent }
    return .text("/" + path)
  }
}
