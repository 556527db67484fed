/// A check of where requests come from.
///
/// A page of another site must not act for a user, even if that site's name resolves to this server (DNS rebinding).
struct RequestGuard: Sendable {
  /// The authorities of the server: names or addresses, with a port unless it is the scheme's default port.
  let authorities: Set<String>
  /// The loopback authorities, which work on this machine only.
  private let loopback: Set<String>

  init(names: [String], port: Int) {
    loopback = ["127.0.0.1:\(port)", "localhost:\(port)", "[::1]:\(port)"]
    var all = loopback
    for name in names {
      all.insert(name.lowercased())
      if !name.contains(":") { all.insert("\(name.lowercased()):\(port)") }
    }
    authorities = all
  }

  /// Returns whether an authority is a loopback authority, which no other machine can use for this one.
  func isLoopback(_ host: String) -> Bool { loopback.contains(host.lowercased()) }

  /// Returns why a request is refused; nil if it is allowed.
  ///
  /// - Parameters:
  ///   - request: the request to check.
  ///   - isActing: whether the request changes something, or opens a connection that can.
  func refusal(of request: WebRequest, isActing: Bool) -> String? {
    guard let host = request.headers["host"]?.lowercased() else {
      return Words.Refusal.noHost
    }
    guard authorities.contains(host) else {
      return Words.Refusal.otherHost(host, names: list)
    }
    guard isActing else {
      // A picture or script of another site could begin sessions, if the browser sends the cookie with it.
      let isOfOther = request.headers["sec-fetch-site"] == "cross-site"
      let isPage = ["document", "iframe", "frame", nil].contains(request.headers["sec-fetch-dest"])
      return isOfOther && !isPage ? Words.Refusal.otherSite(names: list) : nil
    }
    if let origin = request.headers["origin"]?.lowercased() {
      guard let end = origin.firstRange(of: "://"), authorities.contains(String(origin[end.upperBound...])) else {
        return Words.Refusal.otherOrigin(origin, names: list)
      }
    } else if let site = request.headers["sec-fetch-site"], site != "same-origin" && site != "none" {
      return Words.Refusal.otherSite(names: list)
    }
    return nil
  }

  private var list: String { authorities.sorted().joined(separator: ", ") }
}
