import Foundation
@_spi(FrontEnd) import GangwayClient
@_spi(FrontEnd) import GangwayProtocol
import Testing

@testable import GangwaySimulation
@_spi(FrontEnd) @testable import GangwaySupervisor

/// Defects that the simulation found, each by itself.
@MainActor @Suite(.serialized) struct FoundDefectTests {
  private let simulation: Simulation
  private let folder = FileManager.default.temporaryDirectory.appending(component: "gangway-\(UUID().uuidString)")

  init() {
    OneQueue.install()
    simulation = Simulation(seed: 1, folder: folder.path)
    simulation.isStormy = false
    simulation.setup = .init(hosts: 1, keepsSpare: false, isolatesSessions: false)
    simulation.begin()
  }

  private static let field = Event.ElementReference(
    node: SimulatedSession.tab(0), element: SimulatedSession.fields[0])

  private func open(_ id: SessionID) async throws -> any SessionConnection {
    let sessions = try #require(simulation.sessions)
    return try await simulation.value(within: .seconds(60), "The session \(id) is not shown") {
      try await sessions.open(id, of: "ann").session
    }
  }

  private func type(_ text: String, _ session: any SessionConnection) async throws {
    let answer = try await simulation.value(within: .seconds(60), "No answer to '\(text)'") {
      try await session.send(.edit(Self.field, text: text))
    }
    #expect(answer.event != nil)
  }

  /// Moves a session to a line of its own, as after crashes that it caused.
  private func move(_ keeper: SessionKeeper, from line: HostLine) {
    keeper.hostEnded(nil)
    line.remove(keeper)
    line.pool?.ownLine().add(keeper)
  }

  private func text(_ session: any SessionConnection) -> String? {
    session.presentation.layers.last?.elements.first?.value
  }

  /// No session has an event in flight, so nobody is asked about the host.
  @Test func aSessionThatComesToASilentHostIsShownByTheNextOne() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    _ = try await open("first")
    try #require(!simulation.running.isEmpty)
    for host in simulation.running { host.isSilent = true }
    _ = try await open("second")
    _ = try await open("third")
  }

  /// A user who waits to reload a feature moves to another host, and then has the turn of the other user's session.
  @Test func aReloadOfASessionThatMovesKeepsNobodyWaiting() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let (mover, other) = (try await open("mover"), try await open("other"))
    let sessions = try #require(simulation.sessions)
    let moved = try #require(sessions.sessions["mover"]?.keeper)
    let turns = try #require(sessions.sessions["other"]?.keeper).turns
    let line = try #require(moved.line as? HostLine)
    try await simulation.value(within: .seconds(60), "The host does not list its plugins") { await line.listed() }
    line.restart()
    let reload = Task { try await mover.reload("a") }
    let edit = Task {
      while turns.count == 0 { await Task.yield() }
      return try await other.send(.edit(Self.field, text: "waits behind the reload"))
    }
    for _ in 0..<100 where moved.turns.count == 0 { await Task.yield() }
    try #require(moved.turns.count == 1)
    move(moved, from: line)
    let answer = try await simulation.value(within: .seconds(60), "The edit is not answered") { try await edit.value }
    #expect(answer.event != nil)
    _ = try? await simulation.value(within: .seconds(60), "The reload does not end") { try await reload.value }
    #expect(text(other) == "waits behind the reload")
  }

  /// A user reloads a feature after moving to a new line, whose first host is a spare that has already sent its list.
  @Test func aReloadInALineThatBeginsWithASpareEnds() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    simulation.setup?.keepsSpare = true
    simulation.begin()
    let mover = try await open("mover")
    _ = try await open("other")
    let moved = try #require(simulation.sessions?.sessions["mover"]?.keeper)
    let line = try #require(moved.line as? HostLine)
    try await simulation.value(within: .seconds(60), "The time does not pass") {
      try await simulation.clock.sleep(for: .seconds(30))
    }
    move(moved, from: line)
    let answer = try await simulation.value(within: .seconds(60), "The reload does not end") {
      try await mover.reload("a")
    }
    #expect(answer.contains("a"))
  }

  /// A user leaves while the disk is full, and comes back.
  @Test func aParkedSessionIsKeptUntilTheDiskWorksAgain() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let sessions = try #require(simulation.sessions)
    let session = try await open("first")
    try await type("stored", session)
    simulation.disk = .full
    try await type("not stored", session)
    try await simulation.value(within: .seconds(60), "It is not parked") { await sessions.putAway("first", of: "ann") }
    #expect(sessions.isStored("first", of: "ann"))
    #expect(!sessions.isStored("first", of: "bob"))
    let again = try await open("first")
    #expect(text(again) == "not stored")
    try await simulation.value(within: .seconds(60), "It is not parked") { await sessions.putAway("first", of: "ann") }
    simulation.disk = .fine
    try await simulation.value(within: .seconds(60), "The time does not pass") {
      try await simulation.clock.sleep(for: .seconds(5))
    }
    #expect(sessions.unstored.isEmpty)
    guard case .checkpoint(let stored) = StateFile(path: "\(folder.path)/life-1/ann/first.json").read() else {
      Issue.record("The session has no file.")
      return
    }
    #expect(stored.records[2]?.values == ["first": "not stored"])
  }

  /// A host that ends for good and a user who leaves both store the session.
  @Test func twoWhoStoreASessionAtOnceBothLearnThatItFailed() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(component: "session.json").path
    let store = try #require(
      try SessionStore.open(path, isFresh: false, simulation.simulatedDisk()).store as? SessionStore)
    let record = Checkpoint.Record(id: 1, parent: nil, position: 0, style: "root")
    let checkpoint = Checkpoint(nextNode: 2, records: [1: record])
    store.current = { checkpoint }
    simulation.disk = .full
    store.note(.init(changed: [record], removed: [], nextNode: 2), of: checkpoint)
    let results = try await simulation.value(within: .seconds(60), "It does not end") {
      async let first = store.finish(checkpoint)
      async let second = store.finish(checkpoint)
      return await [first, second]
    }
    #expect(results == [false, false])
  }
}
