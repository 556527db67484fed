import Foundation
import TestSupport
import Testing

@testable import GangwaySupervisor

/// Sessions of many people that are opened and put away.
@MainActor @Suite struct SessionShelfTests {
  private let workshop: Workshop

  init() throws { workshop = try Workshop() }

  private func stored(of profile: String) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: workshop.path("sessions/\(profile)"))) ?? []
    return names.filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }.sorted()
  }

  @Test func ofMoreSessionsThanAPersonMayKeepTheOldestIsForgotten() async throws {
    let shelf = try SessionShelf(workshop.options(["scenes"]), folder: workshop.path("sessions"), storedPerProfile: 3)
    _ = try await shelf.open("other", of: "another")
    var seats: [String: SessionSeat] = [:]
    for name in ["a", "b", "c"] {
      seats[name] = try await shelf.open(name, of: "person").session as? SessionSeat
      try await seats[name]?.type("text of \(name)", into: "Text")
      // The first stays open.
      if name != "a" { await shelf.putAway(name, of: "person") }
      try await Task.sleep(for: .milliseconds(20))
    }
    #expect(stored(of: "person") == ["a", "b", "c"])
    // One that is there already needs no room.
    _ = try await shelf.open("b", of: "person")
    await shelf.putAway("b", of: "person")
    #expect(stored(of: "person") == ["a", "b", "c"])
    for name in ["b", "c"] {
      // Files of a system whose clock is coarse may be of the same moment.
      let age = name == "b" ? 20.0 : 10
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -age)],
        ofItemAtPath: workshop.path("sessions/person/\(name).json"))
    }
    let seat = try await shelf.open("d", of: "person").session
    try await (seat as? SessionSeat)?.type("text of d", into: "Text")
    #expect(stored(of: "person") == ["a", "c", "d"])
    #expect(!shelf.isStored("b", of: "person"))
    let files = try FileManager.default.contentsOfDirectory(atPath: workshop.path("sessions/person"))
    #expect(!files.contains { $0.hasPrefix("b.") }, "\(files)")
    try await seats["a"]?.shows("Text: [text of a]")
    #expect(shelf.isStored("other", of: "another"))
    await shelf.stop()
  }

  @Test func whatIsOpenIsNotForgottenHoweverOldItIs() async throws {
    let shelf = try SessionShelf(workshop.options(["scenes"]), folder: workshop.path("sessions"), storedPerProfile: 1)
    let first = try await shelf.open("a", of: "person").session
    try await (first as? SessionSeat)?.type("kept", into: "Text")
    _ = try await shelf.open("b", of: "person")
    await shelf.putAway("a", of: "person")
    let again = try await shelf.open("a", of: "person").session
    try await (again as? SessionSeat)?.shows("Text: [kept]")
    await shelf.stop()
  }
}
