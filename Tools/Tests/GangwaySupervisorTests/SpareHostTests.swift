import Foundation
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import TestSupport
import Testing

@_spi(FrontEnd) @testable import GangwaySupervisor

/// The spare host, which takes over only if it knows the same as a new host would.
@MainActor @Suite struct SpareHostTests {
  private let workshop: Workshop

  init() throws { workshop = try Workshop() }

  private func started(_ plugins: [String]) async throws -> (Supervisor, spare: Int32) {
    let supervisor = try workshop.supervisor(plugins) { $0.keepsSpare = true }
    _ = try await supervisor.start()
    return (supervisor, try await spare(of: supervisor))
  }

  private func spare(of supervisor: Supervisor) async throws -> Int32 {
    try await eventually {
      supervisor.pool.spare?.isUpToDate(supervisor.pool.ledger) == true
        && supervisor.pool.spare?.host.channel.processID != nil
    }
    return try #require(supervisor.pool.spare?.host.channel.processID)
  }

  @Test func itTakesOverAndTheNextIsStarted() async throws {
    let (supervisor, first) = try await started(["scenes", "clock"])
    try await supervisor.type("kept", into: "Text")
    let before = try await supervisor.picture()
    let host = try #require(supervisor.hostProcessID)
    await supervisor.nextStart { kill(host, SIGKILL) }
    #expect(supervisor.hostProcessID == first)
    try await supervisor.looks(like: before)
    try await supervisor.tab("Clock")
    try await supervisor.shows("Time zones")
    #expect(Set(supervisor.statuses.keys) == ["scenes", "clock"])
    let second = try await spare(of: supervisor)
    #expect(second != first)
    await supervisor.nextStart { kill(first, SIGKILL) }
    #expect(supervisor.hostProcessID == second)
    await supervisor.stop()
    try await eventually { kill(second, 0) != 0 }
  }

  @Test func oneThatDiesIsReplacedAndDisturbsNobody() async throws {
    let (supervisor, first) = try await started(["scenes"])
    var told: [String] = []
    supervisor.onUpdate = { told += $0.notices.map(\.developerText) }
    let host = supervisor.hostProcessID
    kill(first, SIGKILL)
    try await eventually { supervisor.pool.spare?.host.channel.processID != first }
    #expect(try await spare(of: supervisor) != first)
    #expect(supervisor.hostProcessID == host)
    #expect(told.isEmpty)
    await supervisor.stop()
  }

  /// Such a spare host would show the old feature, or refuse it.
  @Test func oneThatHasLookedIntoAnotherFileIsNotTaken() async throws {
    let library = try await workshop.trouble()
    let (supervisor, first) = try await started([library, "scenes"])
    try FileManager.default.removeItem(atPath: library)
    _ = try await workshop.plugin(
      "Trouble", Workshop.troubleSource.replacingOccurrences(of: "Heard: ", with: "Heard by another: "))
    let host = try #require(supervisor.hostProcessID)
    await supervisor.nextStart { kill(host, SIGKILL) }
    #expect(supervisor.hostProcessID != first)
    try await supervisor.shows("Heard by another: ")
    await supervisor.stop()
  }

  @Test func aPluginThatIsSetAsideIsNotInTheSpare() async throws {
    let (supervisor, _) = try await started([try await workshop.trouble(), "scenes"])
    for _ in 1...3 {
      _ = try await supervisor.tap("Trap")
      if supervisor.quarantined.isEmpty { _ = try await spare(of: supervisor) }
    }
    try await supervisor.showsUnavailable("Trouble", because: "it crashed 3 times within a minute")
    let next = try await spare(of: supervisor)
    let host = try #require(supervisor.hostProcessID)
    await supervisor.nextStart { kill(host, SIGKILL) }
    #expect(supervisor.hostProcessID == next)
    try await supervisor.showsUnavailable("Trouble", because: "it crashed 3 times within a minute")
    await supervisor.stop()
  }
}
