@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) @testable import Gangway
@_spi(FrontEnd) import GangwayTesting
import Testing

/// The behavior of SwiftUICoordinator 2.4 and 3.0, with a test for each row of the comparison in
/// Documentation/ComingFromSwiftUICoordinator.md.
@MainActor @Suite struct SwiftUICoordinatorParityTests {
  private func shapes() async throws -> (FlowTester<Shapes>, Router<Shapes>) {
    let flow = try await FlowTester(Shapes())
    return (flow, try #require(flow.coordinator).router)
  }

  /// In SwiftUICoordinator, the author maintains these lists.
  @Test func parentAndChildrenFollowFromTheTree() async throws {
    let (flow, router) = try await shapes()
    #expect(router.parent == nil)
    let simple = try await router.show(.simple, as: Simple.self)
    #expect(simple.parent === flow.coordinator)
    #expect(router.children.count == 1)
    try await simple.dismissFlow()
    #expect(router.children.isEmpty)
  }

  @Test func addingOneTwiceIsRefusedAndRemovingAnAbsentOneIsAnError() async throws {
    let (flow, router) = try await shapes()
    try await router.show(.shared)
    let before = flow.checkpoint
    await #expect(throws: NavigationError(.coordinatorInUse, "")) { try await router.show(.shared) }
    #expect(flow.checkpoint == before)
    let simple = try await router.show(.simple, as: Simple.self)
    try await simple.dismissFlow()
    await #expect(throws: NavigationError(.detached, "")) { try await simple.dismissFlow() }
  }

  @Test func anActionTravelsUpUntilSomebodyHandlesIt() async throws {
    let (flow, router) = try await shapes()
    try await router.show(.simple, as: Simple.self).sendToParent(Shapes.Action.chosen("circle"))
    #expect(flow.coordinator?.chosen == ["circle"])
    try await flow.settle()
    try await router.send(Shapes.Action.unheard)
    await #expect(throws: FlowFailure.self) { try await flow.settle() }
    #expect(flow.notices.contains { $0.detail?.contains("No coordinator handled the action unheard") == true })
  }

  @Test func doneAndCancelAreTypedAndExactlyOnce() async throws {
    let (flow, router) = try await shapes()
    try await router.show(.simple)
    try await flow.settle()
    try await flow.tap("Done")
    try await router.show(.simple)
    try await flow.settle()
    try await flow.tap("Cancel")
    #expect(flow.coordinator?.chosen == ["done circle", "cancelled"])
  }

  @Test func aRouteHasTitleAppearanceAndStyle() async throws {
    let (flow, router) = try await shapes()
    try await router.show(.featured)
    try await flow.settle()
    #expect(flow.presentation.path.map(\.title) == ["All shapes", "Featured"])
    let appearance = try #require(flow.presentation.top?.appearance)
    #expect(appearance.hidesBackButton)
    #expect(appearance.tint == "red")
    #expect(flow.presentation.canGoBack)
    try await router.show(.sheet)
    try await flow.settle()
    #expect(flow.presentation.top?.style == .modal)
    #expect(flow.presentation.top?.appearance?.hidesBar == true)
    #expect(!flow.screen.hasPrefix("All shapes"))
  }

  @Test func aRouteWithoutAnActionShownDirectlyIsATypedError() async throws {
    let (flow, router) = try await shapes()
    let error = await #expect(throws: NavigationError.self) { try await router.show(.internalOnly) }
    #expect(error?.code == .notPresentable)
    #expect(
      error?.message
        == "The destination of internalOnly is .nowhere, so internalOnly cannot be shown: it belongs to featured.")
    #expect(flow.path == [.all])
  }

  @Test func theFlowStartsWithItsStartRoute() async throws {
    let (flow, _) = try await shapes()
    #expect(flow.path == [.all])
  }

  /// SwiftUICoordinator ignores each route's own style.
  @Test func setAndAppendHonourEachRoutesStyleInOneCommit() async throws {
    let (flow, router) = try await shapes()
    let commits = flow.history.count
    try await router.set([.all, .featured, .sheet])
    try await flow.settle()
    #expect(flow.presentation.layers.map(\.style) == [.base, .modal])
    #expect(flow.history.count == commits + 1)
    let featured = flow.checkpoint.records.values.first { $0.routeText == "featured" }?.id
    try await router.set([.all, .featured])
    #expect(flow.path == [.all, .featured])
    // An entry that is still wanted stays the same entry.
    #expect(flow.checkpoint.records.values.first { $0.routeText == "featured" }?.id == featured)
    try await router.append([.featured, .sheet])
    #expect(flow.path == [.all, .featured, .featured, .sheet])
    #expect(flow.history.count == commits + 3)
    await #expect(throws: NavigationError(.rootEntry, "")) { try await router.set([]) }
  }

  @Test func popPopToRootAndDismiss() async throws {
    let (flow, router) = try await shapes()
    try await router.append([.featured, .featured])
    try await router.pop()
    #expect(flow.path == [.all, .featured])
    try await router.show(.sheet)
    try await flow.settle()
    try await flow.dismiss()
    #expect(flow.path == [.all, .featured])
    try await router.show(.sheet)
    try await router.popToRoot()
    #expect(flow.path == [.all])
  }

  @Test func aTabBarIsShownWithAnyStyle() async throws {
    let (flow, router) = try await shapes()
    try await router.show(.tabs, style: .fullScreen)
    try await flow.settle()
    #expect(flow.screen.hasPrefix("[Cellar*] [Maze] [Plain]\n"))
    #expect(flow.presentation.top?.style == .fullScreen)
    try await flow.dismiss()
    #expect(flow.path == [.all])
  }

  @Test func theRootComposesWhatPluginsRegistered() async throws {
    let flow = try await FlowTester(plugins: [Lodge.self, Castle.self])
    #expect(flow.screen.hasPrefix("[Halls*] | [Towers] | [Hall]\n"))
    #expect(flow.coordinator?.router.parent == nil)
  }

  @Test func routeToScreenStandsInOnePlace() async throws {
    // destination(for:) is the factory: one switch, checked by the compiler.
    let (flow, _) = try await shapes()
    #expect(flow.screen.contains("A screen of all"))
  }

  @Test func dependenciesReachCoordinatorsThroughTheSessionsContext() async throws {
    let registry = Registry()
    try registry.register(Archive.self)
    let fixture = SessionFixture(registry, root: { RootCoordinator($0) })
    _ = try fixture.session.start()
    #expect(fixture.session.presentation.plainText.contains("own 1"))
  }

  // MARK: Deep links

  @Test(arguments: [
    ("app://halls/7", NavigationError.Code.invalidScheme), ("gangway://", .unknownURL),
    ("gangway://halls/search", .missingQueryString),
  ])
  func theErrorsOfDeepLinks(_ url: String, _ code: NavigationError.Code) throws {
    let registry = Registry()
    try registry.register(Castle.self)
    let error = #expect(throws: NavigationError.self) { try registry.links.resolve(url) }
    #expect(error?.code == code)
  }

  @Test func anUnregisteredLinkIsNil() throws {
    let registry = Registry()
    try registry.register(Castle.self)
    #expect(try registry.links.resolve("gangway://moat") == nil)
  }

  /// SwiftUICoordinator compares the scheme with case, and ignores the path.
  @Test func theSchemeIsComparedWithoutCaseAndThePathMatters() throws {
    let registry = Registry()
    try registry.register(Castle.self)
    #expect(try registry.links.match("GangWay://halls/secret")?.description == "halls/secret")
    #expect(try registry.links.match("gangway://halls/7")?.description == "halls/:number")
  }

  @Test func parametersReachTheRouteTypedAbsentOnesAreFineAndTheLastCounts() async throws {
    let flow = try await FlowTester(plugins: [Castle.self])
    try await flow.open("gangway://halls/search?q=first&q=last")
    #expect(flow.screen.contains(#"This is search("last", page: 1)"#))
  }

  @Test func twoLinksOfOneActionAreARegistrationErrorNamingBoth() throws {
    let registry = Registry()
    try registry.register(Castle.self)
    let error = #expect(throws: RegistrationError.self) { try registry.register(Rival.self) }
    #expect(error?.problems.first?.contains("halls/:number of the plugin castle") == true)
  }

  @Test func backAlwaysWorks() async throws {
    let (flow, router) = try await shapes()
    try await router.append([.featured, .sheet])
    try await flow.settle()
    try await flow.back()
    try await flow.back()
    #expect(flow.path == [.all])
  }
}

@MainActor final class Shapes: StackCoordinator {
  enum Route: NavigationRoute {
    case all, simple, featured, sheet, tabs, shared, internalOnly

    var title: String? { self == .all ? "All shapes" : nil }
    var appearance: RouteAppearance {
      switch self {
      case .featured: RouteAppearance(hidesBackButton: true, tint: "red")
      case .sheet: RouteAppearance(hidesBar: true)
      default: .standard
      }
    }
  }
  enum Action: CoordinatorAction { case chosen(String), unheard }

  let start = Route.all
  var chosen: [String] = []
  private lazy var simple = Simple()

  func destination(for route: Route) -> Destination {
    switch route {
    case .simple:
      .flow {
        Simple()
      } onFinish: { [weak self] shape in
        self?.chosen.append("done \(shape)")
      } onCancel: { [weak self] reason in
        self?.chosen.append("\(reason)")
      }
    case .shared: .flow { self.simple }
    case .sheet: .screen(.modal) { LineScreen(text: "A sheet") }
    case .tabs: .flow { House() }
    case .internalOnly: .nowhere("it belongs to featured.")
    default: .screen { LineScreen(text: "A screen of \(route)") }
    }
  }

  func handle(_ action: any CoordinatorAction) async throws -> ActionHandling {
    guard case Action.chosen(let shape) = action else { return .unhandled }
    chosen.append(shape)
    return .handled
  }
}

@MainActor final class Simple: StackCoordinator {
  enum Route: NavigationRoute { case list }
  typealias Output = String
  let start = Route.list
  func destination(for route: Route) -> Destination { .screen { router in SimpleScreen(router: router) } }
}

struct SimpleScreen: Screen {
  let router: Router<Simple>
  var body: some Content {
    Button("Done") { try await router.finish("circle") }
    Button("Cancel") { try await router.cancel() }
  }
}
