import Foundation
@_spi(FrontEnd) import TestSupport
import Testing

@_spi(FrontEnd) @testable import GangwaySupervisor
@_spi(FrontEnd) @testable import GangwayWeb

/// The sessions that a server stores.
@MainActor @Suite(.serialized) struct KeptSessionsTests {
  private func stored(_ serving: Serving, of visitor: Visitor) -> [String] {
    // The cookie has the form NAME=ID.SECRET.
    let person = String(visitor.cookie.drop { $0 != "=" }.dropFirst().prefix { $0 != "." })
    let files = try? FileManager.default.contentsOfDirectory(atPath: serving.workshop.path("sessions/\(person)"))
    return (files ?? []).filter { $0.hasSuffix(".json") }
  }

  /// Links of other sites begin sessions, but never push out a session with typed text.
  @Test func linksOfOtherSitesDeleteNoTypedText() async throws {
    let serving = try await Serving(["scenes"]) {
      $0.isOpen = true
      $0.limits.sessionsPerPerson = 4
      ($0.limits.eventsPerSecond, $0.limits.burst) = (100_000, 100_000)
    }
    let port = serving.server.port
    let visitor = try await elsewhere { try #require(Visitor.come(to: port)) }
    try await elsewhere {
      #expect(visitor.page("scenes/2?text=typed").contains("You typed: typed"))
      for number in 0..<210 {
        let answer = visitor.ask("GET", "/scenes/2?text=\(number)", headers: "Sec-Fetch-Site: cross-site\r\n")
        #expect(answer.contains("Location: /~"), "\(answer)")
      }
      #expect(visitor.page().contains("You typed: typed"))
    }
    #expect(stored(serving, of: visitor) == ["\(visitor.session).json"])
    await serving.stop()
  }

  /// A page sends typed text again only if it learns that the text was lost.
  @Test func aPageLearnsThatItsTextWasLostWithTheHost() async throws {
    let serving = try await Serving(["scenes"])
    let visitor = try await serving.visitor()
    let page = try await elsewhere {
      let (page, _) = try #require(visitor.follow())
      _ = page.readMessage()
      return page
    }
    var (number, answer) = (0, "")
    // On a busy machine, a message may reach the server only after the kill. The next host then takes its text.
    while number < 10, !answer.contains(#""lost":true"#) {
      number += 1
      // With the spare, which a session may take over at any time.
      let hosts = serving.userSessions.hostProcessIDs
      try #require(!hosts.isEmpty)
      // No host can answer the edit.
      for host in hosts { kill(host, SIGSTOP) }
      page.sendMessage(#"{"n":\#(number),"do":"edit 3 text","text":"typed\#(number)"}"#)
      try await Task.sleep(for: .milliseconds(200 * number))
      for host in hosts { kill(host, SIGKILL) }
      answer = try await self.answer(to: number, on: page)
    }
    #expect(answer.contains(#""lost":true"#), "\(answer)")
    // The same text is done once it is sent again.
    page.sendMessage(#"{"n":\#(number + 1),"do":"edit 3 text","text":"typed\#(number)"}"#)
    let done = try await self.answer(to: number + 1, on: page)
    #expect(done.contains("typed\(number)") && !done.contains("lost"), "\(done)")
    await serving.stop()
  }

  /// Returns a page's answer to a message.
  private func answer(to number: Int, on page: RawConnection) async throws -> String {
    try await elsewhere {
      while let message = page.readMessage() {
        if message.contains(#""a":\#(number),"#) { return message }
      }
      return ""
    }
  }

  /// A session is stored before the page shows its first change, with and without scripts.
  @Test func aSessionIsStoredFromTheFirstThingThatIsDone() async throws {
    let serving = try await Serving(["scenes"])
    let visitor = try await serving.visitor()
    #expect(stored(serving, of: visitor) == [])
    let page = try await elsewhere {
      let (page, _) = try #require(visitor.follow())
      _ = page.readMessage()
      return page
    }
    #expect(stored(serving, of: visitor) == [])
    try await elsewhere {
      page.sendMessage(#"{"n":1,"do":"open gangway%3A%2F%2Fscenes%2F2"}"#)
      while let message = page.readMessage(), !message.contains("\"a\":1") {}
    }
    #expect(stored(serving, of: visitor) == ["\(visitor.session).json"])
    let other = try await serving.visitor()
    try await elsewhere { #expect(other.page("scenes/2?text=kept").contains("You typed: kept")) }
    #expect(stored(serving, of: other) == ["\(other.session).json"])
    // After a restart, an unused session is gone, and its address opens another one at the same place.
    let untouched = try await serving.visitor()
    try await serving.restart()
    try await elsewhere {
      #expect(other.page().contains("You typed: kept"))
      let answer = untouched.ask("GET", "/~\(untouched.session)/scenes/2")
      #expect(answer.contains("Location: /scenes/2\r\n"), "\(answer)")
    }
    await serving.stop()
  }
}
