import Foundation
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import TestSupport
import Testing

@_spi(FrontEnd) @testable import GangwaySupervisor

/// Forged and excessive messages of a host, which must not cost any session or screen.
@MainActor @Suite struct KeptSessionTests {
  private let workshop: Workshop

  init() throws { workshop = try Workshop() }

  /// Starts Scenes on a host that sends a line once the file `flag` exists.
  private func supervisor(saying line: String) async throws -> Supervisor {
    let host = try workshop.host(saying: line, when: workshop.path("flag"))
    let supervisor = try workshop.supervisor([Workshop.built + "/libScenes.so"]) {
      $0.host = host
      $0.stateFile = workshop.path("session.json")
    }
    _ = try await supervisor.start()
    await supervisor.listed()
    return supervisor
  }

  @Test func aSessionThatAHostEmptiesIsKeptAndComesBack() async throws {
    let removal = #"{"changed":[],"removed":[2,3,4],"nextNode":5}"#
    let forged = try await supervisor(
      saying:
        #"{"type":"update","session":"main","update":{"revision":99,"pending":[],"notices":[],"checkpoint":\#(removal)}}"#
    )
    try await forged.type("kept", into: "Text")
    #expect(Set(forged.checkpoint.records.keys) == [1, 2, 3])
    var told: [Update.Notice] = []
    forged.onUpdate = { told += $0.notices }
    try Data().write(to: URL(fileURLWithPath: workshop.path("flag")))
    try await forged.tap("Go to Scene 2")
    try await eventually { told.contains { $0.text.contains("kept a backup of them") } }
    // A session cannot be restored while its app is running.
    let places = ["--state", workshop.path("session.json"), "--state-dir", workshop.path("none")]
    let early = try await workshop.gangway(["sessions", "restore"] + places)
    #expect(early.code == 1)
    #expect(early.errors.contains("Close the app"), "\(early)")
    await forged.stop()

    let listed = try await workshop.gangway(["sessions"] + places)
    #expect(listed.output.contains(" screen") && listed.output.contains("session.json"), "\(listed)")
    let json = try await workshop.gangway(["sessions", "--json"] + places)
    #expect(json.output.contains(#""screens":"#) && json.output.contains(#"session.json.removed""#), "\(json)")
    let restored = try await workshop.gangway(["sessions", "restore"] + places)
    #expect(restored.code == 0, "\(restored)")
    let next = try workshop.supervisor([Workshop.built + "/libScenes.so"]) {
      $0.stateFile = workshop.path("session.json")
    }
    _ = try await next.start()
    try await next.shows("kept")
    await next.stop()
    let again = try await workshop.gangway(["sessions", "restore"] + places)
    #expect(again.code == 1)
    #expect(again.errors.contains("no session has a backup"), "\(again)")
  }

  @Test func aCopyGoesWithTheNextStart() async throws {
    let file = workshop.path("session.json")
    let copy = KeptSession(of: file)
    #expect(copy.keep(Self.session(screens: 1), room: 1 << 20))
    #expect(copy.screens == 1)
    let supervisor = try workshop.supervisor([Workshop.built + "/libScenes.so"]) { $0.stateFile = file }
    #expect(copy.screens == nil)
    await supervisor.stop()
  }

  @Test func theCopyWithMoreScreensStaysAndNoneIsLargerThanItsRoom() {
    let copy = KeptSession(of: workshop.path("session.json"))
    #expect(!copy.keep(Self.session(screens: 3), room: 10))
    #expect(copy.screens == nil)
    #expect(copy.keep(Self.session(screens: 3), room: 1 << 20))
    #expect(copy.keep(Self.session(screens: 2), room: 1 << 20))
    #expect(copy.screens == 3)
    #expect(copy.keep(Self.session(screens: 4), room: 1 << 20))
    #expect(copy.screens == 4)
  }

  /// A sign-out replaces the open screens with others.
  @Test func onlyASessionThatIsLeftWithNothingIsEmptied() {
    let session = Self.session(screens: 2)
    func removing(_ ids: [NodeID], adding: [NodeID] = []) -> Checkpoint.Change {
      .init(changed: adding.map { .init(id: $0, parent: 1, position: 0, style: "push") }, removed: ids, nextNode: 99)
    }
    #expect(session.isEmptied(by: removing([3, 4])))
    #expect(session.isEmptied(by: removing([2, 3, 4])))
    #expect(!session.isEmptied(by: removing([4])))
    #expect(!session.isEmptied(by: removing([2, 3, 4], adding: [5])))
    #expect(!Self.session(screens: 0).isEmptied(by: removing([2])))
  }

  @Test func aHostShowsTwentyMessagesASecondAndNoneInAnothersName() async throws {
    let notices = Array(repeating: #"{"kind":"information","text":"forged","plugin":"todos"}"#, count: 300)
      .joined(separator: ",")
    let forged = try await supervisor(
      saying: #"{"type":"update","session":"main","update":{"revision":99,"pending":[],"notices":[\#(notices)]}}"#)
    var told: [Update.Notice] = []
    forged.onUpdate = { told += $0.notices }
    try Data().write(to: URL(fileURLWithPath: workshop.path("flag")))
    try await forged.tap("Go to Scene 2")
    try await eventually { told.contains { $0.text == "280 more messages were not shown." } }
    #expect(told.count { $0.text == "forged" } == NoticeBudget.limit)
    #expect(told.allSatisfy { $0.plugin != "todos" })
    await forged.stop()
  }

  @Test func theNextSecondHasMessagesOfItsOwnAndLongTextsAreCut() {
    let start = ContinuousClock.now
    var budget = NoticeBudget(at: start)
    let many = Array(repeating: Update.Notice(.information, String(repeating: "x", count: 5_000)), count: 30)
    #expect(budget.take(many, for: "a", at: start).count == 20)
    #expect(budget.take(many, for: "b", at: start + .milliseconds(900)).isEmpty)
    #expect(budget.take(many, for: "b", at: start + .seconds(2)).count == 20)
    #expect(budget.takeLeftOut() == ["a": 10, "b": 40])
    #expect(budget.takeLeftOut().isEmpty)
    #expect(budget.take(many, for: "a", at: start + .seconds(4)).first?.text.count == 4_001)
  }

  /// Returns a session with one tab and screens in it.
  private static func session(screens: Int) -> Checkpoint {
    var records: [NodeID: Checkpoint.Record] = [
      1: .init(id: 1, parent: nil, position: 0, style: "root"), 2: .init(id: 2, parent: 1, position: 0, style: "tab"),
    ]
    for number in 0..<screens {
      records[3 + number] = .init(id: 3 + number, parent: 2, position: number, style: "push")
    }
    return Checkpoint(nextNode: 3 + screens, records: records)
  }
}
