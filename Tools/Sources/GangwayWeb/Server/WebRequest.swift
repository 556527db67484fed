@_spi(FrontEnd) import GangwayProtocol
import Glibc

/// The parts of a request that a site uses.
struct WebRequest: Sendable {
  var method: String
  /// The path without the query; it begins with a slash.
  var path: String
  /// The query without the question mark; empty if there is none.
  var query: String
  /// The header fields by lowercase name; the values of repeated fields are joined by commas.
  var headers: [String: String]
  var body: [UInt8]
  /// Whether the request comes from this machine.
  var isLocal = false

  init(method: String, target: String, headers: [(name: String, value: String)], body: [UInt8] = []) {
    self.method = method
    let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    path = String(parts.first ?? "/")
    query = parts.count > 1 ? String(parts[1]) : ""
    self.headers = Dictionary(headers.map { ($0.name.lowercased(), $0.value) }) { $0 + ", " + $1 }
    self.body = body
  }

  /// Whether no proxy passed the request on.
  ///
  /// Sources: RFC 7239 (`Forwarded`), RFC 9110, 7.6.3 (`Via`), and the documentation of nginx, Envoy, Cloudflare,
  /// Akamai and Fastly for the fields with the client's address.
  var isDirect: Bool {
    !headers.keys.contains { name in
      Self.fieldsOfProxies.contains(name) || Self.prefixesOfProxies.contains { name.hasPrefix($0) }
    }
  }

  private static let fieldsOfProxies: Set = [
    "forwarded", "via", "x-real-ip", "x-client-ip", "x-cluster-client-ip", "true-client-ip", "fastly-client-ip",
  ]
  private static let prefixesOfProxies = ["x-forwarded-", "x-original-", "x-envoy-", "cf-"]

  /// Whether the client wants only the header, which must not change anything (RFC 9110, 9.2.1).
  var isHead: Bool { method == "HEAD" }

  /// Whether a browser loads a page that the user may never open.
  ///
  /// Sources: Fetch Standard, `Sec-Purpose`, and the older fields of browsers.
  var isAhead: Bool {
    ["sec-purpose", "purpose", "x-purpose", "x-moz"].contains { name in
      headers[name].map { $0.contains("prefetch") || $0.contains("prerender") || $0.contains("preview") } == true
    }
  }

  /// Returns the value of a cookie.
  func cookie(_ name: String) -> String? {
    for pair in headers["cookie"]?.split(whereSeparator: { $0 == ";" || $0 == "," }) ?? [] {
      let parts = pair.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
      if parts.count == 2, parts[0] == name { return String(parts[1]) }
    }
    return nil
  }

  private static func decoded(_ word: Substring) -> String? {
    Press.decoded(String(word.map { $0 == "+" ? " " : $0 }))
  }

  /// Returns the fields of a query or form in their order, without fields that are encoded incorrectly.
  ///
  /// Source: WHATWG, URL Standard, `application/x-www-form-urlencoded`.
  static func fields(_ text: String) -> [(name: String, value: String)] {
    text.split(separator: "&").compactMap { field in
      let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = decoded(parts[0]), let value = decoded(parts.count > 1 ? parts[1] : "") else { return nil }
      return (name, value)
    }
  }
}

/// The answer of a site.
struct WebResponse: Sendable {
  var status = 200
  var headers: [(String, String)] = []
  var body: [UInt8] = []
  /// A file to send instead of the body. The handler that sends the answer closes it.
  var file: File?

  /// An open file.
  struct File: Sendable {
    let descriptor: Int32
    /// The number of bytes.
    let count: Int
    /// Called when the file is closed.
    let didClose: @Sendable () -> Void
    func close() {
      Glibc.close(descriptor)
      didClose()
    }
  }

  init(_ status: Int = 200, headers: [(String, String)] = [], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// Returns a page as an answer.
  static func page(_ html: HTML, status: Int = 200) -> WebResponse {
    WebResponse(
      status, headers: [("Content-Type", "text/html; charset=utf-8"), ("Cache-Control", "no-store")],
      body: Array(html.text.utf8))
  }

  /// The answer to a HEAD request for a page that only a GET request may create.
  static var header: WebResponse {
    WebResponse(headers: [("Content-Type", "text/html; charset=utf-8"), ("Cache-Control", "no-store")])
  }

  /// Returns a text that is not a page, such as metrics, and is not cached.
  static func text(_ text: String, type: String) -> WebResponse {
    WebResponse(headers: [("Content-Type", type), ("Cache-Control", "no-store")], body: Array(text.utf8))
  }

  /// Returns a redirect to another path of this site.
  static func redirect(to path: String) -> WebResponse {
    WebResponse(303, headers: [("Location", path), ("Cache-Control", "no-store")])
  }
}
