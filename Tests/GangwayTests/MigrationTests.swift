import FoundationEssentials
@_spi(FrontEnd) import Gangway
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import GangwayTesting
import Observation
import Testing

@MainActor @Suite struct MigrationTests {
  /// Returns the checkpoint of a build with the first versions.
  private func stored(route: String = #"{"note":{"_0":7}}"#, schema: Int = 1, state: String = "3") -> Checkpoint {
    var root = Checkpoint.Record(id: 1, parent: nil, position: 0, style: "root")
    root.state = state
    var first = Checkpoint.Record(id: 2, parent: 1, position: 0, style: "push")
    first.route = #"{"list":{}}"#
    first.schema = schema
    var second = Checkpoint.Record(id: 3, parent: 1, position: 1, style: "push")
    second.route = route
    second.schema = schema
    var third = Checkpoint.Record(id: 4, parent: 1, position: 2, style: "push", schema: 1)
    (third.place, third.payload) = ("shop.item", "7")
    return Checkpoint(nextNode: 5, records: [1: root, 2: first, 3: second, 4: third])
  }

  private func restore(_ checkpoint: Checkpoint) throws -> Session { try fixture(checkpoint).session }

  private func fixture(_ checkpoint: Checkpoint) throws -> SessionFixture {
    let registry = Registry()
    try registry.register(Shop.self)
    let fixture = SessionFixture(registry, root: { _ in Notes() })
    _ = try fixture.session.start(from: checkpoint)
    return fixture
  }

  @Test func aMigrationIsTestedByItself() throws {
    let stored = StoredForm(json: #"{"note":{"_0":7}}"#)
    #expect(try Notes.Route.migrate(stored, from: stored.schema) == .note(id: "7"))
    #expect(try Notes.migrateState(StoredForm(5), from: 1).count == 5)
  }

  @Test func aFlowIsTestedFromWhatAnEarlierVersionStored() async throws {
    let flow = try await FlowTester(Notes(), restoring: stored(), plugins: [Shop.self])
    #expect(flow.path == [.list, .note(id: "7")])
    #expect(flow.screen.hasSuffix("item-7"))
  }

  @Test func routesPayloadsAndStatesOfAnEarlierVersionAreBroughtUpToDate() throws {
    let session = try restore(stored())
    let notes = try #require(session.rootCoordinator as? Notes)
    #expect(notes.router.path == [.list, .note(id: "7")])
    #expect(notes.state == Notes.State(count: 3))
    #expect(session.presentation.plainText.hasSuffix("item-7"))
    let now = session.checkpoint
    #expect(now.records[3]?.route == #"{"note":{"id":"7"}}"#)
    #expect(now.records[3]?.schema == 2)
    #expect(now.records[1]?.state == #"{"count":3}"#)
    #expect(now.records[1]?.stateSchema == 2)
  }

  @Test(arguments: [(1, "the tape tore"), (9, "has no migration from version 9 to 2")])
  func aMigrationThatFailsParksTheEntryAndLosesNothing(_ schema: Int, _ reason: String) throws {
    let route = schema == 1 ? #"{"torn":{}}"# : #"{"note":{"_0":7}}"#
    let before = stored(route: route, schema: schema)
    let fixture = try fixture(before)
    let session = fixture.session
    _ = session.handle(Event(id: 1, revision: 1, action: .back))
    #expect(session.presentation.plainText.contains("This screen needs another version of the feature"))
    #expect(fixture.log.contains(reason))
    #expect(session.checkpoint.records[3]?.route == route)
    #expect(session.checkpoint.records[3]?.schema == schema)
  }

  /// The message uses the user's words and offers to start over. The stored state stays until the user does.
  @Test func aStateThatIsNoneNowMayBeStartedOver() throws {
    let session = try restore(stored(state: #""three""#))
    let shown = session.presentation.plainText
    #expect(!shown.contains("three") && !shown.contains("State"), "\(shown)")
    let top = try #require(session.presentation.top)
    let button = try ElementLookup("Start over", kinds: [.button]).find(in: session.presentation)
    _ = session.handle(
      Event(id: 1, revision: session.presentation.revision, action: .tap(.init(node: top.node, element: button.id))))
    #expect((session.rootCoordinator as? Notes)?.state.count == 0)
    #expect(session.presentation.path.map(\.title) == ["List"])
  }

  @Test func aStateThatIsNoneNowParksItsFlowAndLosesNothing() throws {
    let before = stored(state: #""three""#)
    let fixture = try fixture(before)
    let session = fixture.session
    #expect(session.presentation.plainText.contains("Another version of the feature stored this screen"))
    #expect(
      fixture.log.contains("The stored state of Notes (version 1) is not of type State in version 2: "))
    let kept = session.checkpoint
    #expect(kept.records[1]?.state == #""three""#)
    #expect(kept.records.count == 4)
    // A build that can read the state, or a better file, restores everything.
    var mended = kept
    mended.records[1]?.state = "5"
    let again = try restore(mended)
    #expect((again.rootCoordinator as? Notes)?.state.count == 5)
    #expect(again.presentation.path.count == 3)
  }
}

@MainActor @Observable private final class Notes: StackCoordinator {
  enum Route: NavigationRoute {
    case list
    case note(id: String)

    static var schema: Int { 2 }
    struct Torn: Error, CustomStringConvertible { let description = "the tape tore" }
    /// The first version of the route, in which notes had numbers.
    enum First: Codable { case list, note(Int), torn }

    static func migrate(_ stored: StoredForm, from schema: Int) throws -> Route {
      guard schema == 1 else { throw NavigationError(.payload, "Route has no migration from version \(schema) to 2") }
      switch try stored.decode(First.self) {
      case .list: return .list
      case .note(let number): return .note(id: "\(number)")
      case .torn: throw Torn()
      }
    }
  }

  struct State: Codable, Equatable { var count = 0 }

  let start = Route.list
  var state = State()
  static var stateSchema: Int { 2 }
  static func migrateState(_ stored: StoredForm, from schema: Int) throws -> State {
    State(count: try stored.decode(Int.self))
  }

  func destination(for route: Route) -> Destination { .screen { LineScreen(text: "\(route)") } }
}

private final class Shop: Plugin {
  static let id = "shop"
  static let version = "2.0.0"
  func register(in registry: Registrar) {
    registry.place("item", schema: 2) { stored, _ in
      "item-\(try stored.decode(Int.self))"
    } make: { (name: String) in
      ArchiveDesk(name)
    }
  }
}
