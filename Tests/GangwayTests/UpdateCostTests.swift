@_spi(FrontEnd) @testable import GangwayProtocol
import Foundation
import Observation
import Testing

@_spi(FrontEnd) @testable import Gangway

/// Updates take what they keep from the update before, and renew what has changed.
@MainActor @Suite struct UpdateCostTests {
  @Observable @MainActor final class Names {
    var home = "Home"
  }

  final class Hall: StackCoordinator {
    enum Route: NavigationRoute { case home, room(Int), guarded, sheet, annex }
    let start = Route.home
    let names = Names()
    /// Values that nothing observes.
    var isStrict = false
    var isFlowStrict = false
    var leaveGuard: NavigationGuard? { isFlowStrict ? NavigationGuard("hall") { _ in .allow } : nil }

    func destination(for route: Route) -> Destination {
      switch route {
      case .home: .screen { [names] in Home(names: names) }
      case .room: .screen { PlainScreen() }
      case .guarded: .screen { [unowned self] _ in Careful(hall: self) }
      case .sheet: .screen(.modal) { PlainScreen() }
      case .annex: .flow { Annex() }
      }
    }
  }

  final class Annex: StackCoordinator {
    enum Route: NavigationRoute { case first, second }
    let start = Route.first
    func destination(for route: Route) -> Destination { .screen { PlainScreen() } }
  }

  struct Home: Screen {
    let names: Names
    var title: String? { names.home }
    var body: some Content { Text("home") }
  }

  struct Careful: Screen {
    unowned let hall: Hall
    var leaveGuard: NavigationGuard? { hall.isStrict ? NavigationGuard("careful") { _ in .allow } : nil }
    var body: some Content { Text("careful") }
  }

  private func makeSession(_ registry: Registry? = nil) throws -> (Session, Hall) {
    let hall = Hall()
    let folder = FileManager.default.temporaryDirectory
    let session = Session(
      registry: registry ?? Registry(), folders: .init(data: folder, cache: folder, log: { _ in }),
      root: { _ in hall })
    _ = try session.start()
    return (session, hall)
  }

  private func titles(_ session: Session) -> [String] { session.presentation.path.map(\.title) }

  @Test func aTitleFarBelowIsRenewed() async throws {
    let (session, hall) = try makeSession()
    for room in 0..<100 { try await hall.router.show(.room(room)) }
    #expect(await session.idle())
    #expect(titles(session).count == 101 && titles(session)[0] == "Home")
    hall.names.home = "Start"
    #expect(await session.idle())
    #expect(titles(session).count == 101 && titles(session)[0] == "Start")
    #expect(session.presentation.path.last?.title == "Room")
  }

  @Test func aLeaveGuardThatNothingObservesIsAskedEachTime() async throws {
    let (session, hall) = try makeSession()
    for route in [Hall.Route.guarded, .room(1), .room(2)] { try await hall.router.show(route) }
    #expect(await session.idle())
    #expect(session.presentation.asksBeforeLeaving == nil)
    hall.isStrict = true
    try await hall.router.show(.room(3))
    #expect(await session.idle())
    #expect(session.presentation.asksBeforeLeaving == true)
    hall.isStrict = false
    try await hall.router.popLast()
    #expect(await session.idle())
    #expect(session.presentation.asksBeforeLeaving == nil)
    hall.isFlowStrict = true
    try await hall.router.show(.room(3))
    #expect(await session.idle())
    #expect(session.presentation.asksBeforeLeaving == true)
  }

  @Test func aGuardGoesWithItsScreenAndComesWithIt() async throws {
    let (session, hall) = try makeSession()
    hall.isStrict = true
    try await hall.router.show(.guarded)
    #expect(await session.idle())
    #expect(session.presentation.asksBeforeLeaving == true)
    try await hall.router.popToRoot()
    #expect(await session.idle())
    #expect(session.presentation.asksBeforeLeaving == nil)
    try await hall.router.set([.home, .room(1), .guarded, .room(2)])
    #expect(await session.idle())
    #expect(session.presentation.asksBeforeLeaving == true)
  }

  @Test func anEntryInTheMiddleMayChange() async throws {
    let (session, hall) = try makeSession()
    let annex = try await hall.router.show(.annex, as: Annex.self)
    for route in [Hall.Route.room(1), .sheet] { try await hall.router.append([route]) }
    #expect(await session.idle())
    #expect(titles(session) == ["Home", "First", "Room", "Sheet"])
    #expect(session.presentation.layers.map(\.title) == ["Room", "Sheet"])
    try await annex.show(.second)
    #expect(await session.idle())
    #expect(titles(session) == ["Home", "First", "Second", "Room"])
    try await hall.router.root(.room(7), keepingStack: true)
    #expect(await session.idle())
    #expect(titles(session) == ["Room", "First", "Second", "Room"])
    _ = session.handle(Event(id: 1, revision: session.presentation.revision, action: .back))
    #expect(await session.idle())
    #expect(titles(session) == ["Room", "First", "Second"])
    _ = session.handle(Event(id: 2, revision: session.presentation.revision, action: .undo))
    #expect(await session.idle())
    #expect(titles(session) == ["Room", "First", "Second", "Room"])
  }

  // MARK: Routers

  private final class Shared: StackCoordinator {
    enum Route: NavigationRoute { case first, second }
    let start = Route.first
    private(set) var early: Router<Shared>?
    init() { early = router }
    func forget() { early = nil }
    func destination(for route: Route) -> Destination { .screen { PlainScreen() } }
  }

  private final class Porch: StackCoordinator {
    enum Route: NavigationRoute { case home, shared }
    let start = Route.home
    var shared: Shared? = Shared()
    func destination(for route: Route) -> Destination {
      switch route {
      case .home: .screen { PlainScreen() }
      case .shared: .flow { [unowned self] in shared ?? Shared() }
      }
    }
  }

  @Test func aRouterFollowsItsCoordinatorInAndOutOfTheTree() async throws {
    let porch = Porch()
    let folder = FileManager.default.temporaryDirectory
    let session = Session(
      registry: Registry(), folders: .init(data: folder, cache: folder, log: { _ in }), root: { _ in porch })
    _ = try session.start()
    let early = try #require(porch.shared?.early)
    #expect(!early.isAttached && early.coordinator === porch.shared)
    let late = try await porch.router.show(.shared, as: Shared.self)
    #expect(early.isAttached && late.isAttached)
    try await early.show(.second)
    try await porch.router.popToRoot()
    #expect(!early.isAttached && !late.isAttached && late.coordinator === porch.shared)
    let error = await #expect(throws: NavigationError.self) { try await late.show(.second) }
    #expect(error?.code == .detached)
    // The same coordinator in a second flow.
    try await porch.router.show(.shared)
    #expect(early.isAttached && late.isAttached)
    try await late.show(.second)
    #expect(late.path == [.first, .second])
    try await porch.router.popToRoot()
    #expect(await session.idle())
    porch.shared?.forget()
    porch.shared = nil
    #expect(late.coordinator == nil && early.coordinator == nil && !late.isAttached)
  }

  // MARK: Addresses

  final class Late: Plugin {
    static let id = "late"
    static let version = "1.0.0"
    struct Item: Codable { let id: Int }
    func register(in registry: Registrar) {
      registry.tab("main", title: "Main") { _ in Rooms() }
      registry.link("rooms/:id") { (item: Item) in
        Rooms.Route.room(item.id)
      } url: { route in
        guard case .room(let id) = route else { return nil }
        return Item(id: id)
      }
    }
  }

  final class Rooms: StackCoordinator {
    enum Route: NavigationRoute { case lobby, room(Int) }
    let start = Route.lobby
    func destination(for route: Route) -> Destination { .screen { PlainScreen() } }
  }

  final class Tabs: TabCoordinator {
    enum Tab: NavigationRoute { case left, right }
    let tabs: [Tab] = [.left, .right]
    func item(for tab: Tab) -> TabItem {
      TabItem(title: "\(tab)", destination: .flow { Rooms() })
    }
  }

  @Test func thePlaceFollowsTheTreeStepByStep() async throws {
    let folder = FileManager.default.temporaryDirectory
    let session = Session(
      registry: Registry(), folders: .init(data: folder, cache: folder, log: { _ in }), root: { _ in Tabs() })
    _ = try session.start()
    let tabs = try #require(session.rootCoordinator as? Tabs)
    func plan() -> String { session.navigation.currentPlan.description }
    let left = try await tabs.router.select(.left, as: Rooms.self)
    #expect(plan() == "left")
    for room in 1...3 { try await left.show(.room(room)) }
    #expect(plan() == "left → room(1) → room(2) → room(3)")
    try await left.update(.room(9))
    #expect(plan() == "left → room(1) → room(2) → room(9)")
    let right = try await tabs.router.select(.right, as: Rooms.self)
    #expect(plan() == "right")
    try await right.show(.room(4))
    #expect(plan() == "right → room(4)")
    try await tabs.router.select(.left)
    try await left.popLast()
    #expect(plan() == "left → room(1) → room(2)")
    try await left.set([.lobby, .room(5), .room(2)])
    #expect(plan() == "left → room(5) → room(2)")
    #expect(await session.idle())
  }

  @Test func anAddressAppearsWithALinkThatIsRegisteredLater() async throws {
    let registry = try Registry(plugins: [])
    let folder = FileManager.default.temporaryDirectory
    let session = Session(
      registry: registry, folders: .init(data: folder, cache: folder, log: { _ in }), root: { RootCoordinator($0) })
    _ = try session.start()
    #expect(session.presentation.url == nil)
    try registry.register(Late.self)
    #expect(await session.idle())
    let rooms = try #require(session.router(of: Rooms.self))
    for room in 1...3 { try await rooms.show(.room(room)) }
    #expect(await session.idle())
    #expect(session.presentation.url == "gangway://rooms/3", "the screen alone has an address")
    try await rooms.popToRoot()
    #expect(await session.idle())
    #expect(session.presentation.url == nil)
  }

  final class ManyLinks: Plugin {
    static let id = "many"
    static let version = "1.0.0"
    /// The first room of which a link creates the addresses, and the number of those rooms.
    static var shift = 0
    struct Item: Codable { let id: Int }
    func register(in registry: Registrar) {
      registry.tab("main", title: "Main") { _ in Rooms() }
      for number in 0..<200 {
        registry.link("rooms\(number)/:id") { (item: Item) in
          Rooms.Route.room(item.id)
        } url: { route in
          guard case .room(let id) = route, (id + Self.shift) % 200 == number else { return nil }
          return Item(id: id)
        }
      }
    }
  }

  @Test func ofManyLinksTheOneThatAnswersNowCounts() throws {
    ManyLinks.shift = 0
    let links = try Registry(plugins: [ManyLinks.self]).links
    func url(_ room: Int) -> String? { links.url(for: LinkPlan(tab: "many.main").show(Rooms.Route.room(room))) }
    for _ in 0..<2 {
      for room in [7, 150, 7, 399, 8] { #expect(url(room) == "gangway://rooms\(room % 200)/\(room)") }
    }
    ManyLinks.shift = 1
    #expect(url(7) == "gangway://rooms8/7", "another link answers now")
    #expect(links.url(for: LinkPlan(tab: "many.main").show(Rooms.Route.lobby)) == nil)
    ManyLinks.shift = 0
  }

  // MARK: The wire

  @Test func aPushOntoADeepStackIsASmallPatch() async throws {
    let (session, hall) = try makeSession()
    for room in 0..<1_000 { try await hall.router.show(.room(room)) }
    #expect(await session.idle())
    let before = session.presentation
    try await hall.router.show(.room(7))
    #expect(await session.idle())
    let patch = try #require(session.presentation.patch(from: before))
    #expect(patch.isWorthwhile)
    #expect(try Line.encode(patch).count < 500)
    #expect(try before.applying(patch) == session.presentation)
    let back = try #require(before.patch(from: session.presentation))
    #expect(try session.presentation.applying(back) == before)
  }
}
