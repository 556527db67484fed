import Foundation
import GangwayProtocol
import GangwaySupervisor
import TestSupport
import Testing

@MainActor @Suite struct StateFileTests {
  private let workshop: Workshop
  private var path: String { workshop.path("state/session.json") }

  init() throws { workshop = try Workshop() }

  private func supervisor(_ isFresh: Bool = false) throws -> Supervisor {
    let path = path
    return try workshop.supervisor(["scenes", "hello"]) {
      $0.stateFile = path
      $0.isFresh = isFresh
    }
  }

  /// Leaves a session on scene 2 behind.
  private func leaveSession() async throws -> String {
    let supervisor = try supervisor()
    _ = try await supervisor.start()
    try await supervisor.type("typed", into: "Text")
    try await supervisor.tap("Go to Scene 2")
    let picture = try await supervisor.picture()
    await supervisor.stop()
    return picture
  }

  @Test func aSessionGoesOnInTheNextRun() async throws {
    let before = try await leaveSession()
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    let folder = try FileManager.default.attributesOfItem(atPath: workshop.path("state"))
    #expect(folder[.posixPermissions] as? Int == 0o700)
    let next = try supervisor()
    #expect(try await next.start().isEmpty)
    #expect(try await next.picture() == before)
    await next.stop()
  }

  /// Of two apps on one file the second neither begins with the first's session nor writes over it.
  @Test func aSessionIsOneAppsAtATime() async throws {
    let first = try supervisor()
    #expect(try await first.start().isEmpty)
    try await first.type("first", into: "Text")
    let second = try supervisor()
    let notices = try await second.start().map(\.text)
    #expect(
      notices.first?.hasPrefix("The stored session '\(path)' is in use by another app (process \(getpid())).") == true,
      "\(notices)")
    #expect(second.presentation.plainText.contains("Text: []"))
    try await second.type("second", into: "Text")
    await second.stop()
    await first.stop()
    // A fresh start sets nothing aside that is in use either.
    let third = try supervisor()
    #expect(try await third.start().isEmpty)
    try await third.shows("Text: [first]")
    let fourth = try supervisor(true)
    _ = try await fourth.start()
    await fourth.stop()
    await third.stop()
    let last = try supervisor()
    _ = try await last.start()
    // What comes from a file is put before its guards, whose answers may come after the first update.
    try await last.shows("Text: [first]")
    await last.stop()
  }

  @Test func aFreshStartSetsTheOldSessionAside() async throws {
    _ = try await leaveSession()
    let next = try supervisor(true)
    let notices = try await next.start().map(\.text)
    #expect(notices.first?.contains("was set aside as '\(path).set-aside-1': a fresh one was asked for") == true)
    #expect(next.presentation.plainText.contains("Text: []"))
    #expect(FileManager.default.fileExists(atPath: path + ".set-aside-1"))
    await next.stop()
  }

  @Test(arguments: [
    ("", "not a JSON object"), ("garbage", "not a JSON object"), ("{\"kind\":\"gangway.session\"", "not a JSON object"),
    (#"{"kind":"other","checkpoint":{"format":1,"nextNode":1,"records":[]}}"#, "of another kind: 'other'"),
    (#"{"kind":"gangway.session","checkpoint":{"format":99,"nextNode":1,"records":[]}}"#, "its format is 99"),
    (
      #"{"kind":"gangway.session","checkpoint":{"format":1,"nextNode":1,"records":[{"id":2,"parent":7,"position":0,"style":"push","schema":1}]}}"#,
      "roots"
    ),
  ])
  func aFileThatIsNoSessionIsSetAsideAndSaid(_ content: String, _ reason: String) async throws {
    try FileManager.default.createDirectory(
      atPath: workshop.path("state"), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    try Data(content.utf8).write(to: URL(fileURLWithPath: path))
    chmod(path, 0o600)
    let supervisor = try supervisor()
    let notices = try await supervisor.start().map(\.text)
    #expect(notices.first?.contains("was set aside as '\(path).set-aside-1'") == true)
    #expect(notices.first?.contains(reason) == true, "\(notices)")
    #expect(try String(contentsOfFile: path + ".set-aside-1", encoding: .utf8) == content)
    #expect(supervisor.presentation.plainText.contains("Scene 1"))
    await supervisor.stop()
  }

  @Test func aFileThatOthersCanReadIsSetAside() async throws {
    _ = try await leaveSession()
    chmod(path, 0o644)
    let supervisor = try supervisor()
    let notices = try await supervisor.start().map(\.text)
    #expect(notices.first?.contains("others can read or write it (mode 644, not 600)") == true)
    await supervisor.stop()
  }

  @Test func aLinkOrFolderInItsPlaceIsSetAside() async throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    let supervisor = try supervisor()
    let notices = try await supervisor.start().map(\.text)
    #expect(notices.first?.contains("it is no regular file") == true, "\(notices)")
    await supervisor.stop()
  }

  @Test func aFolderThatCannotBeWrittenIsSaidAndTheAppGoesOn() async throws {
    let supervisor = try workshop.supervisor(["scenes"]) { $0.stateFile = "/proc/nowhere/session.json" }
    _ = try await supervisor.start()
    let notice = await supervisor.notice { Task { try await supervisor.type("x", into: "Text") } }
    #expect(notice.hasPrefix("The session was not stored: '/proc/nowhere/session.json."), "\(notice)")
    #expect(supervisor.presentation.plainText.contains("Text: [x]"))
    await supervisor.stop()
  }

  @Test func whatIsWrittenIsReadBack() throws {
    let file = StateFile(path: workshop.path("a/b.json"))
    var checkpoint = Checkpoint(nextNode: 3)
    checkpoint.records[1] = Checkpoint.Record(id: 1, parent: nil, position: 0, style: "root")
    try file.write(checkpoint)
    guard case .checkpoint(let read) = file.read() else {
      Issue.record("not read back")
      return
    }
    #expect(read == checkpoint)
    #expect(try FileManager.default.contentsOfDirectory(atPath: workshop.path("a")) == ["b.json"])
  }
}

extension Workshop {
  /// A shell script that stands in for a host.
  func script(_ body: String) throws -> String {
    let path = path("host-\(UUID().uuidString)")
    try "#!/bin/sh\n\(body)\n".write(toFile: path, atomically: true, encoding: .utf8)
    chmod(path, 0o700)
    return path
  }
}
