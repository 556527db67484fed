import Gangway

/// Shapes in groups, each group with its own flow, and the transitions between shapes.
final class ShapesPlugin: Plugin {
  static let id = "shapes"
  static let version = "1.0.0"

  func register(in registry: Registrar) {
    registry.tab("main", title: "Shapes", symbol: "△", order: 40) { _ in ShapesCoordinator() }
    registry.link("shapes", tab: "main")
    registry.link("shapes/featured?shape&size", samples: [FeaturedShape()]) { (link: FeaturedShape) in
      ShapesCoordinator.Route.featuredShape(link)
    } url: { route in
      if case .featuredShape(let shape) = route { shape } else { nil }
    }
    registry.link("shapes/simple", to: ShapesCoordinator.Route.simpleShapes)
    registry.link("shapes/custom", to: ShapesCoordinator.Route.customShapes)
    Self.registerTransitions(in: registry)
  }

  private static func registerTransitions(in registry: Registrar) {
    // One pair of routes, in both directions.
    registry.transition(from: CustomShapesRoute.list, to: CustomShapesRoute.star, .fade)
    // A style.
    registry.transition(style: .modal, .pushUp)
    // Routes of two types, by a condition; a custom name, with a fallback for front ends that do not know it.
    registry.transition(from: CustomShapesRoute.self, to: CustomShapesRoute.self) { from, to, _ in
      from == .tower || to == .tower ? Transition("unfold", duration: .milliseconds(400), fallback: .pushUp) : nil
    }
    // All other transitions of this plugin.
    let plugin = registry.plugin
    registry.transition { change in change.to.plugin == plugin && change.from.plugin == plugin ? .slide : nil }
  }
}

@c(gangway_plugin) public func gangwayPlugin() -> UnsafeMutableRawPointer { exportPlugin(ShapesPlugin.self) }
