import FoundationEssentials
@_spi(FrontEnd) import Gangway
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import GangwayTesting
import Observation
import Synchronization
import Testing

@MainActor @Suite struct RestorationTests {
  @Test(arguments: [true, false])
  func theStateOfACoordinatorComesBack(_ isObservable: Bool) async throws {
    if isObservable { try await check(FlowTester(Observed())) } else { try await check(FlowTester(Unobserved())) }
  }

  private func check(_ flow: FlowTester<some Coordinator>) async throws {
    try await flow.tap("More")
    try await flow.tap("More")
    #expect(flow.screen.contains("Count 2"))
    let before = flow.checkpoint
    try await flow.restart()
    #expect(flow.screen.contains("Count 2"))
    #expect(flow.checkpoint == before)
  }

  @Test func aStateThatDoesNotEncodeIsTold() async throws {
    let failure = await #expect(throws: FlowFailure.self) { _ = try await FlowTester(Unstorable()) }
    #expect(failure?.message.hasPrefix("The state of Unstorable could not be encoded") == true)
  }

  /// A client in another language need not send the text and title of a route.
  @Test func anEntryWithoutAStoredTitleHasTheTitleOfItsRoute() async throws {
    let before = SessionFixture(Registry())
    _ = try before.session.start()
    let router = try #require(before.session.rootCoordinator as? Maze).router
    try await router.show(.room(1))
    try await router.show(.menu)
    let whole = before.session.checkpoint
    let records = whole.records.mapValues { record in
      var record = record
      (record.title, record.routeText) = (nil, nil)
      return record
    }
    let stored = Checkpoint(nextNode: whole.nextNode, records: records)
    let after = SessionFixture(Registry())
    _ = try after.session.start(from: stored)
    // The record of the covered entry is made before its route is decoded.
    _ = after.session.checkpoint
    _ = after.session.handle(Event(id: 1, revision: 1, action: .back))
    #expect(after.session.presentation.path.map(\.title) == ["…", "Room"])
    #expect(after.session.checkpoint.records.values.map(\.routeText).contains("room(1)"))
  }

  @Test func anEntryOfAMissingPluginWaitsForIt() async throws {
    let registry = Registry()
    try registry.register(Lodge.self)
    let full = SessionFixture(registry)
    _ = try full.session.start()
    let router = try #require(full.session.rootCoordinator as? Maze).router
    try await router.show(Place("lodge.room", with: 3))
    try await router.show(.room(1))
    let stored = full.session.checkpoint

    let poor = SessionFixture(Registry())
    _ = try poor.session.start(from: stored)
    #expect(poor.session.presentation.path.map(\.title) == ["Entrance", "Room", "Room"])
    _ = poor.session.handle(Event(id: 1, revision: 1, action: .back))
    #expect(
      poor.session.presentation.plainText
        == "Entrance > Room\nThis cannot be opened, because it needs a feature that is not available.")
    #expect(poor.log.contains("'Room' is not shown: lodge.room cannot be shown: the plugin lodge is not loaded."))
    let parked = poor.session.checkpoint

    let again = SessionFixture(registry)
    _ = try again.session.start(from: parked)
    #expect(again.session.presentation.plainText == "Entrance > Chamber\nNumber 3")
  }

  @Test func aTabOfAMissingPluginKeepsItsStack() async throws {
    let registry = Registry()
    try registry.register(Lodge.self)
    let full = SessionFixture(registry, root: { RootCoordinator($0) })
    _ = try full.session.start()
    let root = try #require(full.session.rootCoordinator as? RootCoordinator)
    try await root.router.select(.init(id: "lodge.hall"), as: Chamber.self).show(.number(5))
    let stored = full.session.checkpoint

    let poor = SessionFixture(Registry(), root: { RootCoordinator($0) })
    _ = try poor.session.start(from: stored)
    #expect(poor.session.presentation.plainText.contains("No feature has a tab."))
    let parked = poor.session.checkpoint

    let again = SessionFixture(registry, root: { RootCoordinator($0) })
    _ = try again.session.start(from: parked)
    #expect(again.session.presentation.path.count == 2)
    #expect(again.session.tree == full.session.tree)
  }

  @Test func aRouteThatNoLongerDecodesShowsWhyAndStays() async throws {
    let flow = SessionFixture(Registry())
    _ = try flow.session.start()
    try await (flow.session.rootCoordinator as? Maze)?.router.show(.room(1))
    var stored = flow.session.checkpoint
    let id = try #require(stored.records.values.first { $0.route?.contains("room") == true }?.id)
    stored.records[id]?.route = #"{"attic":{}}"#
    let next = SessionFixture(Registry())
    _ = try next.session.start(from: stored)
    #expect(next.session.presentation.plainText.contains("This screen needs another version of the feature"))
    #expect(next.log.contains(#"The stored route {"attic":{}} is not a route of Route: "#))
    #expect(next.session.checkpoint.records[id]?.route == #"{"attic":{}}"#)
  }

  @Test func theChangesOfUpdatesFoldToTheCheckpoint() async throws {
    let fixture = SessionFixture(Registry())
    var folded = Checkpoint()
    var changes = 0
    func take(_ update: Update) {
      if let change = update.checkpoint {
        folded.fold(change)
        changes += change.changed.count
      }
    }
    fixture.session.onUpdate = take
    take(try fixture.session.start())
    let router = try #require(fixture.session.rootCoordinator as? Maze).router
    for room in 1...200 { try await router.show(.room(room)) }
    #expect(await fixture.session.idle())
    let before = changes
    try await router.show(.child, as: Cellar.self).show(.barrel(1))
    try await router.popLast()
    try await router.root(.menu, keepingStack: true)
    #expect(await fixture.session.idle())
    #expect(folded == fixture.session.checkpoint)
    #expect(changes - before < 8)
  }

  @Test func focusAndScrollComeBack() async throws {
    let flow = try await FlowTester(Maze())
    let top = try #require(flow.presentation.top)
    try await flow.send(.focus(top.node, "1"))
    try await flow.send(.scroll(top.node, lines: 7))
    try await flow.restart()
    #expect(flow.presentation.top?.focus == "1")
    #expect(flow.presentation.top?.scroll == 7)
  }
}

/// A session over a registry, with a maze as its default root.
@MainActor struct SessionFixture {
  let session: Session
  private let lines = LogLines()

  init(_ registry: Registry, root: @escaping @MainActor (Registry) throws -> any Coordinator = { _ in Maze() }) {
    let folder = FileManager.default.temporaryDirectory.appending(path: "gangway-tests")
    session = Session(
      registry: registry, folders: PluginFolders(data: folder, cache: folder, log: { [lines] in lines.add($0) }),
      root: root)
  }

  /// The lines of the log, for developers.
  var log: String { lines.text }
}

private final class LogLines: Sendable {
  private let lines = Mutex<[String]>([])
  func add(_ line: String) { lines.withLock { $0.append(line) } }
  var text: String { lines.withLock { $0.joined(separator: "\n") } }
}

/// A plugin with a place and a tab.
final class Lodge: Plugin {
  static let id = "lodge"
  static let version = "1.0.0"
  func register(in registry: Registrar) {
    registry.place("room") { (number: Int) in Chamber(number) }
    registry.tab("hall", title: "Hall") { _ in Chamber(0) }
  }
}

@MainActor final class Chamber: StackCoordinator {
  enum Route: NavigationRoute {
    case number(Int)
    var title: String? { "Chamber" }
  }
  let start: Route
  init(_ number: Int) { start = .number(number) }
  func destination(for route: Route) -> Destination {
    switch route {
    case .number(let number): .screen { NumberScreen(number: number) }
    }
  }
}

struct NumberScreen: Screen {
  let number: Int
  var body: some Content { Text("Number \(number)") }
}

@MainActor @Observable final class Observed: StackCoordinator {
  enum Route: NavigationRoute { case home }
  let start = Route.home
  var state = 0
  func destination(for route: Route) -> Destination {
    .screen { CountScreen(count: { self.state }, more: { self.state += 1 }) }
  }
}

/// A coordinator with an observable screen and a state that is not observable.
@MainActor final class Unobserved: StackCoordinator {
  enum Route: NavigationRoute { case home }
  let start = Route.home
  private let model = Observed()
  var state: Int {
    get { model.state }
    set { model.state = newValue }
  }
  func destination(for route: Route) -> Destination {
    .screen { CountScreen(count: { self.model.state }, more: { self.model.state += 1 }) }
  }
}

@MainActor @Observable final class Unstorable: StackCoordinator {
  enum Route: NavigationRoute { case home }
  let start = Route.home
  var state = Double.infinity
  func destination(for route: Route) -> Destination { .screen { PlainScreen() } }
}

struct CountScreen: Screen {
  let count: @MainActor () -> Int
  let more: @MainActor () -> Void
  var body: some Content {
    Text("Count \(count())")
    Button("More") { more() }
  }
}
