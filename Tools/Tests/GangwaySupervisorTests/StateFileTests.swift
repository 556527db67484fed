import Foundation
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) @testable import GangwaySupervisor
@_spi(FrontEnd) import TestSupport
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
    try await next.looks(like: before)
    await next.stop()
  }

  /// If two apps use one file, the second neither starts with the first one's session nor overwrites it.
  @Test func aSessionIsOneAppsAtATime() async throws {
    let first = try supervisor()
    #expect(try await first.start().isEmpty)
    try await first.type("first", into: "Text")
    let second = try supervisor()
    let notices = try await second.start().map(\.developerText)
    #expect(
      notices.first?.hasPrefix("The stored session '\(path)' is in use by another app (process \(getpid())).") == true,
      "\(notices)")
    try await second.shows("Text: []")
    try await second.type("second", into: "Text")
    await second.stop()
    await first.stop()
    // A fresh start does not set aside a session that is in use.
    let third = try supervisor()
    #expect(try await third.start().isEmpty)
    try await third.shows("Text: [first]")
    let fourth = try supervisor(true)
    _ = try await fourth.start()
    await fourth.stop()
    await third.stop()
    let last = try supervisor()
    _ = try await last.start()
    // The screens of a stored session wait for their guards, which may answer after the first update.
    try await last.shows("Text: [first]")
    await last.stop()
  }

  @Test func aFreshStartSetsTheOldSessionAside() async throws {
    _ = try await leaveSession()
    let next = try supervisor(true)
    let notices = try await next.start().map(\.developerText)
    #expect(notices.first?.contains("was moved to '\(path).set-aside-1': a new session was requested") == true)
    try await next.shows("Text: []")
    #expect(FileManager.default.fileExists(atPath: path + ".set-aside-1"))
    await next.stop()
  }

  @Test(arguments: [
    ("", "no complete line"), ("garbage", "no complete line"), ("garbage\n", "no checksum"),
    ("{\"kind\":\"gangway.session\"\n", "no checksum"), ("{}\t00000000\n", "its checksum is"),
    (sealed(#"{"kind":"other","format":1,"nextNode":1,"entries":0}"#), "of the kind 'other', not a stored session"),
    (sealed(#"{"kind":"gangway.session","format":99,"nextNode":1,"entries":0}"#), "its format is 99"),
    (
      sealed(#"{"kind":"gangway.session","format":1,"nextNode":1,"entries":1}"#)
        + sealed(#"{"record":{"id":2,"parent":7,"position":0,"style":"push","schema":1}}"#), "roots"
    ),
  ])
  func aFileThatIsNoSessionIsSetAsideAndSaid(_ content: String, _ reason: String) async throws {
    try FileManager.default.createDirectory(
      atPath: workshop.path("state"), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    try Data(content.utf8).write(to: URL(fileURLWithPath: path))
    chmod(path, 0o600)
    let supervisor = try supervisor()
    let notices = try await supervisor.start().map(\.developerText)
    #expect(notices.first?.contains("was moved to '\(path).set-aside-1'") == true)
    #expect(notices.first?.contains(reason) == true, "\(notices)")
    #expect(try String(contentsOfFile: path + ".set-aside-1", encoding: .utf8) == content)
    try await supervisor.shows("Scene 1")
    await supervisor.stop()
  }

  @Test func aFileThatOthersCanReadIsSetAside() async throws {
    _ = try await leaveSession()
    chmod(path, 0o644)
    let supervisor = try supervisor()
    let notices = try await supervisor.start().map(\.developerText)
    #expect(notices.first?.contains("others can read or write it (mode 644, not 600)") == true)
    await supervisor.stop()
  }

  @Test func aFolderInItsPlaceIsLeftThere() async throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    let supervisor = try supervisor()
    let notices = try await supervisor.start().map(\.developerText)
    #expect(notices.first?.contains("is not a regular file but a folder") == true, "\(notices)")
    await supervisor.stop()
    #expect(!FileManager.default.fileExists(atPath: path + ".set-aside-1"))
  }

  @Test func aFolderThatCannotBeWrittenIsSaidAndTheAppGoesOn() async throws {
    let supervisor = try workshop.supervisor(["scenes"]) { $0.stateFile = "/proc/nowhere/session.json" }
    let notices = try await supervisor.start().map(\.developerText)
    #expect(
      notices.first?.hasPrefix("The session was not stored: '/proc/nowhere/session.json.") == true, "\(notices)")
    try await supervisor.type("x", into: "Text")
    try await supervisor.shows("Text: [x]")
    await supervisor.stop()
  }

  /// A line of a session file, with a checksum that fits.
  nonisolated private static func sealed(_ json: String) -> String {
    String(decoding: CheckedLine.sealing(Array(json.utf8)[...]), as: UTF8.self)
  }

  /// How many lines are changes.
  private func changeCount() throws -> Int { try lines().count { $0.hasPrefix("{\"change\"") } }

  private func lines() throws -> [String] {
    try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
  }

  /// Each change appends a line to the file; the end of the run folds the lines into one.
  @Test func eachChangeIsALineAtTheEnd() async throws {
    let first = try supervisor()
    _ = try await first.start()
    #expect(try changeCount() == 0)
    for number in 1...3 { try await first.type("\(number)", into: "Text") }
    #expect(try changeCount() == 3)
    #expect(try lines().last?.contains("\"text\":\"3\"") == true || lines().last?.contains(":\"3\"") == true)
    guard case .checkpoint(let stored) = StateFile(path: path).read() else {
      Issue.record("it cannot be read")
      return
    }
    #expect(stored == first.checkpoint)
    await first.stop()
    #expect(try changeCount() == 0)
    // The session that the run started with is kept until the next start.
    let second = try supervisor()
    let before = try String(contentsOfFile: path, encoding: .utf8)
    _ = try await second.start()
    try await second.type("other", into: "Text")
    #expect(try String(contentsOfFile: path + ".previous", encoding: .utf8) == before)
    await second.stop()
  }

  @Test func aLineThatWasBeingWrittenIsNotThere() async throws {
    let first = try supervisor()
    _ = try await first.start()
    try await first.type("kept", into: "Text")
    let expected = first.checkpoint
    await first.stop()
    let handle = try #require(FileHandle(forWritingAtPath: path))
    try handle.seekToEnd()
    try handle.write(contentsOf: Data(#"{"change":{"changed":[],"remo"#.utf8))
    try handle.close()
    try Data("left".utf8).write(to: URL(fileURLWithPath: path + ".4711.new"))
    let next = try supervisor()
    #expect(try await next.start().isEmpty)
    #expect(next.checkpoint.records.count == expected.records.count)
    try await next.shows("Text: [kept]")
    #expect(!FileManager.default.fileExists(atPath: path + ".4711.new"))
    await next.stop()
  }

  /// Each kind of damage removes only the parts that it affects, and a copy of the damaged file is kept.
  @Test(arguments: [
    "a record that is none", "an orphan", "a line that is none", "a change of nothing's", "a number that is none",
  ])
  func damageTakesWhatItConcernsAlone(_ damage: String) async throws {
    let first = try supervisor()
    _ = try await first.start()
    try await first.type("kept", into: "Text")
    await first.stop()
    var text = try String(contentsOfFile: path, encoding: .utf8)
    switch damage {
    case "a record that is none": text += Self.sealed(#"{"record":{"id":"x"}}"#)
    case "an orphan":
      text += Self.sealed(#"{"record":{"id":77,"parent":66,"position":0,"style":"push","schema":1}}"#)
    case "a line that is none": text += "nonsense\n"
    case "a number that is none":
      var header = try lines()[0].dropLast(9)
      header.replace(/"nextNode":\d+/, with: "\"nextNode\":-7")
      text = ([Self.sealed(String(header))] + (try lines().dropFirst().map { $0 + "\n" })).joined()
    default: text += Self.sealed(#"{"change":{"changed":[],"removed":[1],"nextNode":5}}"#)
    }
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    let next = try supervisor()
    let notices = try await next.start().map(\.developerText)
    #expect(
      notices.first?.hasPrefix("The stored session '\(path)' is damaged. It was opened without the damaged part: ")
        == true,
      "\(notices)")
    #expect(notices.first?.contains("so 0 of") == false, "\(notices)")
    #expect(notices.first?.hasSuffix("The damaged file is kept as '\(path).set-aside-1'.") == true, "\(notices)")
    #expect(try String(contentsOfFile: path + ".set-aside-1", encoding: .utf8) == text)
    try await next.shows("Text: [kept]")
    await next.stop()
  }

  /// The supervisor and its host are killed right after an update, which the next run must show.
  ///
  /// `GANGWAY_KILLS` sets the number of kills.
  @Test func whatWasShownWhenEverythingWasKilledIsThere() async throws {
    let count = ProcessInfo.processInfo.environment["GANGWAY_KILLS"].flatMap { Int($0) } ?? 8
    var random = SeededRandom()
    var lost: [String] = []
    for number in 1...count {
      let command = Process()
      command.executableURL = URL(fileURLWithPath: Workshop.built + "/gangway")
      command.arguments = ["run", "--plugin", "scenes", "--frontend", "plain", "--state", path]
      command.environment = ProcessInfo.processInfo.environment.merging([
        "XDG_STATE_HOME": workshop.path("log"), "XDG_CACHE_HOME": Workshop.caches,
      ]) { $1 }
      let (input, output) = (Pipe(), Pipe())
      (command.standardInput, command.standardOutput) = (input, output)
      command.standardError = FileHandle.nullDevice
      try command.run()
      let wanted = Int.random(in: 1...20, using: &random)
      for step in 0...wanted {
        try input.fileHandleForWriting.write(contentsOf: Data("set Text = \(number)-\(step)\n".utf8))
      }
      let last = "Text: [\(number)-\(wanted)]"
      let isShown = await Task.detached {
        var seen = ""
        while !seen.contains(last) {
          let bytes = output.fileHandleForReading.availableData
          if bytes.isEmpty { return false }
          seen += String(decoding: bytes, as: UTF8.self)
        }
        kill(command.processIdentifier, SIGKILL)
        command.waitUntilExit()
        return true
      }.value
      try #require(isShown, "\(last)")
      guard case .checkpoint(let stored) = StateFile(path: path).read() else {
        lost.append("\(last): nothing")
        continue
      }
      let texts = stored.records.values.flatMap { $0.values.map { Array($0.values) } ?? [] }
      if !texts.contains("\(number)-\(wanted)") { lost.append("\(last): \(texts)") }
    }
    #expect(lost.isEmpty, "\(lost.count) of \(count): \(lost)")
    let left = try FileManager.default.contentsOfDirectory(atPath: workshop.path("state")).sorted()
    #expect(left == ["session.json", "session.json.lock", "session.json.previous"], "\(left)")
  }

  /// A long run does not make a long file.
  @Test func aLongJournalIsFolded() async throws {
    let opening = try SessionStore.open(path, isFresh: false)
    let store = try #require(opening.store)
    var checkpoint = Checkpoint(nextNode: 2, records: [1: .init(id: 1, parent: nil, position: 0, style: "root")])
    store.current = { checkpoint }
    var largest = 0
    for number in 1...4_000 {
      checkpoint.records[1]?.state = String(repeating: "\(number % 10)", count: 200)
      let record = try #require(checkpoint.records[1])
      store.note(.init(changed: [record], removed: [], nextNode: 2), of: checkpoint)
      if number % 100 == 0 { try await Task.sleep(for: .milliseconds(30)) }
      largest = max(largest, try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0)
    }
    #expect(largest > 256 << 10 && largest < 1 << 20, "\(largest)")
    guard case .checkpoint(let stored) = StateFile(path: path).read() else {
      Issue.record("it cannot be read")
      return
    }
    #expect(stored == checkpoint)
    await store.finish(checkpoint)
    #expect(try lines().count == 2)
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
  /// Creates a shell script that acts as a host.
  func script(_ body: String) throws -> String {
    let path = path("host-\(UUID().uuidString)")
    try "#!/bin/sh\n\(body)\n".write(toFile: path, atomically: true, encoding: .utf8)
    chmod(path, 0o700)
    return path
  }
}
