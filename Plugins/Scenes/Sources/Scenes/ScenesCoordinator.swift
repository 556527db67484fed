import Gangway

final class ScenesCoordinator: StackCoordinator {
  enum Route: NavigationRoute {
    case scene1
    case scene2(text: String)
    case scene3(text: String)
    /// A greeting that another plugin shows.
    case greeting(name: String)

    var title: String? {
      switch self {
      case .scene1: "Scene 1"
      case .scene2: "Scene 2"
      case .scene3: "Scene 3"
      case .greeting: "Greeting"
      }
    }
  }

  let start = Route.scene1

  func destination(for route: Route) -> Destination {
    switch route {
    case .scene1: .screen { router in Scene1(model: Scene1Model(routing: router)) }
    case .scene2(let text): .screen { TextScene(model: TextModel(text: text)) }
    case .scene3(let text): .screen(.modal) { TextScene(model: TextModel(text: text)) }
    case .greeting(let name): .place(Greetings.place, with: name)
    }
  }
}

/// The place of the plugin `hello`, by its id. Neither plugin needs the other one to build.
enum Greetings {
  static let place: ContributionID = "hello.greet"
}
