@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import GangwayClient
import Foundation
@_spi(FrontEnd) import TestSupport
import Testing

@_spi(FrontEnd) @testable import GangwaySupervisor

/// Sessions of many users, which are opened and parked.
@MainActor @Suite struct UserSessionsTests {
  private let workshop: Workshop

  init() throws { workshop = try Workshop() }

  private func stored(of profile: String) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: workshop.path("sessions/\(profile)"))) ?? []
    return names.filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }.sorted()
  }

  @Test func ofMoreSessionsThanAPersonMayKeepTheOldestIsForgotten() async throws {
    let userSessions = try UserSessions(
      workshop.options(["scenes"]), folder: workshop.path("sessions"), storedPerProfile: 3)
    _ = try await userSessions.open("other", of: "another")
    var frontEnds: [SessionID: FrontEndConnection] = [:]
    for name in ["a", "b", "c"] as [SessionID] {
      frontEnds[name] = try await userSessions.open(name, of: "person").session as? FrontEndConnection
      try await frontEnds[name]?.type("text of \(name)", into: "Text")
      // The first session stays open.
      if name != "a" { await userSessions.putAway(name, of: "person") }
      try await Task.sleep(for: .milliseconds(20))
    }
    #expect(stored(of: "person") == ["a", "b", "c"])
    // An existing session needs no additional room.
    _ = try await userSessions.open("b", of: "person")
    await userSessions.putAway("b", of: "person")
    #expect(stored(of: "person") == ["a", "b", "c"])
    for name in ["b", "c"] as [SessionID] {
      // With a coarse system clock, the files might have the same time.
      let age = name == "b" ? 20.0 : 10
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -age)],
        ofItemAtPath: workshop.path("sessions/person/\(name).json"))
    }
    let frontEnd = try await userSessions.open("d", of: "person").session
    try await (frontEnd as? FrontEndConnection)?.type("text of d", into: "Text")
    #expect(stored(of: "person") == ["a", "c", "d"])
    #expect(!userSessions.isStored("b", of: "person"))
    let files = try FileManager.default.contentsOfDirectory(atPath: workshop.path("sessions/person"))
    #expect(!files.contains { $0.hasPrefix("b.") }, "\(files)")
    try await frontEnds["a"]?.shows("Text: [text of a]")
    #expect(userSessions.isStored("other", of: "another"))
    await userSessions.stop()
  }

  @Test func whatIsOpenIsNotForgottenHoweverOldItIs() async throws {
    let userSessions = try UserSessions(
      workshop.options(["scenes"]), folder: workshop.path("sessions"), storedPerProfile: 1)
    let first = try await userSessions.open("a", of: "person").session
    try await (first as? FrontEndConnection)?.type("kept", into: "Text")
    _ = try await userSessions.open("b", of: "person")
    await userSessions.putAway("a", of: "person")
    let again = try await userSessions.open("a", of: "person").session
    try await (again as? FrontEndConnection)?.shows("Text: [kept]")
    await userSessions.stop()
  }

  /// A server that runs for weeks must not keep any memory of parked sessions.
  @Test func aHostKeepsNothingOfSessionsThatWerePutAway() async throws {
    let userSessions = try UserSessions(workshop.options(["scenes", "hello"]), folder: workshop.path("sessions"))
    func comeAndGo(_ numbers: ClosedRange<Int>) async throws -> Int {
      for number in numbers {
        let session = try await userSessions.open(SessionID(rawValue: "s\(number)"), of: "p\(number)").session
        _ = try await session.send(.open("gangway://hello"))
        await userSessions.putAway(SessionID(rawValue: "s\(number)"), of: "p\(number)")
      }
      // The process's private memory in KB (proc(5), `status`).
      let host = try #require(userSessions.hostProcessIDs.first)
      let status = try String(contentsOfFile: "/proc/\(host)/status", encoding: .utf8)
      return try #require(status.firstMatch(of: /RssAnon:\s*(\d+) kB/).flatMap { Int($0.1) })
    }
    let before = try await comeAndGo(1...300)
    let growth = try await comeAndGo(301...1_000) - before
    // It used to be 1.2 KB per session.
    #expect(growth < 350, "\(growth) KB of 700 sessions")
    await userSessions.stop()
  }

  /// A machine may be out of memory for a moment, or a folder is being replaced.
  @Test func sessionsComeBackWhenHostsStayUpAgain() async throws {
    let host = try workshop.breakableHost()
    let userSessions = try UserSessions(
      workshop.options(["scenes"]) { ($0.host, $0.retryDelay) = (host, .milliseconds(500)) },
      folder: workshop.path("sessions"))
    var ended: [SessionID: String] = [:]
    userSessions.didEnd = { ended[$0] = "\($1)" }
    for name in ["a", "b"] as [SessionID] {
      let session = try await userSessions.open(name, of: "person").session
      try await session.type("text of \(name)", into: "Text")
    }
    try workshop.breakHosts(true)
    for host in userSessions.hostProcessIDs { kill(host, SIGKILL) }
    try await eventually { ended.count == 2 }
    for reason in ended.values {
      #expect(reason.hasPrefix("The app does not stay up: it exited with code 3."), "\(reason)")
      #expect(reason.hasSuffix("The session is kept. Report: \(self.workshop.path("log"))/host.log"), "\(reason)")
    }
    for name in ["a", "b"] as [SessionID] { await userSessions.putAway(name, of: "person") }
    // No new attempt follows at once; otherwise every session would cause one.
    let start = ContinuousClock.now
    let patience = Patience(.seconds(10))
    await #expect(throws: SupervisorFailure.self) { _ = try await userSessions.open("a", of: "person") }
    try workshop.breakHosts(false)
    while true {
      do {
        _ = try await userSessions.open("a", of: "person")
        break
      } catch  where !patience.hasEnded {
        try await Task.sleep(for: .milliseconds(20))
      }
    }
    #expect(ContinuousClock.now - start > .milliseconds(300))
    for name in ["a", "b"] as [SessionID] {
      let (session, notices) = try await userSessions.open(name, of: "person")
      #expect(notices.isEmpty, "\(notices)")
      try await session.shows("Text: [text of \(name)]")
      try await session.type("more of \(name)", into: "Text")
    }
    #expect(userSessions.hostProcessIDs.count == 1)
    await userSessions.stop()
  }

  @Test func whatCannotBeStartedIsKnownBeforeAnybodyComes() async throws {
    let wrong = try UserSessions(workshop.options(["weather"]), folder: workshop.path("sessions"))
    let failure = await #expect(throws: SupervisorFailure.self) { try await wrong.start() }
    #expect(failure?.description.contains("there is no plugin 'weather'") == true, "\(failure?.description ?? "")")
    await wrong.stop()
    let right = try UserSessions(workshop.options(["scenes"]), hosts: 2, folder: workshop.path("sessions"))
    try await right.start()
    #expect(right.hostProcessIDs.count == 2)
    #expect(right.sessions.isEmpty && stored(of: "start").isEmpty)
    await right.stop()
  }
}
