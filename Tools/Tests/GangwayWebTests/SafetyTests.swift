import Foundation
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import TestSupport
import Testing

@_spi(FrontEnd) @testable import GangwayWeb

/// Forbidden requests of all kinds, and the service for other users meanwhile.
@MainActor @Suite(.serialized) struct SafetyTests {
  @Test func onlyWhoWasLetInIsAnsweredAndOnlyFromHere() async throws {
    let serving = try await Serving(["scenes"])
    let visitor = try await serving.visitor()
    let other = try await serving.visitor()
    try await elsewhere {
      let page = visitor.page()
      #expect(page.contains("<h1") && page.contains("Content-Security-Policy: default-src 'none'"))
      // No cookie, a forged cookie, and another user's session.
      #expect(visitor.ask("GET", "/", isKnown: false).contains("403"))
      let end = visitor.cookie.hasSuffix("x") ? "y" : "x"
      let forged = Visitor(port: visitor.port, cookie: visitor.cookie.dropLast() + end, session: visitor.session)
      #expect(forged.ask("GET", "/").contains("403"))
      #expect(other.ask("GET", "/~\(visitor.session)/").contains("Location: /\r\n"))
      // A session name of the client's choice, and invalid names.
      for name in ["mine", "..%2f..", "a/../../people", String(repeating: "a", count: 5_000)] {
        let answer = visitor.ask("GET", "/~\(name)/")
        #expect(answer.contains("303") || answer.contains("404"), "\(name): \(answer.prefix(200))")
      }
      // A missing session never redirects to another server.
      for name in ["/evil.example", "\\evil.example", "//evil.example/x"] {
        let place = visitor.ask("GET", "/~gone/\(name)").firstMatch(of: /Location: ([^\r]*)/)?.1 ?? ""
        #expect(!place.hasPrefix("//") && !place.hasPrefix("/\\"), "\(name): \(place)")
      }
      // Another host name that resolves to this server.
      #expect(visitor.ask("GET", "/", host: "evil.example").contains("421"))
      #expect(visitor.ask("GET", "/", host: "127.0.0.1:1").contains("421"))
      // Forms from another site, and without the page's token.
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
      // WebSockets from another site, without an origin, without a cookie, and for another user's session.
      #expect(visitor.follow()?.answer.contains("101") == true)
      #expect(visitor.follow(origin: "https://evil.example")?.answer.contains("101") == false)
      #expect(visitor.follow(origin: "")?.answer.contains("101") == false)
      #expect(visitor.follow(isKnown: false)?.answer.contains("101") == false)
      #expect(visitor.follow(session: other.session)?.answer.contains("101") == false)
      // The server's files are not reachable.
      for path in ["/_gangway/../../etc/passwd", "/_gangway/people.json", "/..%2f..%2fetc/passwd", "/_gangway/"] {
        #expect(!visitor.ask("GET", path).contains("root:"))
      }
      #expect(visitor.ask("TRACE", "/").contains("405"))
    }
    await serving.stop()
  }

  /// Monitors and link checkers send HEAD, and browsers prefetch an address while the user types it.
  @Test(arguments: [
    ("HEAD", ""), ("GET", "Sec-Purpose: prefetch;prerender\r\n"), ("GET", "Purpose: prefetch\r\n"),
    ("GET", "X-Purpose: preview\r\n"),
  ])
  func whoOnlyLooksAheadChangesNothing(method: String, headers: String) async throws {
    let serving = try await Serving(["scenes"])
    let (port, entrance) = (serving.server.port, serving.site.makeEntrance())
    let visitor = try await elsewhere {
      let nobody = Visitor(port: port, cookie: "", session: "")
      let ahead = nobody.ask(method, entrance, headers: headers, isKnown: false)
      #expect(!ahead.contains("Set-Cookie"), "\(ahead)")
      // The key still works.
      return try #require(Visitor.enter(entrance, port: port))
    }
    let sessions = serving.site.sessions.all.count
    try await elsewhere {
      let here = try #require(visitor.page().firstMatch(of: /<h1[^>]*>[^<]*/)).0
      for path in ["/", "/scenes/2?text=a", "/~\(visitor.session)/_copy", "/~\(visitor.session)/scenes/2?text=a"] {
        let answer = visitor.ask(method, path, headers: headers)
        #expect(answer.hasPrefix(method == "HEAD" ? "HTTP/1.1 200" : "HTTP/1.1 503"), "\(path): \(answer)")
        if method == "HEAD" { #expect(answer.hasSuffix("\r\n\r\n"), "\(path): \(answer)") }
      }
      #expect(visitor.ask(method, "/", headers: headers, isKnown: false).hasPrefix("HTTP/1.1 200") == false)
      #expect(try #require(visitor.page().firstMatch(of: /<h1[^>]*>[^<]*/)).0 == here)
    }
    #expect(serving.site.sessions.all.count == sessions)
    await serving.stop()
  }

  @Test func requestsThatAreNoneAreGivenUpAndOthersAnsweredMeanwhile() async throws {
    let serving = try await Serving(["scenes"]) {
      $0.limits.requestSeconds = 1
      $0.limits.body = 100_000
      $0.limits.connections = 1_500
    }
    let visitor = try await serving.visitor()
    try await elsewhere {
      let port = visitor.port
      // Contradictory or invalid lengths.
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
      // A thousand clients that send nothing, and one that sends slowly.
      let calm = try typicalTime { visitor.page().contains("<h1") }
      let idle = (0..<1_000).compactMap { _ in RawConnection(port) }
      #expect(idle.count == 1_000)
      let slow = try #require(RawConnection(port))
      slow.send("GET / HTTP/1.1\r\nHost: 127")
      let time = try typicalTime { visitor.page().contains("<h1") }
      #expect(time < max(.milliseconds(100), calm * 20), "before in \(calm)")
      for _ in 0..<30 {
        if !slow.send(".") { break }
        usleep(100_000)
      }
      // The connection is closed, although the client kept sending.
      #expect(slow.readAll().isEmpty)
      // Requests that are too long.
      let long = visitor.ask("POST", "/~\(visitor.session)/", body: String(repeating: "a", count: 200_000))
      #expect(long.contains("413"), "\(long.prefix(200))")
      #expect(visitor.ask("GET", "/" + String(repeating: "a", count: 1 << 20)).contains("<h1") == false)
      withExtendedLifetime(idle) {}
    }
    await serving.stop()
  }

  @Test func whoSendsTooMuchIsCutOffAndOthersAreNot() async throws {
    let serving = try await Serving(["scenes"])
    let visitor = try await serving.visitor()
    let other = try await serving.visitor()
    try await elsewhere {
      let calm = try typicalTime { other.page().contains("<h1") }
      let (flood, _) = try #require(visitor.follow())
      for number in 1...10_000 {
        guard flood.sendMessage(#"{"n":\#(number),"do":"scroll 1 \#(number)"}"#) else { break }
      }
      let time = try typicalTime { other.page().contains("<h1") }
      #expect(time < max(.milliseconds(100), calm * 20), "before in \(calm)")
      _ = flood.readAll()
      #expect(!flood.sendMessage(#"{"n":1,"do":"back"}"#) || flood.read() == [])
      // Messages that are too long, malformed, incomplete or unknown.
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
    let visitor = try await serving.visitor()
    try await elsewhere {
      let readers = (0..<20).compactMap { _ in visitor.follow()?.connection }
      #expect(readers.count == 20)
      let (acting, _) = try #require(visitor.follow())
      // Every reader gets each of these updates, and none reads them.
      for number in 1...200 {
        acting.sendMessage(#"{"n":\#(number),"do":"open gangway%3A%2F%2F\#(number % 2 == 0 ? "clock" : "scenes")"}"#)
        var answer = acting.readMessage()
        while let text = answer, !text.contains(#""a":\#(number),"#) { answer = acting.readMessage() }
        try #require(answer != nil, "\(number) was not answered")
      }
      withExtendedLifetime(readers) {}
    }
    await serving.stop()
  }

  @Test func whatIsTypedSecretlyIsInNoPageAndNoFile() async throws {
    let serving = try await Serving(["account"])
    let visitor = try await serving.visitor()
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

  @Test func behindTLSCookiesGoNowhereElse() async throws {
    let serving = try await Serving(["scenes"])
    let (port, entrances) = (serving.server.port, [serving.site.makeEntrance(), serving.site.makeEntrance()])
    try await elsewhere {
      let stranger = Visitor(port: port, cookie: "", session: "")
      let plain = stranger.ask("GET", entrances[0], isKnown: false)
      #expect(plain.contains("Set-Cookie: gangway-\(port)=") && !plain.contains("Secure"))
      let behind = stranger.ask("GET", entrances[1], headers: "X-Forwarded-Proto: https\r\n", isKnown: false)
      #expect(behind.contains("; HttpOnly; SameSite=Strict; Secure; Max-Age="))
    }
    await serving.stop()
  }

  @Test func whoMayComeInIsNotForgottenForADamagedFile() throws {
    let workshop = try Workshop()
    let file = workshop.path("people.json")
    let people = try People(file: file)
    let person = try #require(try people.enter(with: people.makeKey()))
    #expect(try People(file: file).person(cookie: person.cookie)?.formToken == person.formToken)
    try "{".write(toFile: file, atomically: false, encoding: .utf8)
    let failure = #expect(throws: People.Failure.self) { try People(file: file) }
    let told = try #require(failure?.description)
    #expect(told.hasPrefix("'\(file)', the list of users, cannot be used: "), "\(told)")
    #expect(told.hasSuffix("Fix the file. Or move the file away; then every user needs a new address."), "\(told)")
    // The file is unchanged.
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "{")
  }

  @Test func peopleHaveFilesOfTheirOwn() async throws {
    let serving = try await Serving(["account", "todos"])
    let (one, other) = (try await serving.visitor(), try await serving.visitor())
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
