import Gangway
import GangwayHost

/// An application with a host and a root of its own: one flow, no tabs. Plugins contribute the places it shows.
@main struct OwnHost {
  static func main() { Host.run { registry in Lobby(registry) } }
}

final class Lobby: StackCoordinator {
  enum Route: NavigationRoute { case lobby, visitor(String) }
  let start = Route.lobby
  let registry: Registry
  init(_ registry: Registry) { self.registry = registry }

  func destination(for route: Route) -> Destination {
    switch route {
    case .lobby: .screen { router in LobbyScreen(router: router, plugins: self.registry.plugins.map(\.id)) }
    case .visitor(let name): .place("hello.greet", with: name)
    }
  }
}

struct LobbyScreen: Screen {
  let router: Router<Lobby>
  let plugins: [String]
  var body: some Content {
    Text("Plugins here: \(plugins.joined(separator: ", "))")
    Button("Receive a visitor") { try await router.show(.visitor("Visitor")) }
  }
}
