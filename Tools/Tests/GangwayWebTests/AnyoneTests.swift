import Foundation
@_spi(FrontEnd) import TestSupport
import Testing

@_spi(FrontEnd) @testable import GangwayWeb

/// A server that admits anyone.
@MainActor @Suite(.serialized) struct AnyoneTests {
  /// Visits the server for the first time.
  nonisolated private static func come(_ port: Int, _ path: String) throws -> (cookie: String, next: String) {
    let answer = Visitor(port: port, cookie: "", session: "").ask("GET", path, isKnown: false)
    let cookie = try #require(
      answer.firstMatch(of: /Set-Cookie: ([^;]+); Path=\/; HttpOnly; SameSite=Lax;/), "\(answer)"
    ).1
    let next = try #require(answer.firstMatch(of: /Location: ([^\r]+)/)).1
    return (String(cookie), String(next))
  }

  @Test func whoeverComesIsKnownByTheCookieThatTheySendBack() async throws {
    let serving = try await Serving(["scenes"]) {
      $0.isOpen = true
      $0.limits.people = 2
    }
    let (port, file) = (serving.server.port, serving.workshop.path("people.json"))
    var failures: [String] = []
    serving.site.didFail = { failures.append("\($0)") }
    let known = try await elsewhere {
      let (cookie, next) = try Self.come(port, "/scenes/2?text=a%20link")
      #expect(next == "/_gangway/welcome?to=%2Fscenes%2F2%3Ftext%3Da%2520link")
      // A browser without cookies gets no session, and an error that says why.
      let other = Visitor(port: port, cookie: "", session: "").ask("GET", next, isKnown: false)
      #expect(other.hasPrefix("HTTP/1.1 403") && other.contains("Cookies are needed"), "\(other)")
      #expect(!FileManager.default.fileExists(atPath: file))
      let person = Visitor(port: port, cookie: cookie, session: "")
      #expect(person.ask("GET", next).contains("Location: /scenes/2?text=a%20link\r\n"))
      #expect(FileManager.default.fileExists(atPath: file))
      let begun = person.ask("GET", "/scenes/2?text=a%20link")
      let place = try #require(begun.firstMatch(of: /Location: (\/~\w+\/scenes\/2\?[^\r]+)/), "\(begun)").1
      #expect(person.ask("GET", String(place)).contains("a link"))
      // Redirects stay on this server.
      #expect(person.ask("GET", "/_gangway/welcome?to=%2F%2Fevil.example").contains("Location: /evil.example\r\n"))
      #expect(person.ask("GET", "/_gangway/welcome?to=%5Cevil.example").contains("Location: /evil.example\r\n"))
      // A client that never returns its cookie takes no space in the file or in memory.
      let before = try Data(contentsOf: URL(fileURLWithPath: file))
      for _ in 0..<4 { _ = try Self.come(port, "/") }
      #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == before)
      let second = try Self.come(port, "/")
      let empty = Visitor(port: port, cookie: second.cookie, session: "")
      #expect(empty.ask("GET", second.next).contains("Location: /\r\n"))
      // An admitted user without sessions makes room for a new one, and is admitted again like anyone else.
      let third = try Self.come(port, "/")
      let guest = Visitor(port: port, cookie: third.cookie, session: "")
      #expect(guest.ask("GET", third.next).contains("Location: /\r\n"))
      #expect(empty.ask("GET", "/").contains("Location: /_gangway/welcome?to="))
      #expect(guest.ask("GET", "/").contains("Location: /~"))
      // A user with a session keeps their place.
      let fourth = try Self.come(port, "/")
      let refused = Visitor(port: port, cookie: fourth.cookie, session: "").ask("GET", fourth.next)
      #expect(refused.hasPrefix("HTTP/1.1 503") && refused.contains("The server has reached its limit of users (2)."))
      #expect(person.ask("POST", String(place), isKnown: false).hasPrefix("HTTP/1.1 403"))
      return person
    }
    #expect(failures == ["The server has reached its limit of users (2). Try again later."])
    // A restart of the server keeps all known users.
    try await serving.restart()
    try await elsewhere {
      let answer = known.ask("GET", "/")
      #expect(answer.contains("Location: /~") && !answer.contains("Set-Cookie"), "\(answer)")
    }
    let later = serving.site.people.day() + People.renewalDays
    serving.site.people.day = { later }
    try await elsewhere {
      #expect(known.ask("GET", "/").contains("Set-Cookie: \(known.cookie); "))
      #expect(!known.ask("GET", "/").contains("Set-Cookie"))
    }
    await serving.stop()
  }

  /// Strangers without cookies, however many, do not keep out users with cookies.
  @Test func aFloodOfStrangersTurnsNobodyAway() throws {
    let people = try People(file: nil)
    let newcomer = people.greet()
    for _ in 0..<20_000 { _ = people.greet() }
    let person = try people.welcome(newcomer.cookie)
    #expect(person?.id == newcomer.id)
    #expect(people.person(cookie: newcomer.cookie)?.id == newcomer.id)
  }

  /// The server keeps nothing of a newcomer, so their cookie must show that the server made it.
  @Test func aCookieThatTheServerDidNotMakeIsNobodys() throws {
    let people = try People(file: nil)
    let cookie = people.greet().cookie
    for index in cookie.indices {
      var forged = cookie
      forged.replaceSubrange(index...index, with: cookie[index] == "a" ? "b" : "a")
      #expect(try people.welcome(forged) == nil, "\(forged)")
    }
    for text in ["", ".", "a.b", String(cookie.dropLast()), cookie + "0", String(repeating: "a", count: 100_000)] {
      #expect(try people.welcome(text) == nil, "\(text.prefix(100))")
    }
    #expect(try People(file: nil).welcome(cookie) == nil)
    // An old cookie may have been stolen.
    let now = people.now()
    people.now = { now + People.newcomerSeconds + 1 }
    #expect(try people.welcome(cookie) == nil)
    people.now = { now + People.newcomerSeconds - 1 }
    #expect(try people.welcome(cookie) != nil)
  }
}
