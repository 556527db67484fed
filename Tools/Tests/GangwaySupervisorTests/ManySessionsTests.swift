import Foundation
@_spi(FrontEnd) import GangwayClient
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import TestSupport
import Testing

@_spi(FrontEnd) @testable import GangwaySupervisor

/// Sessions that share a host.
@MainActor @Suite struct ManySessionsTests {
  private let workshop: Workshop

  init() throws { workshop = try Workshop() }

  private func pool(_ plugins: [String], _ change: (inout SupervisorOptions) -> Void = { _ in }) throws -> HostPool {
    try HostPool(workshop.options(plugins, change))
  }

  private func keepers(_ count: Int, in pool: HostPool) async throws -> [SessionKeeper] {
    let keepers = (0..<count).map { pool.keep(SessionID(rawValue: "\($0)")) }
    for keeper in keepers { try await keeper.start() }
    return keepers
  }

  /// Waits until all sessions are shown again.
  private func settled(_ keepers: [SessionKeeper]) async throws {
    try await eventually { keepers.allSatisfy { $0.phase == .ready } }
  }

  @Test func theyShareAHostAndAllComeBack() async throws {
    let pool = try pool(["scenes"])
    let keepers = try await keepers(20, in: pool)
    #expect(pool.hostProcessIDs.count == 1)
    for (number, keeper) in keepers.enumerated() { try await keeper.connection.type("text \(number)", into: "Text") }
    let before = keepers.map(\.checkpoint)
    for _ in 1...3 {
      try await eventually { pool.hostProcessIDs.count == 1 }
      let host = try #require(pool.hostProcessIDs.first)
      kill(host, SIGKILL)
      try await eventually { pool.hostProcessIDs.count == 1 && pool.hostProcessIDs != [host] }
      try await settled(keepers)
      #expect(keepers.map(\.checkpoint) == before)
      for (number, keeper) in keepers.enumerated() {
        try await keeper.connection.shows("Text: [text \(number)]")
      }
    }
    #expect(pool.hostProcessIDs.count == 1)
    await pool.stop()
  }

  @Test func whatOnePersonDidIsToldToThemAndTheOthersHearThatItWasElsewhere() async throws {
    let pool = try pool([try await workshop.trouble(), "scenes"])
    let keepers = try await keepers(2, in: pool)
    var told: [String] = []
    keepers[1].onUpdate = { told += $0.notices.map(\.developerText) }
    let answer = try await keepers[0].connection.tap("Trap")
    #expect(
      answer.notices.first?.developerText.hasPrefix("The plugin trouble stopped the host while handling tap on 'Trap'")
        == true)
    try await settled(keepers)
    #expect(
      told.first?.hasPrefix("The plugin trouble stopped the host in another session.") == true,
      "\(told)")
    await pool.stop()
  }

  @Test func aSessionThatStopsTwoHostsGetsOneOfItsOwn() async throws {
    let pool = try pool([try await workshop.trouble(), "scenes"])
    let keepers = try await keepers(3, in: pool)
    _ = try await keepers[0].connection.tap("Trap")
    try await settled(keepers)
    #expect(pool.hostProcessIDs.count == 1)
    _ = try await keepers[0].connection.tap("Trap")
    try await settled(keepers)
    #expect(pool.hostProcessIDs.count == 2)
    #expect(keepers[0].hostProcessID != keepers[1].hostProcessID)
    #expect(keepers[1].hostProcessID == keepers[2].hostProcessID)
    // The third crash does not affect the other sessions.
    let shared = keepers[1].hostProcessID
    let answer = try await keepers[0].connection.tap("Trap")
    #expect(answer.notices.first?.developerText.contains("The app no longer loads it.") == true)
    #expect(keepers[1].hostProcessID == shared)
    // The host ends with its session.
    await keepers[0].close()
    try await eventually { pool.hostProcessIDs == [shared] }
    await pool.stop()
  }

  /// An event must not overtake the events that are already waiting.
  @Test func whatIsDoneAtOnceIsDoneInTheOrderInWhichItCame() async throws {
    let pool = try pool(["scenes"])
    let keeper = try await keepers(1, in: pool)[0]
    let field = try #require(keeper.presentation.top?.elements.first { $0.kind == .field })
    let target = Event.ElementReference(node: keeper.presentation.top?.node ?? 0, element: field.id)
    var begun: [Int] = []
    // Events are numbered in the order in which they are sent.
    var events: [Int: EventID] = [:]
    let presses = (1...200).map { number in
      Task {
        // Some events arrive later, while those before them are being answered.
        if number > 100 { for _ in 0..<(number - 100) * 5 { await Task.yield() } }
        begun.append(number)
        events[number] = try await keeper.connection.send(.edit(target, text: "\(number)")).event
      }
    }
    for press in presses { try await press.value }
    let order = begun.compactMap { events[$0] }
    #expect(order.count == 200 && order == order.sorted(), "\(order)")
    try await keeper.connection.shows("Text: [\(begun.last ?? 0)]")
    await pool.stop()
  }

  @Test func aSessionThatIsClosedIsNotBroughtBack() async throws {
    let pool = try pool(["scenes"])
    let keepers = try await keepers(3, in: pool)
    await keepers[1].close()
    let host = try #require(pool.hostProcessIDs.first)
    kill(host, SIGKILL)
    try await eventually { pool.hostProcessIDs != [host] }
    try await settled([keepers[0], keepers[2]])
    #expect(keepers[1].phase == .closed)
    await #expect(throws: SupervisorFailure.self) { try await keepers[1].connection.tree() }
    // The session's name can be used again.
    let again = pool.keep("1")
    try await again.start()
    try await again.connection.shows("Text: []")
    await pool.stop()
  }

  @Test func allSessionsAreInTheHostThatTakesOver() async throws {
    let pool = try pool(["scenes", "clock"])
    let keepers = try await keepers(5, in: pool)
    for (number, keeper) in keepers.enumerated() { try await keeper.connection.type("text \(number)", into: "Text") }
    let before = pool.hostProcessIDs
    #expect(try await keepers[3].connection.reload("scenes").contains("was reloaded"))
    #expect(pool.hostProcessIDs != before)
    for (number, keeper) in keepers.enumerated() {
      try await keeper.connection.shows("Text: [text \(number)]")
      try await keeper.connection.type("more \(number)", into: "Text")
      try await keeper.connection.shows("Text: [more \(number)]")
    }
    await pool.stop()
  }
}
