/// The addresses of screens on this server: the app's URLs without their scheme.
enum PageAddress {
  /// Returns the part of an app's URL that addresses contain, such as `todos/7`; nil if the URL has no such part.
  static func path(of url: String) -> String? {
    url.firstRange(of: "://").map { String(url[$0.upperBound...]) }
  }

  /// Returns the address, such as `/todos/7`, which opens an app's URL in a session of its own.
  ///
  /// - Parameters:
  ///   - url: a URL; nil for none.
  ///   - scheme: the scheme of the app's URLs.
  /// - Returns: the address as an attribute. It is absent if the URL has another scheme, or if the server uses the
  ///   address itself. It is also absent if a browser would change the address, which it does with dots and control
  ///   characters.
  static func value(_ url: String?, scheme: String) -> HTML.Value {
    guard let url, let path = path(of: url), url.prefix(scheme.count + 3).lowercased() == "\(scheme)://",
      let first = path.first, !["/", "\\", "~"].contains(first), !path.hasPrefix("_gangway"),
      path.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7f })
    else { return .absent }
    let components = path.prefix { $0 != "?" }.split(separator: "/", omittingEmptySubsequences: false)
    let dots: Set = [".", "..", "%2e", ".%2e", "%2e.", "%2e%2e"]
    guard !components.contains(where: { dots.contains($0.lowercased()) || $0.contains("\\") }) else { return .absent }
    return .text("/" + path)
  }
}
