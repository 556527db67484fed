@_spi(FrontEnd) import GangwayClient
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import TestSupport
import Testing

@_spi(FrontEnd) @testable import GangwaySupervisor

/// A session without any real hosts.
@MainActor @Suite struct SessionKeeperTests {
  private let line: NoHosts
  private let keeper: SessionKeeper

  init() throws {
    line = NoHosts(try Workshop().options([]))
    keeper = SessionKeeper("1", on: line, from: Checkpoint(), isFromFile: false)
    keeper.happen(.opened)
    keeper.happen(.shown)
  }

  /// A killed host is gone some milliseconds before the supervisor learns of its end.
  @Test func whatIsDoneInTheMomentAHostEndsWaitsForTheNextOne() async throws {
    line.takesEvents = false
    let answer = Task { try await keeper.connection.send(.tap(.init(node: 1, element: "1"))) }
    try await eventually { keeper.turns.count == 1 }
    keeper.hostEnded(.init(.failure, "The host was killed."))
    #expect(keeper.phase == .waiting)
    #expect(keeper.turns.count == 1, "It was dropped with the host, which never had it.")
    await keeper.close(keepingHost: true)
    _ = try await answer.value
  }

  @Test func whatWaitsBehindSomethingThatIsLostIsNotDone() async throws {
    keeper.happen(.sent)
    let answer = Task { try await keeper.connection.send(.back) }
    try await eventually { keeper.turns.count == 1 }
    keeper.hostEnded(.init(.failure, "The host was killed."))
    let text = try await answer.value.notices.first?.developerText
    #expect(text == "The app restarted after a crash. This action was not done.")
  }

  /// The next host does not know the requests of the host before it. A host may even end before it shows the session.
  @Test(
    arguments: [
      ([], .hostEnded), ([.shown], .hostEnded), ([.shown], .takenOver), ([.shown, .sent], .hostEnded),
    ] as [([KeeperHappening], KeeperHappening)])
  func aRequestThatItsHostDidNotAnswerFails(_ before: [KeeperHappening], _ end: KeeperHappening) async throws {
    let keeper = SessionKeeper("2", on: line, from: Checkpoint(), isFromFile: false)
    for happening in [.opened] + before { keeper.happen(happening) }
    var failures: [String] = []
    Task.immediate {
      do { _ = try await withCheckedThrowingContinuation { keeper.requests.add($0) } as TreeNode } catch {
        failures.append("\(error)")
      }
    }
    Task.immediate {
      do { _ = try await withCheckedThrowingContinuation { keeper.requests.add($0) } as [String] } catch {
        failures.append("\(error)")
      }
    }
    keeper.happen(end)
    try await eventually { failures.count == 2 }
    #expect(Set(failures) == ["The app restarted. Try again."])
    await keeper.close(keepingHost: true)
  }
}

/// A stub for the moment between two hosts.
@MainActor private final class NoHosts: SessionHosting {
  let host: RunningHost? = nil
  let options: SupervisorOptions
  let statuses: [PluginID: HostMessage.PluginStatus] = [:]
  let keepers: [SessionKeeper] = []
  var takesEvents = true

  init(_ options: SupervisorOptions) { self.options = options }

  func add(_ keeper: SessionKeeper) {}
  func remove(_ keeper: SessionKeeper) {}
  func nextEvent() -> EventID { 1 }
  func restart() {}
  func endHung(after limit: Duration, byUser: Bool) {}
  func listed() async {}
  func idle() async throws(SupervisorFailure) {}
  func reload(_ plugin: PluginID) async throws -> String { "" }
}
