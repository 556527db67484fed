import Gangway

/// Three scenes, as in the MVVM-C article. A text typed into the first one appears in the others.
final class ScenesPlugin: Plugin {
  static let id = "scenes"
  static let version = "1.0.0"

  /// The parameter of the links to scenes 2 and 3.
  struct Scene: Codable { let text: String }

  func register(in registry: Registrar) {
    registry.tab("main", title: "Scenes", symbol: "◧", order: 10) { _ in ScenesCoordinator() }
    registry.link("scenes", tab: "main")
    registry.link("scenes/2?text", samples: [Scene(text: "two")]) { (link: Scene) in
      ScenesCoordinator.Route.scene2(text: link.text)
    } url: { route in
      if case .scene2(let text) = route { Scene(text: text) } else { nil }
    }
    registry.link("scenes/3?text", samples: [Scene(text: "three")]) { (link: Scene) in
      ScenesCoordinator.Route.scene3(text: link.text)
    } url: { route in
      if case .scene3(let text) = route { Scene(text: text) } else { nil }
    }
    registry.link("scenes/greet/:name", samples: ["Ann"]) { (name: String) in
      ScenesCoordinator.Route.greeting(name: name)
    } url: { route in
      if case .greeting(let name) = route { name } else { nil }
    }
    registry.uses(place: Greetings.place, with: "World", isOptional: true)
  }
}

@c(gangway_plugin) public func gangwayPlugin() -> UnsafeMutableRawPointer { exportPlugin(ScenesPlugin.self) }
