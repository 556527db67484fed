@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) @testable import Gangway
@_spi(FrontEnd) @testable import GangwayTesting
import Foundation
import Testing

/// A harbour with piers, boats and their crews. Crews have no link of the harbour's own.
private final class Harbour: Plugin {
  static let id = "harbour", version = "1.0.0"
  struct Pier: Codable { let pier: Int }

  func register(in registry: Registrar) {
    registry.tab("main", title: "Harbour", order: 10) { _ in Piers() }
    registry.link("harbour", tab: "main")
    registry.link("harbour/piers/:pier") { (link: Pier) in
      Piers.Route.pier(link.pier)
    } url: { route in
      if case .pier(let number) = route { Pier(pier: number) } else { nil }
    }
    registry.link("harbour/boats/:pier") { (link: Pier) in
      Piers.Route.boat(link.pier)
    } url: { route in
      if case .boat(let number) = route { Pier(pier: number) } else { nil }
    }
  }
}

@MainActor private final class Piers: StackCoordinator {
  enum Route: NavigationRoute { case piers, pier(Int), boat(Int), crew(Int) }
  let start = Route.piers
  func destination(for route: Route) -> Destination {
    switch route {
    case .piers: .screen { PiersScreen(router: $0) }
    case .pier(let number): .screen(.detail) { PierScreen(number: number, router: $0) }
    case .boat(let number): .screen(.detail) { TitledScreen(title: "Boat \(number)", router: $0) }
    case .crew(let number): .screen(.detail) { TitledScreen(title: "Crew \(number)", router: $0) }
    }
  }
}

private struct PiersScreen: Screen {
  let router: Router<Piers>
  var title: String? { "Piers" }
  var body: some Content {
    List([1, 2], id: \.self) { number in Row("Pier \(number)", detail: "wood", to: .pier(number), in: router) }
    Row("The first boat") { try await router.show(.boat(1)) }.url(router.url(of: .boat(1)))
  }
}

private struct PierScreen: Screen {
  let number: Int, router: Router<Piers>
  var title: String? { "Pier \(number)" }
  var body: some Content {
    Link("Boat \(number)", to: .boat(number), in: router)
    Row("Crew", to: .crew(number), in: router)
    Row("Nothing") {}
  }
}

private struct TitledScreen: Screen {
  let title: String?, router: Router<Piers>
  var body: some Content { Text(router.url(of: .crew(9)) ?? "no URL") }
}

/// Another feature, which links to the harbour's crews.
private final class Island: Plugin {
  static let id = "island", version = "1.0.0"
  struct Crew: Codable { let crew: Int }
  func register(in registry: Registrar) {
    registry.tab("main", title: "Island", order: 20) { _ in Beach() }
    registry.link("island", tab: "main")
    registry.multiStepLink("crews/:crew") { (link: Crew) in
      LinkPlan(tab: "harbour.main").show(Piers.Route.crew(link.crew))
    } url: { plan in
      if case .crew(let crew)? = plan.routes(in: "harbour.main", Piers.Route.self) { Crew(crew: crew) } else { nil }
    }
  }
}

@MainActor private final class Beach: StackCoordinator {
  enum Route: NavigationRoute { case beach }
  let start = Route.beach
  func destination(for route: Route) -> Destination { .screen { PlainScreen() } }
}

/// The URLs of rows, tabs and the path, which browsers show as links.
@MainActor @Suite struct ShownURLTests {
  private final class Shelf: PluginSource {
    let registry: Registry
    init(_ registry: Registry) { self.registry = registry }
    func load(_ plugin: PluginID, finished: @escaping @MainActor (String?) -> Void) {
      do {
        try registry.register(Island.self)
        finished(nil)
      } catch { finished("\(error)") }
    }
  }

  private func address(of label: String, in presentation: Presentation) -> String? {
    presentation.reachable.first { $0.label == label }?.url
  }

  @Test(arguments: ["Pier 1", "Pier 2", "The first boat"]) func aRowHasTheURLOfWhatItOpens(_ label: String) async throws
  {
    let flow = try await FlowTester(plugins: [Harbour.self])
    let url = try #require(address(of: label, in: flow.presentation))
    try await flow.tap(label)
    #expect(flow.presentation.url == url)
    let other = try await FlowTester(plugins: [Harbour.self])
    try await other.open(url)
    #expect(other.presentation.top?.title == flow.presentation.top?.title)
    #expect(other.presentation.top?.title != "Piers")
  }

  @Test func aLinkDeepInAStackHasTheURLOfItsScreenAlone() async throws {
    let flow = try await FlowTester(plugins: [Harbour.self])
    try await flow.tap("Pier 2")
    #expect(address(of: "Boat 2", in: flow.presentation) == "gangway://harbour/boats/2")
    #expect(address(of: "Crew", in: flow.presentation) == nil)
    #expect(address(of: "Nothing", in: flow.presentation) == nil)
    try await flow.tap("Boat 2")
    #expect(flow.presentation.url == "gangway://harbour/boats/2")
    #expect(flow.presentation.path.map(\.title) == ["Piers", "Pier 2", "Boat 2"])
    // No link opens all three screens.
    #expect(flow.presentation.path.map(\.url) == ["gangway://harbour", "gangway://harbour/piers/2", nil])
    // The URL of an entry opens it with the screens below it.
    try await flow.open(try #require(flow.presentation.path[1].url))
    #expect(flow.presentation.path.map(\.title) == ["Piers", "Pier 2"])
  }

  @Test func entriesThatArriveTogetherHaveURLs() async throws {
    let flow = try await FlowTester(plugins: [Harbour.self])
    try await flow.router(of: Piers.self)?.append((1...20).map { .pier($0) } + [.crew(1)])
    try await flow.settle()
    let urls = flow.presentation.path.map(\.url)
    // The URL of the first entry was already known. No link opens three screens and more.
    #expect(urls.count == 22 && urls[0] == "gangway://harbour" && urls.dropFirst().allSatisfy { $0 == nil })
    try await flow.router(of: Piers.self)?.set([.piers, .pier(1), .pier(2)])
    try await flow.settle()
    #expect(flow.presentation.path.map(\.url) == ["gangway://harbour", "gangway://harbour/piers/1", nil])
  }

  @Test func aTabHasItsURLBeforeItsFeatureIsLoaded() async throws {
    let registry = Registry()
    let shelf = Shelf(registry)
    registry.source = shelf
    try registry.register(Harbour.self)
    registry.announce(try Registry().manifest(of: Island.self))
    let folder = FileManager.default.temporaryDirectory
    let session = Session(registry: registry, folders: PluginFolders(data: folder, cache: folder, log: { _ in }))
    _ = try session.start()
    func tabs() -> [String?] { session.presentation.tabBars[0].map(\.url) }
    #expect(tabs() == ["gangway://harbour", "gangway://island"])
    try await session.router(of: Piers.self)?.show(.crew(9))
    #expect(await session.idle())
    #expect(session.presentation.url == nil)
    #expect(session.presentation.plainText.contains("no URL"))
    #expect(tabs() == ["gangway://harbour", "gangway://island"], "the URL of a tab is that of its first screen")
    try await session.open("gangway://island")
    #expect(await session.idle())
    #expect(session.presentation.url == "gangway://island")
    try await session.open("gangway://harbour/boats/3")
    #expect(await session.idle())
    #expect(tabs() == ["gangway://harbour", "gangway://island"])
    // The island has brought a link to crews, so the screen shows the URL.
    #expect(session.presentation.plainText.contains("gangway://crews/9"))
    shelf.registry.source = nil
  }

  @Test func aScreenShowsAURLAsSoonAsAPluginBringsALinkToIt() async throws {
    let registry = Registry()
    try registry.register(Harbour.self)
    let folder = FileManager.default.temporaryDirectory
    let session = Session(registry: registry, folders: PluginFolders(data: folder, cache: folder, log: { _ in }))
    _ = try session.start()
    try await session.router(of: Piers.self)?.show(.crew(9))
    #expect(await session.idle())
    #expect(session.presentation.plainText.contains("no URL"))
    try registry.register(Island.self)
    #expect(await session.idle())
    #expect(session.presentation.plainText.contains("gangway://crews/9"))
    #expect(session.presentation.url == "gangway://crews/9")
    #expect(session.presentation.path.last?.url == "gangway://crews/9")
  }

  @Test func aURLCanBeTakenAway() async throws {
    let flow = try await ShownContent.flow {
      Row("A") {}.url("gangway://a").url(nil)
      Row("B") {}.url("gangway://b")
    }
    #expect(address(of: "A", in: flow.presentation) == nil)
    #expect(address(of: "B", in: flow.presentation) == "gangway://b")
  }

  @Test func aRouterWithoutASessionHasNoURLs() {
    let piers = Piers()
    #expect(piers.router.url(of: .pier(1)) == nil)
  }

  @Test func aURLTravelsWithItsElement() throws {
    var row = Element(id: "a", kind: .row, label: "A", role: .button)
    row.url = "gangway://a"
    let again = try JSONDecoder().decode(Element.self, from: JSONEncoder().encode(row))
    #expect(again.url == "gangway://a" && again == row)
    let tab = Presentation.Tab(node: 1, title: "A", isSelected: true, url: "gangway://a")
    #expect(try JSONDecoder().decode(Presentation.Tab.self, from: JSONEncoder().encode(tab)) == tab)
  }
}
