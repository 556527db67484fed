import Gangway
final class Hello: StackCoordinator {
  enum Route: NavigationRoute { case greeting(String) }
  let start: Route
  init(name: String) { start = .greeting(name) }
  func destination(for route: Route) -> Destination { .screen { router in Greeting(route: route, router: router) } }
}
struct Greeting: Screen {
  let route: Hello.Route, router: Router<Hello>
  var body: some Content {
    if case .greeting(let name) = route { Text("Hello, \(name)!") }
    Button("Greet again") { try await router.show(route) }
  }
}
final class HelloPlugin: Plugin {
  static let id = "hello", version = "1.0.0"
  func register(in registry: Registrar) { registry.place("greet", samples: ["Ann"]) { Hello(name: $0) } }
}
@c(gangway_plugin) public func gangwayPlugin() -> UnsafeMutableRawPointer { exportPlugin(HelloPlugin.self) }
