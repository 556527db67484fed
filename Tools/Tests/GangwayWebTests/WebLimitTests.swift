import Foundation
@_spi(FrontEnd) import TestSupport
import Testing

@_spi(FrontEnd) @testable import GangwaySupervisor
@_spi(FrontEnd) @testable import GangwayWeb

/// The limits of ``WebLimits`` that ``SafetyTests``, ``AnyoneTests`` and ``ConnectionLimitTests`` do not test.
@MainActor @Suite(.serialized) struct WebLimitTests {
  nonisolated private static func back(_ number: Int) -> String { #"{"n":\#(number),"do":"back"}"# }

  /// Returns whether an event is answered.
  nonisolated private static func isAnswered(_ number: Int, on page: RawConnection) -> Bool {
    page.sendMessage(back(number))
    while let message = page.readMessage() {
      if message.contains("\"a\":\(number),") || message.contains("\"a\":\(number)}") { return true }
    }
    return false
  }

  @Test func whoAsksNothingIsNotWaitedForWithoutEnd() async throws {
    let serving = try await Serving(["scenes"]) { ($0.limits.requestSeconds, $0.limits.idleSeconds) = (1, 2) }
    let port = serving.server.port
    try await elsewhere {
      let start = ContinuousClock.now
      // A connection without any data.
      #expect(try #require(RawConnection(port)).read() == [])
      let silent = ContinuousClock.now - start
      #expect(silent > .milliseconds(900) && silent < Patience.allowed(.seconds(5)), "\(silent)")
      // A connection that becomes silent is kept for a while.
      let kept = try #require(RawConnection(port))
      for _ in 1...2 {
        kept.send("GET /_gangway/health HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n")
        #expect(kept.read(until: "\"unstored\":0}\n").contains("200 OK"))
        usleep(1_200_000)
      }
      #expect(kept.read() == [])
    }
    await serving.stop()
  }

  @Test func aPageOfWhichNothingIsHeardIsLetGoAndOneThatAnswersIsNot() async throws {
    let serving = try await Serving(["scenes"]) { $0.limits.silenceSeconds = 1 }
    let visitor = try await serving.visitor()
    try await elsewhere {
      let (silent, _) = try #require(visitor.follow())
      let (alive, _) = try #require(visitor.follow())
      let start = ContinuousClock.now
      while ContinuousClock.now - start < .seconds(4) {
        // Pong (RFC 6455, 5.5.3).
        guard alive.sendMessage("", opcode: 10) else { break }
        usleep(200_000)
      }
      #expect(Self.isAnswered(1, on: alive))
      #expect(!Self.isAnswered(1, on: silent))
    }
    await serving.stop()
  }

  /// Ping, pong and continuation frames (RFC 6455, 5.4 and 5.5) load the network thread as much as messages.
  @Test(arguments: [UInt8(9), 10]) func controlFramesCountAsMessages(_ opcode: UInt8) async throws {
    let serving = try await Serving(["scenes"]) { ($0.limits.eventsPerSecond, $0.limits.burst) = (5, 40) }
    let visitor = try await serving.visitor()
    let other = try await serving.visitor()
    try await elsewhere {
      let (few, _) = try #require(visitor.follow())
      for _ in 0..<5 { few.sendMessage("x", opcode: opcode) }
      #expect(Self.isAnswered(1, on: few))
      let (many, _) = try #require(visitor.follow())
      for _ in 0..<200 where !many.sendMessage("x", opcode: opcode) { break }
      #expect(!Self.isAnswered(2, on: many))
      #expect(many.closes())
      #expect(Self.isAnswered(3, on: few))
      #expect(other.page().contains("<h1"))
    }
    await serving.stop()
  }

  @Test func eventsOfAPersonAreCountedOverAllTheirConnections() async throws {
    let serving = try await Serving(["scenes"]) { ($0.limits.eventsPerSecond, $0.limits.burst) = (5, 40) }
    let visitor = try await serving.visitor()
    let other = try await serving.visitor()
    try await elsewhere {
      var answered = 0
      let start = ContinuousClock.now
      // A user who is cut off and reconnects again and again gets no more than one who stays.
      for _ in 0..<20 {
        guard let (page, answer) = visitor.follow(), answer.hasPrefix("HTTP/1.1 101") else { continue }
        for number in 1...10 where Self.isAnswered(number, on: page) { answered += 1 }
      }
      let most = 40 + Int((ContinuousClock.now - start) / .seconds(1) * 5) + 1
      #expect(answered > 20 && answered <= most, "\(answered) of \(most)")
      let refused = (0..<5).map { _ in visitor.ask("GET", "/") }.first { $0.hasPrefix("HTTP/1.1 429") } ?? ""
      #expect(refused.contains("Retry-After: 1") && refused.contains("more than 5 requests a second"), "\(refused)")
      // Other users are not affected.
      #expect(other.page().contains("<h1"))
      let (page, _) = try #require(other.follow())
      #expect(Self.isAnswered(1, on: page))
      usleep(1_500_000)
      #expect(visitor.page().contains("<h1"))
    }
    await serving.stop()
  }

  @Test func moreThanCanWaitIsRefused() async throws {
    let serving = try await Serving(["scenes"]) { $0.limits.waiting = 2 }
    let visitor = try await serving.visitor()
    try await elsewhere {
      let (page, _) = try #require(visitor.follow())
      for number in 1...100 where !page.sendMessage(Self.back(number)) { break }
      #expect(page.readAll().contains("This page sent too many messages."))
      let (next, _) = try #require(visitor.follow())
      #expect(Self.isAnswered(1, on: next) && Self.isAnswered(2, on: next) && Self.isAnswered(3, on: next))
    }
    await serving.stop()
  }

  /// A further session parks the one that was left first, which is later restored unchanged.
  @Test func moreSessionsThanAPersonMayHaveArePutAway() async throws {
    let serving = try await Serving(["scenes"]) { $0.limits.sessionsPerPerson = 2 }
    let first = try await serving.visitor()
    let other = try await serving.visitor()
    let (second, third) = try await elsewhere {
      #expect(first.page("scenes/2?text=kept").contains("You typed: kept"))
      let second = try #require(Visitor.enter("", port: first.port, cookie: first.cookie))
      #expect(second.page("scenes/2?text=second").contains("You typed: second"))
      return (second, try #require(Visitor.enter("", port: first.port, cookie: first.cookie)))
    }
    #expect(Set(serving.site.sessions.all.keys) == [second.session, third.session, other.session])
    try await elsewhere {
      #expect(first.page().contains("You typed: kept"))
      // Sessions with open pages are never parked.
      let pages = try [first, third].map { try #require($0.follow()?.connection) }
      let refused = first.ask("GET", "/")
      #expect(refused.hasPrefix("HTTP/1.1 429") && refused.contains("limit of open sessions (2). Close"), "\(refused)")
      #expect(first.ask("GET", "/~\(second.session)/").hasPrefix("HTTP/1.1 429"))
      for page in pages { #expect(Self.isAnswered(1, on: page)) }
      #expect(other.page().contains("<h1"))
      withExtendedLifetime(pages) {}
    }
    await serving.stop()
  }

  @Test func manyThatComeAtOnceAreNoMoreThanTheyMayBe() async throws {
    let serving = try await Serving(["scenes"]) { $0.limits.sessionsPerPerson = 3 }
    let visitor = try await serving.visitor()
    try await elsewhere {
      let asked = (0..<20).compactMap { _ in
        RawConnection(visitor.port).map { connection in
          let request =
            "GET / HTTP/1.1\r\nHost: 127.0.0.1:\(visitor.port)\r\n"
            + "Cookie: \(visitor.cookie)\r\nConnection: close\r\n\r\n"
          connection.send(request)
          return connection
        }
      }
      // A request that finds all places taken by opening sessions gets an error.
      let answers = asked.map { $0.readAll() }
      #expect(answers.count == 20)
      for answer in answers {
        #expect(answer.hasPrefix("HTTP/1.1 303") || answer.hasPrefix("HTTP/1.1 429"), "\(answer)")
      }
      #expect(answers.contains { $0.hasPrefix("HTTP/1.1 303") })
    }
    #expect(serving.site.sessions.all.count <= 3)
    #expect(serving.userSessions.sessions.count <= 3)
    await serving.stop()
  }

  @Test func moreSessionsThanThereMayBeAreRefused() async throws {
    let serving = try await Serving(["scenes"]) { $0.limits.sessions = 2 }
    let visitors = [try await serving.visitor(), try await serving.visitor()]
    let pages = try await elsewhere { try visitors.map { try #require($0.follow()?.connection) } }
    let entrance = serving.site.makeEntrance()
    try await elsewhere {
      let welcome = Visitor(port: visitors[0].port, cookie: "", session: "").ask("GET", entrance, isKnown: false)
      let cookie = try #require(welcome.firstMatch(of: /Set-Cookie: ([^;]+);/)).1
      let third = Visitor(port: visitors[0].port, cookie: String(cookie), session: "")
      let refused = third.ask("GET", "/")
      #expect(
        refused.hasPrefix("HTTP/1.1 503") && refused.contains("limit of open sessions (2). Try"), "\(refused)")
      for page in pages { #expect(Self.isAnswered(1, on: page)) }
    }
    withExtendedLifetime(pages) {}
    await serving.stop()
  }

  /// A browser without scripts has no following page, so its session counts as left only once it stops asking.
  @Test func whatIsLeftIsPutAwayAndWhoStillAsksHasNotLeft() async throws {
    let serving = try await Serving(["scenes"]) { $0.limits.leaveSeconds = 2 }
    let (asking, left) = (try await serving.visitor(), try await serving.visitor())
    let session = try #require(serving.site.sessions.all[asking.session])
    try await elsewhere {
      #expect(left.page("scenes/2?text=kept").contains("You typed: kept"))
      for _ in 0..<25 {
        #expect(asking.page().contains("<h1"))
        usleep(200_000)
      }
    }
    #expect(serving.site.sessions.all[asking.session] === session)
    #expect(serving.site.sessions.all[left.session] == nil)
    #expect(serving.userSessions.sessions.count == 1)
    try await elsewhere { #expect(left.page().contains("You typed: kept")) }
    await serving.stop()
  }

  /// The server recovers without a restart, because a machine may be out of memory for only a moment.
  @Test func theServerGoesOnWhenHostsStayUpAgain() async throws {
    let serving = try await Serving(["scenes"], isBreakable: true)
    let visitor = try await serving.visitor()
    var failures: [String] = []
    serving.site.didFail = { failures.append("\($0)") }
    let page = try await elsewhere {
      #expect(visitor.page("scenes/2?text=kept").contains("You typed: kept"))
      let (page, _) = try #require(visitor.follow())
      _ = page.readMessage()
      return page
    }
    try serving.workshop.breakHosts(true)
    while serving.site.sessions.all[visitor.session] != nil {
      for host in serving.userSessions.hostProcessIDs { kill(host, SIGKILL) }
      try await Task.sleep(for: .milliseconds(200))
    }
    try await elsewhere {
      var told = ""
      while let message = page.readMessage() { told += message }
      #expect(told.contains("The app does not start at the moment. Your work is kept"), "\(told)")
      let answer = visitor.ask("GET", "/~\(visitor.session)/")
      #expect(answer.hasPrefix("HTTP/1.1 503") && answer.contains("Reload this page in a moment."), "\(answer)")
      // Paths on the server mean nothing to a visitor.
      #expect(!(told + answer).contains("host.log"), "\(told)\(answer)")
    }
    #expect(failures.contains { $0.contains("The app does not stay up") && $0.contains("host.log") }, "\(failures)")
    try serving.workshop.breakHosts(false)
    try await elsewhere {
      let patience = Patience(.seconds(20))
      var answer = ""
      while !answer.hasPrefix("HTTP/1.1 200"), !patience.hasEnded {
        usleep(100_000)
        answer = visitor.page()
      }
      #expect(answer.contains("You typed: kept"), "\(answer)")
      let (page, _) = try #require(visitor.follow())
      #expect(Self.isAnswered(1, on: page))
    }
    await serving.stop()
  }
}
