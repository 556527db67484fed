import Foundation
import GangwayProtocol
import TestSupport
import Testing

@testable import GangwayWeb

/// What nobody may do, from wherever it comes; the others are answered meanwhile.
@MainActor @Suite(.serialized) struct SafetyTests {
  /// Somebody who was let in.
  private struct Visitor: Sendable {
    let port: Int
    let cookie: String
    let session: String

    /// The answer to a request that has the cookie.
    func ask(
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

    /// The page of the session, wherever it leads.
    func page(_ path: String = "") -> String {
      let answer = ask("GET", "/~\(session)/\(path)")
      guard let place = answer.firstMatch(of: /Location: (\/~[^\r]+)/) else { return answer }
      return ask("GET", String(place.1))
    }

    /// A connection that follows the session, as a page's.
    func follow(
      origin: String? = nil, session: String? = nil, isKnown: Bool = true
    ) -> (connection: RawConnection, answer: String)? {
      guard let connection = RawConnection(port) else { return nil }
      connection.send(
        "GET /_gangway/follow?session=\(session ?? self.session)&revision=-1 HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n"
          + (origin.map { $0.isEmpty ? "" : "Origin: \($0)\r\n" } ?? "Origin: http://127.0.0.1:\(port)\r\n")
          + (isKnown ? "Cookie: \(cookie)\r\n" : "")
          + "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
          + "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n")
      return (connection, connection.read(until: "\r\n\r\n"))
    }
  }

  private func visitor(_ serving: Serving) async throws -> Visitor {
    let (port, entrance) = (serving.server.port, serving.site.makeEntrance())
    return try await elsewhere {
      let stranger = Visitor(port: port, cookie: "", session: "")
      let welcome = stranger.ask("GET", entrance, isKnown: false)
      let cookie = try #require(welcome.firstMatch(of: /Set-Cookie: ([^;]+); Path=\/; HttpOnly; SameSite=Strict/)).1
      // It is void now.
      #expect(stranger.ask("GET", entrance, isKnown: false).contains("403"))
      let somebody = Visitor(port: port, cookie: String(cookie), session: "")
      let session = try #require(somebody.ask("GET", "/").firstMatch(of: /Location: \/~(\w+)\//)).1
      return Visitor(port: port, cookie: String(cookie), session: String(session))
    }
  }

  @Test func onlyWhoWasLetInIsAnsweredAndOnlyFromHere() async throws {
    let serving = try await Serving(["scenes"])
    let visitor = try await visitor(serving)
    let other = try await self.visitor(serving)
    try await elsewhere {
      let page = visitor.page()
      #expect(page.contains("<h1") && page.contains("Content-Security-Policy: default-src 'none'"))
      // No cookie, a forged one, somebody else's.
      #expect(visitor.ask("GET", "/", isKnown: false).contains("403"))
      let forged = Visitor(port: visitor.port, cookie: visitor.cookie.dropLast() + "x", session: visitor.session)
      #expect(forged.ask("GET", "/").contains("403"))
      #expect(other.ask("GET", "/~\(visitor.session)/").contains("Location: /\r\n"))
      // A session of one's own choosing, and what is none.
      for name in ["mine", "..%2f..", "a/../../people", String(repeating: "a", count: 5_000)] {
        let answer = visitor.ask("GET", "/~\(name)/")
        #expect(answer.contains("303") || answer.contains("404"), "\(name): \(answer.prefix(200))")
      }
      // Another host: a name that leads here as well.
      #expect(visitor.ask("GET", "/", host: "evil.example").contains("421"))
      #expect(visitor.ask("GET", "/", host: "127.0.0.1:1").contains("421"))
      // Forms: from elsewhere, without the page's token.
      let form = "do=tap+1+1"
      #expect(visitor.ask("POST", "/~\(visitor.session)/", body: form).contains("403"))
      #expect(
        visitor.ask("POST", "/~\(visitor.session)/", headers: "Origin: https://evil.example\r\n", body: form).contains(
          "421"))
      let token = try #require(page.firstMatch(of: /name="token" value="(\w+)"/)).1
      #expect(
        visitor.ask(
          "POST", "/~\(visitor.session)/", headers: "Sec-Fetch-Site: cross-site\r\n", body: "token=\(token)&\(form)"
        ).contains("421"))
      #expect(visitor.ask("POST", "/~\(visitor.session)/", body: "token=\(token)&\(form)").contains("303"))
      let stranger = try #require(
        other.page().firstMatch(of: /name="token" value="(\w+)"/)
      ).1
      #expect(visitor.ask("POST", "/~\(visitor.session)/", body: "token=\(stranger)&\(form)").contains("403"))
      // Connections: from elsewhere, from nowhere, without a cookie, to what is not theirs.
      #expect(visitor.follow()?.answer.contains("101") == true)
      #expect(visitor.follow(origin: "https://evil.example")?.answer.contains("101") == false)
      #expect(visitor.follow(origin: "")?.answer.contains("101") == false)
      #expect(visitor.follow(isKnown: false)?.answer.contains("101") == false)
      #expect(visitor.follow(session: other.session)?.answer.contains("101") == false)
      // Nothing of the server's files.
      for path in ["/_gangway/../../etc/passwd", "/_gangway/people.json", "/..%2f..%2fetc/passwd", "/_gangway/"] {
        #expect(!visitor.ask("GET", path).contains("root:"))
      }
      #expect(visitor.ask("TRACE", "/").contains("405"))
    }
    await serving.stop()
  }

  @Test func requestsThatAreNoneAreGivenUpAndOthersAnsweredMeanwhile() async throws {
    let serving = try await Serving(["scenes"]) {
      $0.limits.requestSeconds = 1
      $0.limits.body = 100_000
      $0.limits.connections = 1_500
    }
    let visitor = try await visitor(serving)
    try await elsewhere {
      let port = visitor.port
      // Lengths that disagree, or are none.
      for head in [
        "Content-Length: 5\r\nContent-Length: 6", "Content-Length: 5\r\nTransfer-Encoding: chunked",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity", "Content-Length: -1", "Content-Length: 5x",
        "Transfer-Encoding: xchunked",
      ] {
        let connection = try #require(RawConnection(port, seconds: 3))
        connection.send(
          "POST / HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\(head)\r\n\r\nhelloGET /second HTTP/1.1\r\n\r\n")
        let answer = connection.readAll()
        #expect(answer.components(separatedBy: "HTTP/1.1 ").count <= 2, "\(head): \(answer.prefix(300))")
        #expect(!answer.contains("HTTP/1.1 2") && !answer.contains("HTTP/1.1 303"), "\(head): \(answer.prefix(300))")
      }
      // A thousand that say nothing, and some that say it slowly.
      let idle = (0..<1_000).compactMap { _ in RawConnection(port) }
      #expect(idle.count == 1_000)
      let slow = try #require(RawConnection(port))
      slow.send("GET / HTTP/1.1\r\nHost: 127")
      let start = ContinuousClock.now
      #expect(visitor.page().contains("<h1"))
      #expect(ContinuousClock.now - start < .seconds(1))
      for _ in 0..<30 {
        if !slow.send(".") { break }
        usleep(100_000)
      }
      // Given up although it never stopped sending.
      #expect(slow.readAll().isEmpty)
      // Too long.
      let long = visitor.ask("POST", "/~\(visitor.session)/", body: String(repeating: "a", count: 200_000))
      #expect(long.contains("413"), "\(long.prefix(200))")
      #expect(visitor.ask("GET", "/" + String(repeating: "a", count: 1 << 20)).contains("<h1") == false)
      withExtendedLifetime(idle) {}
    }
    await serving.stop()
  }

  @Test func whoSendsTooMuchIsCutOffAndOthersAreNot() async throws {
    let serving = try await Serving(["scenes"])
    let visitor = try await visitor(serving)
    let other = try await self.visitor(serving)
    try await elsewhere {
      let (flood, _) = try #require(visitor.follow())
      var sent = 0
      for number in 1...10_000 {
        guard flood.sendMessage(#"{"n":\#(number),"do":"scroll 1 \#(number)"}"#) else { break }
        sent += 1
      }
      let start = ContinuousClock.now
      #expect(other.page().contains("<h1"))
      #expect(ContinuousClock.now - start < .seconds(1))
      _ = flood.readAll()
      #expect(!flood.sendMessage(#"{"n":1,"do":"back"}"#) || flood.read() == [])
      // A message that is too long, one that is none, one that says nothing a page says.
      for message in [String(repeating: "x", count: 2 << 20), "{", #"{"n":1}"#, #"{"n":1,"do":"rm -rf"}"#] {
        let (connection, answer) = try #require(visitor.follow())
        #expect(answer.contains("101"))
        connection.sendMessage(message)
        var last: [UInt8]? = connection.read()
        while let part = last, !part.isEmpty { last = connection.read() }
        #expect(last == [], "\(message.prefix(40))")
      }
      #expect(visitor.page().contains("<h1"))
    }
    await serving.stop()
  }

  @Test func aReaderThatNeverReadsHoldsNothingUp() async throws {
    let serving = try await Serving(["clock", "scenes"])
    let visitor = try await visitor(serving)
    try await elsewhere {
      let readers = (0..<20).compactMap { _ in visitor.follow()?.connection }
      #expect(readers.count == 20)
      let (acting, _) = try #require(visitor.follow())
      // Each of them is told of each of these; none of them listens.
      for number in 1...200 {
        acting.sendMessage(#"{"n":\#(number),"do":"open gangway%3A%2F%2F\#(number % 2 == 0 ? "clock" : "scenes")"}"#)
        usleep(11_000)
      }
      var all = ""
      while !all.contains(#""a":200"#), let part = acting.read(), !part.isEmpty {
        all += String(decoding: part, as: UTF8.self)
      }
      #expect(all.contains(#""a":200"#))
      withExtendedLifetime(readers) {}
    }
    await serving.stop()
  }

  @Test func whatIsTypedSecretlyIsInNoPageAndNoFile() async throws {
    let serving = try await Serving(["account"])
    let visitor = try await visitor(serving)
    let secret = "correct horse battery staple"
    let page = try await elsewhere { () -> String in
      let page = visitor.page("account")
      let token = try #require(page.firstMatch(of: /name="token" value="(\w+)"/)).1
      let field = try #require(page.firstMatch(of: /type="password"[^>]* name="([^"]+)"/)).1
      _ = visitor.ask(
        "POST", "/~\(visitor.session)/",
        body: "token=\(token)&\(Press.encoded(String(field)))=\(Press.encoded(secret))")
      return visitor.page()
    }
    #expect(!page.contains(secret) && page.contains(#"type="password""#))
    await serving.stop()
    for case let file as String in FileManager.default.enumerator(atPath: serving.workshop.folder) ?? .init() {
      let data = FileManager.default.contents(atPath: serving.workshop.path(file)) ?? Data()
      #expect(data.range(of: Data(secret.utf8)) == nil, "\(file)")
    }
  }

  @Test func peopleHaveFilesOfTheirOwn() async throws {
    let serving = try await Serving(["account", "todos"])
    let (one, other) = (try await visitor(serving), try await visitor(serving))
    let (first, second) = try await elsewhere { () -> (String, String) in
      let page = one.page("account")
      let token = try #require(page.firstMatch(of: /name="token" value="(\w+)"/)).1
      let register = try #require(page.firstMatch(of: /value="(tap [^"]+)"[^>]*><span class="label">Register</)).1
      _ = one.ask("POST", "/~\(one.session)/", body: "token=\(token)&do=\(Press.encoded(String(register)))")
      let form = one.page()
      let names = form.matches(of: /name="(edit [^"]+)"/).map { String($0.1) }
      let submit = try #require(form.firstMatch(of: /data-enter="(submit [^"]+)"/)).1
      let values = ["ada", "analytical engine", "analytical engine"]
      let fields = zip(names, values).map { "\(Press.encoded($0))=\(Press.encoded($1))" }.joined(separator: "&")
      _ = one.ask("POST", "/~\(one.session)/", body: "token=\(token)&\(fields)&do=\(Press.encoded(String(submit)))")
      var first = ""
      for _ in 0..<300 where !first.contains("Write the code down") {
        first = one.page()
        usleep(20_000)
      }
      return (first, other.page("account"))
    }
    #expect(first.contains("Write the code down"), "\(first.suffix(2_000))")
    #expect(second.contains("Sign in") && !second.contains("ada"))
    let files =
      FileManager.default.enumerator(atPath: serving.workshop.path("data"))?.compactMap { $0 as? String } ?? []
    #expect(files.filter { $0.hasSuffix("accounts.sqlite") }.allSatisfy { $0.contains("/_profiles/") }, "\(files)")
    await serving.stop()
  }
}
