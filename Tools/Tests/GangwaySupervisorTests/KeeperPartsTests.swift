@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import TestSupport
import Testing

@_spi(FrontEnd) @testable import GangwaySupervisor

/// The parts of a session's keeper, each on its own.
@MainActor @Suite struct KeeperPartsTests {
  // MARK: Turns

  @Test func turnsAreGivenInTheOrderOfTheCallers() async throws {
    let turns = TurnQueue()
    var isBusy = true
    turns.isBusy = { isBusy }
    var order: [Int] = []
    let tasks = (1...3).map { number in
      Task {
        guard await turns.turn() else { return }
        order.append(number)
        turns.next()
      }
    }
    try await eventually { turns.count == 3 }
    isBusy = false
    turns.next()
    for task in tasks { await task.value }
    #expect(order == [1, 2, 3])
    #expect(turns.count == 0)
  }

  @Test func aCallerWhoseTurnComesTooLateIsStillTheFirst() async throws {
    let turns = TurnQueue()
    var isBusy = true
    turns.isBusy = { isBusy }
    var order: [String] = []
    let first = Task { if await turns.turn() { order.append("first") } }
    try await eventually { turns.count == 1 }
    let second = Task { if await turns.turn() { order.append("second") } }
    try await eventually { turns.count == 2 }
    isBusy = false
    turns.next()
    // Something else is sent before the first caller continues.
    isBusy = true
    try await eventually { turns.count == 2 }
    #expect(order.isEmpty)
    isBusy = false
    turns.next()
    await first.value
    turns.next()
    await second.value
    #expect(order == ["first", "second"])
  }

  @Test func droppedCallersAreToldAndNobodyWaitsAfterTheEnd() async throws {
    let turns = TurnQueue()
    turns.isBusy = { true }
    let waiting = Task { await turns.turn() }
    try await eventually { turns.count == 1 }
    turns.drop()
    #expect(await waiting.value == false)
    turns.hasEnded = { true }
    #expect(await turns.turn() == true)
  }

  // MARK: Events

  private func update(_ event: EventID?, pending: [Update.Pending] = []) -> Update {
    Update(event: event, revision: 1, presentation: nil, checkpoint: nil, pending: pending, notices: [])
  }

  @Test func onlyTheAnswerEndsTheEventInFlight() {
    var events = SentEvents()
    events.send(.init(id: 7, name: "tap", plugin: "todos", entry: nil, reply: nil))
    #expect(events.last == 7)
    #expect(events.take(update(nil)) == nil)
    #expect(events.take(update(6)) == nil)
    #expect(events.inFlight?.id == 7)
    #expect(events.take(update(7))?.name == "tap")
    #expect(events.inFlight == nil)
    events.lose()
    #expect(events.takeLost() == nil, "an answered event is not lost")
  }

  @Test func aLostEventIsReportedOnce() {
    var events = SentEvents()
    events.send(.init(id: 7, name: "tap", plugin: nil, entry: nil, reply: nil))
    events.lose()
    #expect(events.inFlight == nil)
    #expect(events.takeLost()?.name == "tap")
    #expect(events.takeLost() == nil)
  }

  @Test func anEventIsItsPluginsUntilItsWorkEnds() throws {
    var events = SentEvents()
    events.send(.init(id: 7, name: "tap", plugin: "todos", entry: nil, reply: nil))
    #expect(events.went(to: "todos", 7))
    #expect(!events.went(to: "clock", 7))
    let pending = [try Line.decode(Update.Pending.self, from: Array(#"{"event":7,"plugin":"todos"}"#.utf8))]
    #expect(events.take(update(7, pending: pending)) != nil)
    #expect(events.went(to: "todos", nil))
    #expect(events.unfinished(of: pending)?.name == "tap")
    _ = events.take(update(nil))
    #expect(!events.went(to: "todos", nil))
    #expect(events.unfinished(of: pending) == nil)
  }

  @Test func anEntryIsRemovedAfterTwoHosts() {
    var events = SentEvents()
    #expect(events.noteFailedRemoval(of: 3) == false)
    #expect(events.noteFailedRemoval(of: 4) == false)
    #expect(events.noteFailedRemoval(of: 3) == true)
    #expect(events.noteFailedRemoval(of: 3) == false, "the count begins again")
  }

  // MARK: Notifications

  @Test func notificationsWaitForAListenerAndForTheScreen() {
    var notices = SessionNotices()
    let (early, late) = (Update.Notice(.information, "early"), Update.Notice(.information, "late"))
    #expect(notices.take(early, isShown: true) == nil)
    #expect(notices.listen() == [early])
    #expect(notices.listen() == [])
    #expect(notices.take(late, isShown: false) == nil)
    #expect(notices.start() == [late])
    #expect(notices.hasStarted)
    #expect(notices.take(late, isShown: true) == late)
  }

  @Test func severalDeathsAreOneMessageWithAllFacts() {
    var notices = SessionNotices()
    notices.hostEnded(.init(.failure, "It crashed.", detail: "The first crash."), facts: nil)
    notices.hostEnded(nil, facts: "The second crash.")
    let aftermath = notices.takeAftermath()
    #expect(aftermath?.text == "It crashed.")
    #expect(aftermath?.developerText == "The first crash. The second crash.")
    #expect(notices.lastEnd == "The first crash.")
    #expect(notices.takeAftermath() == nil)
  }

  // MARK: The timeout

  @Test func theTimeoutExpiresOnlyWithoutAnAnswer() async throws {
    let timeout = EventTimeout(SystemClock())
    var expired = 0
    timeout.begin(.milliseconds(5), isPaused: { false }, expired: { expired += 1 })
    try await eventually { expired == 1 }
    #expect(timeout.overdue == .milliseconds(5))
    timeout.end()
    #expect(timeout.overdue == nil)
    timeout.begin(.milliseconds(50), isPaused: { false }, expired: { expired += 1 })
    timeout.end()
    var pauses = 0
    timeout.begin(
      .milliseconds(20),
      isPaused: {
        pauses += 1
        return pauses < 6
      }, expired: { expired += 10 })
    try await eventually { expired >= 10 }
    #expect(expired == 11, "a timeout that has ended expired")
    #expect(pauses == 6)
  }
}
