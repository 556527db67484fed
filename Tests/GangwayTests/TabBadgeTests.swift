@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import GangwayTesting
import Foundation
import Testing

@_spi(FrontEnd) @testable import Gangway

/// A tab shows its last badge until its feature says another one.
@MainActor @Suite(.serialized) struct TabBadgeTests {
  /// A source that delivers the plugin at once.
  private final class Shelf: PluginSource {
    let registry: Registry
    private(set) var loads: [PluginID] = []
    init(_ registry: Registry) { self.registry = registry }

    func load(_ plugin: PluginID, finished: @escaping @MainActor (String?) -> Void) {
      loads.append(plugin)
      do {
        try plugin == "orders" ? registry.register(OrdersPlugin.self) : registry.register(EagerPlugin.self)
        finished(nil)
      } catch {
        finished("\(error)")
      }
    }
  }

  /// Orders whose number is known only after they have been loaded.
  @MainActor final class Orders {
    nonisolated(unsafe) static var open = 3
    let all = Loadable { Orders.open }
    var label: TabLabel? { all.value.map { TabLabel(badge: $0) } }
  }

  final class OrdersPlugin: Plugin {
    static let id = "orders", version = "1.0.0"
    func register(in registry: Registrar) {
      registry.service { _ in Orders() }
      registry.tab("main", title: "Orders", order: 20, label: { (try? $0.service(Orders.self))?.label }) { context in
        let orders: Orders = try context.service()
        return ShownContent { Loading("Loading", orders.all) { Text("\($0) orders") } }
      }
    }
  }

  final class EagerPlugin: Plugin {
    static let id = "eager", version = "1.0.0"
    func register(in registry: Registrar) {
      registry.service { _ in Orders() }
      registry.tab(
        "main", title: "Eager", order: 20, label: { (try? $0.service(Orders.self))?.label },
        preload: .badge { await (try? $0.service(Orders.self))?.all.load() }
      ) { _ in ShownContent { Text("eager") } }
    }
  }

  final class HomePlugin: Plugin {
    static let id = "home", version = "1.0.0"
    func register(in registry: Registrar) {
      registry.tab("main", title: "Home", order: 10) { _ in ShownContent { Text("home") } }
    }
  }

  private func makeSession(_ plugin: any Plugin.Type) throws -> (Session, Shelf) {
    let registry = Registry()
    try registry.register(HomePlugin.self)
    let shelf = Shelf(registry)
    registry.source = shelf
    registry.announce(try Registry().manifest(of: plugin))
    let none = URL(filePath: "/dev/null")
    return (Session(registry: registry, folders: PluginFolders(data: none, cache: none, log: { _ in })), shelf)
  }

  private func badges(_ session: Session) -> [String?] { session.presentation.tabBars[0].map(\.badge) }

  @Test func theLastBadgeIsShownBeforeTheFeatureIsLoadedAndUntilItSaysAnother() async throws {
    Orders.open = 3
    let (first, firstShelf) = try makeSession(OrdersPlugin.self)
    _ = try first.start()
    #expect(badges(first) == [nil, nil])
    _ = first.handle(Event(id: 1, revision: 1, action: .tab(first.presentation.tabBars[0][1].node)))
    _ = await first.idle(within: .seconds(5))
    #expect(badges(first) == [nil, "3"])
    _ = first.handle(Event(id: 2, revision: 9, action: .tab(first.presentation.tabBars[0][0].node)))
    let stored = try Line.decode(Checkpoint.self, from: Line.encode(first.checkpoint))

    #expect(firstShelf.loads == ["orders"])

    let (second, shelf) = try makeSession(OrdersPlugin.self)
    _ = try second.start(from: stored)
    _ = await second.idle(within: .seconds(5))
    #expect(badges(second) == [nil, "3"])
    #expect(shelf.loads.isEmpty)
    // Once the code is loaded, the badge stays until the number is known.
    await second.registry.load("orders")
    _ = await second.idle(within: .seconds(5))
    #expect(badges(second) == [nil, "3"])
    Orders.open = 0
    _ = second.handle(Event(id: 1, revision: 9, action: .tab(second.presentation.tabBars[0][1].node)))
    _ = await second.idle(within: .seconds(5))
    #expect(badges(second) == [nil, nil])
  }

  @Test func aTabThatPreloadsForItsBadgeHasItFromTheStart() async throws {
    Orders.open = 5
    let (session, shelf) = try makeSession(EagerPlugin.self)
    _ = try session.start()
    #expect(shelf.loads.isEmpty, "the first screen comes first")
    _ = await session.idle(within: .seconds(5))
    #expect(shelf.loads == ["eager"])
    #expect(badges(session) == [nil, "5"])
  }
}
