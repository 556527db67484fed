@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) @testable import Gangway
@_spi(FrontEnd) @testable import GangwayTesting
import Testing

/// A shop whose products are shown in two tabs, found by number, by name, or among the rest.
final class Market: Plugin {
  static let id = "market"
  static let version = "1.0.0"

  struct Product: Codable { let product: Int }
  struct Name: Codable { let name: String }
  struct Review: Codable { let product, review: Int }

  func register(in registry: Registrar) {
    registry.tab("home", title: "Home", order: 10) { _ in Aisles() }
    registry.tab("search", title: "Search", order: 20) { _ in Aisles() }
    registry.tab("orders", title: "Orders", order: 30) { _ in Towers() }
    registry.service { _ in Catalogue() }
    // If the user is in one of the two tabs, the link opens there.
    registry.link("products/:product", tab: ["home", "search"], onMismatch: .tryNext) { (link: Product) in
      Aisles.Route.product(link.product)
    } url: { route in
      if case .product(let number) = route { Product(product: number) } else { nil }
    }
    // Text that is not a number is a name to look up.
    registry.link("products/*name", tab: "home") { (link: Name, context: PluginContext) in
      Aisles.Route.product(try await context.service(Catalogue.self).number(of: link.name))
    }
    registry.multiStepLink("products/:product/reviews/:review") { (link: Review) in
      LinkPlan(tab: "market.home").show(Aisles.Route.product(link.product)).show(Aisles.Route.review(link.review))
    } url: { plan in
      guard
        case (.product(let product), .review(let review))? = plan.routes(
          in: "market.home", Aisles.Route.self, Aisles.Route.self)
      else { return nil }
      return Review(product: product, review: review)
    }
    registry.place("seller") { (number: Int, _) in Seller(number) }
    registry.link("sellers/:number", place: "seller", taking: Int.self)
    registry.link("orders", tab: "orders")
  }
}

@MainActor final class Catalogue {
  var gate: ControlledWait.Token?
  var waits = false

  func number(of name: String) async throws -> Int {
    if waits { await ControlledWait.suspend { gate = $0 } }
    if name == "lamp" { return 7 }
    throw NoSuchProduct()
  }
}

struct NoSuchProduct: Error {}

@MainActor final class Aisles: StackCoordinator {
  enum Route: NavigationRoute { case aisle, product(Int), review(Int), seller(Int), postcard(Int) }
  let start = Route.aisle
  func destination(for route: Route) -> Destination {
    switch route {
    case .seller(let number): .place("market.seller", with: number)
    case .postcard(let number): .place("post.card", with: number)
    default: .screen { PlainScreen() }
    }
  }
}

@MainActor final class Seller: StackCoordinator {
  enum Route: NavigationRoute { case seller(Int) }
  let start: Route
  init(_ number: Int) { start = .seller(number) }
  func destination(for route: Route) -> Destination { .screen { PlainScreen() } }
}

/// Another feature, whose place opens over others.
final class Post: Plugin {
  static let id = "post"
  static let version = "1.0.0"
  func register(in registry: Registrar) {
    registry.place("card") { (number: Int, _) in Seller(number) }
    registry.link("cards/:number", place: "card", taking: Int.self)
  }
}

@MainActor @Suite struct LinkChoiceTests {
  private func market() async throws -> FlowTester<RootCoordinator> {
    try await FlowTester(plugins: [Market.self, Post.self])
  }

  private func selected(_ flow: FlowTester<RootCoordinator>) -> String? {
    flow.presentation.tabBars.first?.first { $0.isSelected }?.title
  }

  private func catalogue(of flow: FlowTester<RootCoordinator>) throws -> Catalogue {
    try flow.session.navigation.services.context(for: "market").service(Catalogue.self)
  }

  // MARK: The user's tab

  @Test func aLinkOpensInTheOneOfItsTabsThatThePersonIsIn() async throws {
    let flow = try await market()
    try await flow.tab("Search")
    try await flow.open("gangway://products/3")
    #expect(selected(flow) == "Search")
    #expect(flow.presentation.path.count == 2)
    // The URL opens the same screen.
    let url = flow.session.url
    #expect(url == "gangway://products/3")
    let before = flow.checkpoint
    try await flow.open(url ?? "")
    #expect(flow.checkpoint == before)
    try await flow.tab("Orders")
    try await flow.open("gangway://products/3")
    #expect(selected(flow) == "Home")
  }

  @Test func aTabThatIsNoneOfThePluginsIsRefused() throws {
    let error = #expect(throws: RegistrationError.self) { try Registry().register(Stray.self) }
    #expect(error?.problems == ["registers the link a/:b to the tab stray.nowhere, but does not register that tab"])
  }

  // MARK: The next pattern

  @Test func whatDoesNotFitOnePayloadIsTriedWithTheNextPattern() async throws {
    let flow = try await market()
    try await flow.open("gangway://products/lamp")
    #expect(flow.session.router(of: Aisles.self)?.path == [.aisle, .product(7)])
  }

  @Test func whereNoneTakesItTheFirstSaysWhy() async throws {
    let flow = try await market()
    let error = await #expect(throws: NavigationError.self) { try await flow.session.open("gangway://products/sofa") }
    #expect(error?.code == .payload)
    #expect(
      error?.message.contains("'sofa' for the component 'product' is not a whole number (Int)") == true,
      "\(error?.message ?? "")")
    #expect(flow.session.router(of: Aisles.self)?.path == [.aisle])
  }

  // MARK: Looking something up

  @Test func whatALinkLooksUpIsWaitedForAndCanBeGivenUp() async throws {
    let flow = try await market()
    let catalogue = try catalogue(of: flow)
    catalogue.waits = true
    try await flow.send(.open("gangway://products/lamp"))
    #expect(flow.session.router(of: Aisles.self)?.path == [.aisle])
    // Going back cancels the link.
    try await flow.send(.back)
    catalogue.gate?.resume()
    try await flow.settle()
    #expect(flow.session.router(of: Aisles.self)?.path == [.aisle])
    try await flow.send(.open("gangway://products/lamp"))
    catalogue.gate?.resume()
    try await flow.settle()
    #expect(flow.session.router(of: Aisles.self)?.path == [.aisle, .product(7)])
  }

  @Test func whatThePersonDoesMeanwhileTakesItsPlace() async throws {
    let flow = try await market()
    let catalogue = try catalogue(of: flow)
    catalogue.waits = true
    try await flow.send(.open("gangway://products/lamp"))
    try await flow.open("gangway://products/2")
    catalogue.gate?.resume()
    try await flow.settle()
    #expect(flow.session.router(of: Aisles.self)?.path == [.aisle, .product(2)])
  }

  @Test func withoutASessionNothingIsLookedUp() throws {
    let registry = try Registry(plugins: [Market.self])
    let error = #expect(throws: NavigationError.self) { try registry.links.resolve("gangway://products/lamp") }
    #expect(error?.code == .lookupNeeded)
    #expect(error?.message.contains("products/*name of the plugin market") == true)
  }

  // MARK: Several steps, several features

  @Test func aPlanOfSeveralStepsHasAnAddress() async throws {
    let flow = try await market()
    try await flow.open("gangway://products/3/reviews/4")
    #expect(flow.session.url == "gangway://products/3/reviews/4")
    let plan = LinkPlan(tab: "market.home").show(Aisles.Route.product(1)).show(Aisles.Route.product(2))
    #expect(plan.routes(in: "market.home", Aisles.Route.self) == nil)
    #expect(plan.routes(in: "market.search", Aisles.Route.self, Aisles.Route.self) == nil)
    #expect(plan.steps.count == 3)
    #expect(plan.tab == "market.home")
  }

  @Test func placesOfSeveralFeaturesHaveAnAddressTogether() async throws {
    let flow = try await market()
    try await flow.open("gangway://products/3")
    try await flow.open("gangway://sellers/9")
    try await flow.open("gangway://cards/5")
    let url = try #require(flow.session.url)
    #expect(url == "gangway://products/3/+/sellers/9/+/cards/5")
    let titles = flow.presentation.path.map(\.title)
    let other = try await market()
    try await other.open(url)
    #expect(other.presentation.path.map(\.title) == titles)
    #expect(other.session.url == url)
    // Opened on its own screen, the link changes nothing.
    let before = other.checkpoint
    try await other.open(url)
    #expect(other.checkpoint == before)
  }

  @Test func aScreenHasItsAddressWithAnyScreensBelowIt() async throws {
    let flow = try await market()
    for number in 1...30 { try await flow.router(of: Aisles.self)?.show(.product(number)) }
    try await flow.settle()
    #expect(flow.session.url == nil)
    #expect(flow.presentation.url == "gangway://products/30")
    try await flow.open("gangway://sellers/9")
    #expect(flow.session.url == nil)
    let url = try #require(flow.presentation.url)
    #expect(url == "gangway://sellers/9")
    let other = try await market()
    try await other.open(url)
    #expect(other.presentation.top?.title == flow.presentation.top?.title)
  }

  /// After any links, places and steps back, the URL opens the same screen from the start, and changes nothing there.
  @Test(arguments: [UInt64(1), 2, 3, 4, 5, 6, 7, 8])
  func addressesAndWhatTheyLeadToAreInverse(_ seed: UInt64) async throws {
    var random = SplitMix(seed: seed)
    let flow = try await market()
    var seen: Set<String> = []
    for _ in 0..<40 {
      let number = Int.random(in: 0..<4, using: &random)
      switch Int.random(in: 0..<9, using: &random) {
      case 0: try await flow.open("gangway://products/\(number)")
      case 1: try await flow.open("gangway://products/\(number)/reviews/\(number + 1)")
      case 2, 3: try await flow.open("gangway://sellers/\(number)")
      case 4, 5: try await flow.open("gangway://cards/\(number)")
      case 6: try await flow.tab(["Home", "Search", "Orders"][number % 3])
      case 7: try await flow.router(of: Aisles.self)?.show(.product(number))
      default: if flow.presentation.canGoBack { try await flow.back() }
      }
      try await flow.settle()
      guard let url = flow.session.url, selected(flow) == "Home", seen.insert(url).inserted else { continue }
      let other = try await market()
      try await other.open(url)
      #expect(other.presentation.path.map(\.title) == flow.presentation.path.map(\.title), "\(url)")
      #expect(other.session.url == url)
      let before = flow.checkpoint
      try await flow.open(url)
      #expect(flow.checkpoint == before, "\(url)")
    }
    #expect(seen.count > 5, "\(seen)")
  }

  @Test func whatStandsOnTopMustBeAPlace() async throws {
    let flow = try await market()
    let error = await #expect(throws: NavigationError.self) {
      try await flow.session.open("gangway://products/3/+/orders")
    }
    #expect(error?.code == .unmatchedLink)
    #expect(error?.message.contains("Only links to places may follow /+/.") == true, "\(error?.message ?? "")")
    // A plus that does not divide is itself.
    #expect(try LinkURL("gangway://a/+", flow.registry.links).components == ["a", "+"])
    #expect(try LinkURL("gangway://a/+/b", flow.registry.links).parts == [0..<1, 1..<2])
    #expect(try LinkURL("gangway://a/%2B/b", flow.registry.links).components == ["a", "+", "b"])
    #expect(try LinkURL("gangway://a/+/+/b", flow.registry.links).components == ["a", "+", "b"])
  }

  // MARK: Without case

  @Test func lettersAreComparedWithoutCaseWhereTheApplicationSaysSo() throws {
    let links = Links()
    links.add([.test(try LinkPattern("Files/New/:name"))], of: "test")
    #expect(try links.match("gangway://files/new/A") == nil)
    let folding = Links()
    folding.ignoresCase = true
    folding.add([.test(try LinkPattern("Files/New/:name"))], of: "test")
    #expect(try folding.match("gangway://FILES/nEW/A") != nil)
    #expect(folding.rival(of: try LinkPattern("files/new/:other"), for: "other") != nil)
    #expect(links.rival(of: try LinkPattern("files/new/:other"), for: "other") == nil)
    #expect(links.rival(of: try LinkPattern("files/New/:other"), for: "other") != nil)
  }
}

final class Stray: Plugin {
  static let id = "stray"
  static let version = "1.0.0"
  func register(in registry: Registrar) {
    registry.tab("here", title: "Here") { _ in Aisles() }
    registry.link("a/:b", tab: ["here", "nowhere"]) { (_: [String: String]) in Aisles.Route.aisle }
  }
}
