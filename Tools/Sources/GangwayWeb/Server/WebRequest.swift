import GangwayProtocol

/// A request, as far as a site looks at it.
struct WebRequest: Sendable {
  var method: String
  /// The path, which begins with a slash, without the query.
  var path: String
  /// The query without its mark; empty where there is none.
  var query: String
  /// Header fields by their names in small letters; of several of one name, all, with commas between.
  var headers: [String: String]
  var body: [UInt8]
  /// Whether it comes from this machine.
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
  /// Sources: RFC 7239 (`Forwarded`), RFC 9110, 7.6.3 (`Via`), and the fields that nginx, Envoy, Cloudflare, Akamai and Fastly
  /// document for the client's address.
  var isDirect: Bool {
    !headers.keys.contains { name in
      Self.fieldsOfProxies.contains(name) || Self.prefixesOfProxies.contains { name.hasPrefix($0) }
    }
  }

  private static let fieldsOfProxies: Set = [
    "forwarded", "via", "x-real-ip", "x-client-ip", "x-cluster-client-ip", "true-client-ip", "fastly-client-ip",
  ]
  private static let prefixesOfProxies = ["x-forwarded-", "x-original-", "x-envoy-", "cf-"]

  /// Whether only the header of the answer is wanted, which is safe to ask for (RFC 9110, 9.2.1).
  var isHead: Bool { method == "HEAD" }

  /// Whether a browser loads ahead what may never be opened (Fetch Standard, `Sec-Purpose`, and what was usual before).
  var isAhead: Bool {
    ["sec-purpose", "purpose", "x-purpose", "x-moz"].contains { name in
      headers[name].map { $0.contains("prefetch") || $0.contains("prerender") || $0.contains("preview") } == true
    }
  }

  /// A cookie's value.
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

  /// The fields of a query or form (WHATWG, URL Standard, `application/x-www-form-urlencoded`), in their order; what is not encoded as
  /// it is to be is left out.
  static func fields(_ text: String) -> [(name: String, value: String)] {
    text.split(separator: "&").compactMap { field in
      let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = decoded(parts[0]), let value = decoded(parts.count > 1 ? parts[1] : "") else { return nil }
      return (name, value)
    }
  }
}

/// What a site answers.
struct WebResponse: Sendable {
  var status = 200
  var headers: [(String, String)] = []
  var body: [UInt8] = []

  init(_ status: Int = 200, headers: [(String, String)] = [], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// A page.
  static func page(_ html: HTML, status: Int = 200) -> WebResponse {
    WebResponse(
      status, headers: [("Content-Type", "text/html; charset=utf-8"), ("Cache-Control", "no-store")],
      body: Array(html.text.utf8))
  }

  /// The header of a page that is made by asking for it, and is not made for who asks for the header.
  static var header: WebResponse {
    WebResponse(headers: [("Content-Type", "text/html; charset=utf-8"), ("Cache-Control", "no-store")])
  }

  /// A text of some other kind than a page, as it is now.
  static func text(_ text: String, type: String) -> WebResponse {
    WebResponse(headers: [("Content-Type", type), ("Cache-Control", "no-store")], body: Array(text.utf8))
  }

  /// Sends a browser somewhere else of this site.
  static func redirect(to path: String) -> WebResponse {
    WebResponse(303, headers: [("Location", path), ("Cache-Control", "no-store")])
  }
}
