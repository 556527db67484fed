import Gangway
import Glibc
import Observation

/// The app that `compare.py` measures: an echoed field, a counter and 1,000 rows.
@Observable final class CounterCoordinator: StackCoordinator {
  enum Route: NavigationRoute {
    case home
    var title: String? { "Counter" }
  }

  let start = Route.home
  var text = ""
  var count = 0

  func destination(for route: Route) -> Destination { .screen { _ in CounterScreen(coordinator: self) } }
}

struct CounterScreen: Screen {
  struct Item: Identifiable { let id: Int }
  static let items = (1...1_000).map(Item.init)
  static let hasRows = getenv("PEERS_ROWS").map { String(cString: $0) } != "none"

  @Bindable var coordinator: CounterCoordinator

  var body: some Content {
    TextField("Text", text: $coordinator.text)
    Text("Echo: \(coordinator.text)")
    Button("Count") { coordinator.count += 1 }
    Text("Count: \(coordinator.count)")
    if Self.hasRows { List(Self.items) { item in Row("Row \(item.id)") } }
  }
}

final class CounterPlugin: Plugin {
  static let id = "counter"
  static let version = "1.0.0"

  func register(in registry: Registrar) {
    registry.tab("main", title: "Counter") { _ in CounterCoordinator() }
    registry.link("counter", tab: "main")
  }
}

@c(gangway_plugin) public func gangwayPlugin() -> UnsafeMutableRawPointer { exportPlugin(CounterPlugin.self) }
