/// Looks at where a request comes from: a page of another site must not speak for a person, whatever name it has found for this server
/// (DNS rebinding).
struct RequestGuard: Sendable {
  /// The authorities under which the server is known: names or addresses, with a port where it is not the scheme's own.
  let authorities: Set<String>
  /// Those that are of this machine whatever it is called.
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

  /// Whether a request for that authority is for this machine by a name that no other machine knows it by.
  func isLoopback(_ host: String) -> Bool { loopback.contains(host.lowercased()) }

  /// Why a request is refused; nil where it is not.
  ///
  /// - Parameter isActing: whether it changes something, or opens a connection that can.
  func refusal(of request: WebRequest, isActing: Bool) -> String? {
    guard let host = request.headers["host"]?.lowercased() else {
      return "The request names no host. Ask for the address that 'gangway serve' printed."
    }
    guard authorities.contains(host) else {
      return "This server is not '\(host)'. It is \(list); name another with --name."
    }
    guard isActing else { return nil }
    if let origin = request.headers["origin"]?.lowercased() {
      guard let end = origin.firstRange(of: "://"), authorities.contains(String(origin[end.upperBound...])) else {
        return "A page of '\(origin)' asked for that, and only pages of \(list) may."
      }
    } else if let site = request.headers["sec-fetch-site"], site != "same-origin" && site != "none" {
      return "A page of another site ('\(site)') asked for that, and only pages of \(list) may."
    }
    return nil
  }

  private var list: String { authorities.sorted().joined(separator: ", ") }
}
