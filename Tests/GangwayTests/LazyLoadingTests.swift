import Foundation
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import GangwayTesting
import Observation
import Testing

@_spi(FrontEnd) @testable import Gangway

/// Plugins that are known by their manifests and load on first use. The test decides when they arrive.
@MainActor @Suite(.serialized) struct LazyLoadingTests {
  /// A source that delivers plugins at once or on request.
  final class Shelf: PluginSource {
    let registry: Registry
    var isSlow = false
    /// The reasons why plugins are not available, by id.
    var failures: [PluginID: String] = [:]
    private(set) var loads: [PluginID] = []
    private var waiting: [() -> Void] = []

    init(_ registry: Registry) { self.registry = registry }

    func load(_ plugin: PluginID, finished: @escaping @MainActor (String?) -> Void) {
      loads.append(plugin)
      let give = { [self] in
        if let failure = failures[plugin] { return finished(failure) }
        do {
          try registry.register(Shop.self)
          finished(nil)
        } catch {
          finished("\(error)")
        }
      }
      if isSlow { waiting.append(give) } else { give() }
    }

    func deliver() {
      for give in waiting { give() }
      waiting = []
    }
  }

  final class Shop: Plugin {
    static let id = "shop", version = "1.0.0"
    /// Whether the plugin registers something else than in its announcement.
    nonisolated(unsafe) static var isFickle = false
    func register(in registry: Registrar) {
      registry.tab(
        "main", title: Self.isFickle ? "Other" : "Shop", order: 20,
        label: { _ in TabLabel(title: Door.shared.isOpen ? nil : "Shop, shut") }, make: { _ in Counter() })
      registry.place("item") { (number: Int) in Counter(number) }
      registry.place("parcel", schema: 2) { stored, _ in
        "\(try stored.decode(Int.self)) kg"
      } make: { (weight: String) in
        Counter(Int(weight.prefix { $0 != " " }))
      }
      registry.link("shop/:number") { (number: Int) in Counter.Route.item(number) }
      registry.contribute("card", to: "home.cards", "A card") { _ in Counter() }
      registry.service("door") { _ in
        Door.shared
      } operations: { contract in
        contract.operation("isOpen") { (door, _: NoPayload) in door.isOpen }
      }
    }
  }

  final class Counter: StackCoordinator {
    enum Route: NavigationRoute { case list, item(Int) }
    let start: Route
    init(_ number: Int? = nil) { start = number.map { .item($0) } ?? .list }
    func destination(for route: Route) -> Destination { .screen { Shown(text: "\(route)") } }
  }

  @MainActor @Observable final class Door {
    static var shared = Door()
    var isOpen = true
  }

  final class HomePlugin: Plugin {
    static let id = "home", version = "1.0.0"
    func register(in registry: Registrar) {
      registry.tab("main", title: "Home", order: 10) { context in Home(try? context.service("shop.door")) }
    }
  }

  final class Home: StackCoordinator {
    enum Route: NavigationRoute { case start, item, yard }
    let start = Route.start
    let door: ServiceHandle?
    init(_ door: ServiceHandle?) { self.door = door }
    func guards(for route: Route) -> [NavigationGuard] {
      guard route == .yard else { return [] }
      return [
        NavigationGuard("door") { [door] _ in
          try await door?.call("isOpen") == true ? .allow : .deny("The door is shut.")
        }
      ]
    }
    func destination(for route: Route) -> Destination {
      switch route {
      case .start: .screen { router in HomeScreen(router: router) }
      case .item: .place("shop.item", with: 3)
      case .yard: .screen { Shown(text: "in the yard") }
      }
    }
  }

  struct HomeScreen: Screen {
    let router: Router<Home>
    var body: some Content {
      Text("at home")
      Button("Item") { try await router.show(.item) }
    }
  }

  struct Shown: Screen {
    let text: String
    var body: some Content { Text(text) }
  }

  private let registry = Registry()
  private let shelf: Shelf
  let session: Session

  init() throws {
    Shop.isFickle = false
    Door.shared = Door()
    shelf = Shelf(registry)
    registry.source = shelf
    let manifest = try Registry().manifest(of: Shop.self)
    try registry.register(HomePlugin.self)
    registry.announce(manifest)
    let folder = FileManager.default.temporaryDirectory
    session = Session(registry: registry, folders: PluginFolders(data: folder, cache: folder, log: { _ in }))
    _ = try session.start()
  }

  /// Makes a session of another host, with the plugin announced.
  func another(
    with plugins: [any Plugin.Type] = [], absentBecause reason: String? = nil
  ) throws -> (Registry, Shelf, Session) {
    let registry = Registry()
    let source = Shelf(registry)
    registry.source = source
    for plugin in plugins { try registry.register(plugin) }
    registry.announce(try Registry().manifest(of: Shop.self), absentBecause: reason)
    let folder = FileManager.default.temporaryDirectory
    return (
      registry, source, Session(registry: registry, folders: PluginFolders(data: folder, cache: folder, log: { _ in }))
    )
  }

  private var shown: String { session.presentation.plainText }

  private func send(_ action: Event.Action) -> Update {
    session.handle(Event(id: 1, revision: session.presentation.revision, action: action))
  }

  func tab(_ title: String) throws -> Update {
    send(.tab(try #require(session.presentation.tabBars.first?.first { $0.title == title }).node))
  }

  private func tap(_ element: ElementID) throws -> Update {
    send(.tap(.init(node: try #require(session.presentation.top?.node), element: element)))
  }

  /// Shows the developers' reason in a placeholder.
  private func expandDetails() throws {
    let node = try #require(session.presentation.top?.node)
    _ = send(.expand(.init(node: node, element: "gangway.details"), isExpanded: true))
  }

  @Test func whatIsLikelyToBeNeededIsLoadedBeforehand() async throws {
    shelf.isSlow = true
    let router = try #require(session.router(of: Home.self))
    router.preload("shop.item")
    router.preload("shop.item")
    router.preload("nobody.nothing")
    try await eventually { shelf.loads == ["shop"] }
    // Nothing of the load is visible, and nothing waits.
    #expect(session.isIdle)
    #expect(shown.contains("at home"))
    shelf.deliver()
    try await eventually { registry.isLoaded("shop") }
    _ = try tap("1")
    #expect(shown.contains("item(3)"))
    #expect(shelf.loads == ["shop"])
  }

  @Test func aGuardThatHadToHaveAPluginLoadedIsAskedAgainWhenWhatItReadChanges() async throws {
    Door.shared = Door()
    shelf.isSlow = true
    let router = try #require(session.router(of: Home.self))
    let showing = Task { try await router.show(.yard) }
    try await eventually { shelf.loads == ["shop"] }
    shelf.deliver()
    _ = try await showing.value
    #expect(await session.idle())
    #expect(shown.contains("in the yard"))
    Door.shared.isOpen = false
    #expect(await session.idle())
    #expect(!shown.contains("in the yard"))
  }

  @Test func whatCannotBeLoadedBeforehandIsToldWhenItIsNeeded() async throws {
    shelf.failures["shop"] = "the disk is full"
    let context = session.navigation.services.context(for: "home")
    context.preload("shop")
    try await eventually { shelf.loads == ["shop"] }
    #expect(shown.contains("at home"))
    _ = try tap("1")
    try expandDetails()
    #expect(shown.contains("the disk is full"), "\(shown)")
  }

  @Test func whatStoodOnATabStandsThereAfterARestartBeforeItsPluginIsLoaded() async throws {
    Door.shared = Door()
    _ = try tab("Shop")
    Door.shared.isOpen = false
    #expect(await session.idle())
    #expect(shown.hasPrefix("[Home] [Shop, shut*]\n"))
    _ = try tab("Home")
    let (next, source, restored) = try another(with: [HomePlugin.self])
    _ = try restored.start(from: session.checkpoint)
    #expect(restored.presentation.plainText.hasPrefix("[Home*] [Shop, shut]\n"))
    #expect(source.loads.isEmpty)
    // After the load, the tab shows its current label.
    Door.shared.isOpen = true
    await next.load("shop")
    #expect(await restored.idle())
    _ = restored.handle(
      Event(
        id: 1, revision: restored.presentation.revision,
        action: .tab(try #require(restored.presentation.tabBars.first?.last).node)))
    #expect(restored.presentation.plainText.hasPrefix("[Home] [Shop*]\n"))
  }

  @Test func nothingIsLoadedToShowTabsLinksPlacesAndContributions() throws {
    #expect(shown.hasPrefix("[Home*] [Shop]\n"))
    #expect(registry.links.all.map(\.pattern) == ["shop/:number"])
    #expect(registry.unavailability(of: "shop.item") == nil)
    #expect(registry.contributions(to: "home.cards", as: String.self).map(\.value) == ["A card"])
    #expect(registry.contributions(of: "shop").contains("link shop/:number"))
    #expect(registry.plugins.map(\.id) == ["home", "shop"])
    #expect(shelf.loads.isEmpty)
  }

  @Test func aTabLoadsItsPluginOnce() throws {
    _ = try tab("Shop")
    #expect(shown.contains("list"))
    _ = try tab("Home")
    _ = try tab("Shop")
    #expect(shelf.loads == ["shop"])
  }

  @Test func aLinkLoadsItsPlugin() async throws {
    try await session.open("gangway://shop/7")
    #expect(await session.idle(within: .seconds(5)))
    #expect(shown.contains("item(7)"), "\(shown)")
  }

  @Test func aPlaceLoadsItsPlugin() async throws {
    try await session.router(of: Home.self)?.show(.item)
    #expect(await session.idle(within: .seconds(5)))
    #expect(shown.contains("item(3)"), "\(shown)")
    #expect(shelf.loads == ["shop"])
  }

  @Test func aSlowPluginIsWaitedForAndTheNavigationDoneThen() async throws {
    shelf.isSlow = true
    _ = try tab("Shop")
    // A short load shows no activity.
    #expect(session.presentation.activity == nil)
    try await eventually { session.presentation.activity == "Loading…" }
    #expect(session.presentation.canGoBack)
    #expect(shown.hasPrefix("[Home*] [Shop]\n"))
    shelf.deliver()
    #expect(await session.idle(within: .seconds(5)))
    #expect(session.presentation.activity == nil)
    #expect(shown.hasPrefix("[Home] [Shop*]\n") && shown.contains("list"), "\(shown)")
  }

  /// Every way to another feature's place, while its library loads slowly.
  @Test(arguments: ["show(route)", "show(place)", "button", "transaction", "set", "append"])
  func aPlaceOfASlowPluginIsWaitedForAndShownThen(_ way: String) async throws {
    shelf.isSlow = true
    let router = try #require(session.router(of: Home.self))
    let error = ErrorBox()
    if way == "button" {
      _ = try tap("1")
    } else {
      session.work.start(event: nil, plugin: nil) {
        do {
          switch way {
          case "show(route)": try await router.show(.item)
          case "show(place)": try await router.show(try Place("shop.item", with: 3))
          case "set": try await router.set([.start, .item])
          case "append": try await router.append([.item])
          default: try await router.transaction { _ = try $0.popToRoot().show(.item) }
          }
        } catch let thrown {
          error.error = thrown
        }
      }
    }
    try await eventually { session.presentation.activity == "Loading…" }
    shelf.deliver()
    #expect(await session.idle(within: .seconds(5)))
    #expect(error.error == nil)
    #expect(session.presentation.activity == nil)
    #expect(shown.contains("item(3)"), "\(shown)")
  }

  @MainActor private final class ErrorBox { var error: (any Error)? }

  /// A stored payload has the version that its plugin announced.
  @Test func aPayloadForAPluginThatIsNotLoadedIsStoredWithTheVersionItWasMadeIn() async throws {
    let (_, other, first) = try another(with: [HomePlugin.self])
    other.failures["shop"] = "it is sold out"
    _ = try first.start()
    try await first.router(of: Home.self)?.show(try Place("shop.parcel", with: "7 kg"))
    let stored = first.checkpoint
    let record = try #require(stored.records.values.first { $0.place == "shop.parcel" })
    let folder = FileManager.default.temporaryDirectory
    let next = Session(registry: registry, folders: PluginFolders(data: folder, cache: folder, log: { _ in }))
    _ = try next.start(from: stored)
    #expect(await next.idle(within: .seconds(5)))
    #expect(record.schema == 2)
    #expect(next.presentation.plainText.contains("item(7)"), "\(next.presentation.plainText)")
  }

  @Test func goingBackGivesUpWhatIsWaitedFor() async throws {
    shelf.isSlow = true
    _ = try tab("Shop")
    _ = send(.back)
    #expect(await session.idle(within: .seconds(5)))
    #expect(session.presentation.activity == nil)
    shelf.deliver()
    #expect(await session.idle(within: .seconds(5)))
    #expect(shown.hasPrefix("[Home*] [Shop]\n"), "\(shown)")
  }

  @Test func whatCannotBeHadSaysWhyInItsPlaceAndIsTriedAgain() throws {
    shelf.failures["shop"] = "it is sold out"
    _ = try tab("Shop")
    #expect(shown == "[Home] [Shop*]\nShop\n'Shop' is not available.\nTry again\n+ Details")
    try expandDetails()
    #expect(shown.hasSuffix("- Details\nThe plugin shop is not available: it is sold out"), "\(shown)")
    #expect(registry.unavailability(of: "shop.item") == "the plugin shop is not available: it is sold out")
    _ = try tap("gangway.retry")
    #expect(shown.hasSuffix("'Shop' is not available.\nTry again\n+ Details"), "\(shown)")
    shelf.failures = [:]
    _ = try tap("gangway.retry")
    #expect(shown.contains("list"), "\(shown)")
    #expect(shelf.loads.count == 3)
  }

  @Test func aPlaceThatCannotBeHadIsShownAsSuchAndKeepsItsEntry() async throws {
    shelf.failures["shop"] = "it is sold out"
    try await session.router(of: Home.self)?.show(.item)
    #expect(await session.idle(within: .seconds(5)))
    try expandDetails()
    #expect(shown.contains("it is sold out"))
    let checkpoint = session.checkpoint
    #expect(checkpoint.records.values.contains { $0.plugin == "shop" && $0.routeText == "item" })
    shelf.failures = [:]
    _ = try tap("gangway.retry")
    #expect(shown.contains("item(3)"), "\(shown)")
  }

  @Test func whatRegistersOtherwiseThanAnnouncedIsRefusedWithBoth() throws {
    Shop.isFickle = true
    defer { Shop.isFickle = false }
    _ = try tab("Shop")
    try expandDetails()
    #expect(shown.contains("it registered") && shown.contains("title: \"Shop\"") && shown.contains("title: \"Other\""))
  }

  @Test func aPluginThatIsAnnouncedAbsentIsNotLoadedBeforeThePersonSaysSo() throws {
    let (_, source, next) = try another(absentBecause: "it crashed")
    _ = try next.start()
    #expect(next.presentation.plainText == "[Shop*]\nShop\n'Shop' is not available.\nTry again\n+ Details")
    #expect(source.loads.isEmpty)
    let top = try #require(next.presentation.top)
    _ = next.handle(Event(id: 1, revision: 1, action: .tap(.init(node: top.node, element: "gangway.retry"))))
    #expect(next.presentation.plainText.contains("list"))
  }
}
