/// A web address after which the application's own patterns begin, such as `https://example.org`.
///
/// The address may have a port and a base path. The syntax is that of RFC 3986. The default port of the scheme counts
/// as no port.
package struct LinkOrigin: Hashable, Sendable, CustomStringConvertible {
  /// The scheme, host and port, in the form in which addresses are compared.
  let authority: String
  /// The components that every path begins with.
  let base: [String]

  /// The reason why a text is not an origin.
  package struct Mistake: Error, Hashable, CustomStringConvertible {
    /// The mistake, and an example of a correct address.
    package let description: String
  }

  /// Parses an origin.
  ///
  /// - Throws: ``Mistake`` if the text is not a web address.
  package init(_ text: String) throws(Mistake) {
    func mistake() -> Mistake {
      Mistake(description: "'\(text)' is not a web address such as https://example.org or https://example.org/app")
    }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count >= 3, let scheme = parts.first?.lowercased(), scheme.hasSuffix(":"), scheme.count > 1,
      parts[1].isEmpty, !parts[2].isEmpty
    else { throw mistake() }
    guard !text.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7f }), !text.contains("?"), !text.contains("#"),
      !parts[2].contains("@")
    else { throw mistake() }
    authority = Self.authority(scheme: String(scheme.dropLast()), host: parts[2].lowercased())
    var base: [String] = []
    for part in parts.dropFirst(3) {
      guard let part = try? LinkURL.unescaped(part) else { throw mistake() }
      base.append(part)
    }
    if base.last == "" { base.removeLast() }
    guard !base.contains("") else { throw mistake() }
    self.base = base
  }

  /// Returns an address in the form in which addresses are compared, without the default port of its scheme.
  ///
  /// - Parameters:
  ///   - scheme: the scheme, in lower case.
  ///   - host: the host and the port, in lower case.
  static func authority(scheme: String, host: String) -> String {
    let port = scheme == "https" ? ":443" : scheme == "http" ? ":80" : ""
    return "\(scheme)://" + (!port.isEmpty && host.hasSuffix(port) ? String(host.dropLast(port.count)) : host)
  }

  /// The address after which patterns begin.
  package var description: String { ([authority] + base.map { LinkURL.escaped($0) }).joined(separator: "/") }
}
