/// A web address after which the application's own patterns begin: `https://example.org`, with a port or a base path where
/// it has one.
///
/// The syntax is that of RFC 3986; a port that is the scheme's default is none.
public struct LinkOrigin: Hashable, Sendable, CustomStringConvertible {
  /// Scheme, host and port, as addresses are compared by.
  let authority: String
  /// The components that every path begins with.
  let base: [String]

  /// Why a text is no origin.
  public struct Mistake: Error, Hashable, CustomStringConvertible {
    /// What is wrong, and what would be right.
    public let description: String
  }

  /// Reads an origin.
  ///
  /// - Throws: ``Mistake``.
  public init(_ text: String) throws(Mistake) {
    func mistake() -> Mistake {
      Mistake(description: "'\(text)' is no web address such as https://example.org or https://example.org/app")
    }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count >= 3, let scheme = parts.first?.lowercased(), scheme.hasSuffix(":"), scheme.count > 1,
      parts[1].isEmpty, !parts[2].isEmpty
    else { throw mistake() }
    guard !text.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7f }), !text.contains("?"), !text.contains("#"),
      !parts[2].contains("@")
    else { throw mistake() }
    authority = Self.authority(scheme: String(scheme.dropLast()), host: parts[2].lowercased())
    var base = parts.dropFirst(3).map(String.init)
    if base.last == "" { base.removeLast() }
    guard !base.contains("") else { throw mistake() }
    self.base = base
  }

  /// What addresses are compared by: both in lower case, without the port that the scheme has anyway.
  static func authority(scheme: String, host: String) -> String {
    let port = scheme == "https" ? ":443" : scheme == "http" ? ":80" : ""
    return "\(scheme)://" + (!port.isEmpty && host.hasSuffix(port) ? String(host.dropLast(port.count)) : host)
  }

  /// Where patterns begin.
  public var description: String { ([authority] + base.map { LinkURL.escaped($0) }).joined(separator: "/") }
}
