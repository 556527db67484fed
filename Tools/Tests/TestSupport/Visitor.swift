@_spi(FrontEnd) import GangwayProtocol
import Glibc

/// A user whom a web server has admitted, without a browser.
@_spi(FrontEnd) public struct Visitor: Sendable {
  /// The port of the server, on this machine.
  public let port: Int
  /// The cookie of each request.
  public let cookie: String
  /// The name of the user's session.
  public let session: SessionID

  /// Creates a visitor from known values.
  public init(port: Int, cookie: String, session: SessionID) {
    (self.port, self.cookie, self.session) = (port, cookie, session)
  }

  /// Admits a user, and opens a session.
  ///
  /// - Parameters:
  ///   - entrance: the path of an address that admits one user, once.
  ///   - cookie: the cookie of an admitted user, who gets another session; nil for a new user.
  /// - Returns: the visitor; nil if the server refused.
  public static func enter(_ entrance: String, port: Int, cookie: String? = nil) -> Visitor? {
    let stranger = Visitor(port: port, cookie: cookie ?? "", session: "")
    let welcome = cookie == nil ? stranger.ask("GET", entrance, isKnown: false) : ""
    let given = welcome.firstMatch(of: /Set-Cookie: ([^;]+); Path=\/; HttpOnly; SameSite=(?:Strict|Lax)/).map {
      String($0.1)
    }
    guard let cookie = cookie ?? given else { return nil }
    let somebody = Visitor(port: port, cookie: cookie, session: "")
    guard let session = somebody.ask("GET", "/").firstMatch(of: /Location: \/~(\w+)\//)?.1 else { return nil }
    return Visitor(port: port, cookie: cookie, session: SessionID(rawValue: String(session)))
  }

  /// Comes to a server that admits anyone, and opens a session.
  ///
  /// - Returns: the visitor; nil if the server refused.
  public static func come(to port: Int) -> Visitor? {
    let answer = Visitor(port: port, cookie: "", session: "").ask("GET", "/", isKnown: false)
    guard let cookie = answer.firstMatch(of: /Set-Cookie: ([^;]+);/)?.1,
      let next = answer.firstMatch(of: /Location: ([^\r]+)/)?.1
    else { return nil }
    let known = Visitor(port: port, cookie: String(cookie), session: "")
    _ = known.ask("GET", String(next))
    return enter("", port: port, cookie: known.cookie)
  }

  /// Returns the answer to a request with the cookie.
  public func ask(
    _ method: String = "GET", _ path: String, host: String? = nil, headers: String = "", body: String = "",
    isKnown: Bool = true
  ) -> String {
    guard let connection = RawConnection(port) else { return "" }
    connection.send(
      "\(method) \(path) HTTP/1.1\r\nHost: \(host ?? "127.0.0.1:\(port)")\r\n"
        + (isKnown ? "Cookie: \(cookie)\r\n" : "") + "Connection: close\r\n\(headers)"
        + (body.isEmpty ? "" : "Content-Length: \(body.utf8.count)\r\n") + "\r\n\(body)")
    return connection.readAll()
  }

  /// Returns the page of the session, following a redirect.
  public func page(_ path: String = "") -> String {
    let answer = ask("GET", "/~\(session)/\(path)")
    guard let place = answer.firstMatch(of: /Location: (\/~[^\r]+)/) else { return answer }
    return ask("GET", String(place.1))
  }

  /// Returns the page of the session once it has a text, because an action may end after the answer to its request.
  ///
  /// - Returns: the page; after 10 seconds, which load on the machine extends, the page without the text.
  public func page(with text: String) -> String {
    let patience = Patience(.seconds(10))
    while true {
      let page = page()
      if page.contains(text) || patience.hasEnded { return page }
      usleep(20_000)
    }
  }

  /// Opens a WebSocket that follows the session, as a page does.
  public func follow(
    origin: String? = nil, session: SessionID? = nil, isKnown: Bool = true
  ) -> (connection: RawConnection, answer: String)? {
    guard let connection = RawConnection(port, seconds: 30) else { return nil }
    connection.send(
      "GET /_gangway/follow?session=\(session ?? self.session)&revision=-1 HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n"
        + (origin.map { $0.isEmpty ? "" : "Origin: \($0)\r\n" } ?? "Origin: http://127.0.0.1:\(port)\r\n")
        + (isKnown ? "Cookie: \(cookie)\r\n" : "")
        + "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
        + "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n")
    return (connection, connection.read(until: "\r\n\r\n"))
  }
}
