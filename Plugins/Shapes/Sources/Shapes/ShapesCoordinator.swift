import Gangway

/// The requests of views to the coordinators above them. Views know nothing else of coordinators.
enum ShapesAction: CoordinatorAction {
  case simpleShapes
  case customShapes
  case featuredShape(FeaturedShape)
  /// The user has seen a group.
  case done(group: String)
}

/// The groups, each with a child coordinator, and the featured shape.
final class ShapesCoordinator: StackCoordinator {
  enum Route: NavigationRoute {
    case shapes
    case simpleShapes
    case customShapes
    case featuredShape(FeaturedShape)

    var title: String? {
      switch self {
      case .shapes: "Shapes"
      case .simpleShapes: "Simple shapes"
      case .customShapes: "Custom shapes"
      case .featuredShape: "Featured shape"
      }
    }
  }

  let start = Route.shapes

  func destination(for route: Route) -> Destination {
    switch route {
    case .shapes: .screen { router in ShapesScreen(router: router) }
    case .simpleShapes: .flow { SimpleShapesCoordinator() }
    case .customShapes: .flow { CustomShapesCoordinator() }
    case .featuredShape(let shape): .screen(.modal) { router in FeaturedScreen(featured: shape, router: router) }
    }
  }

  func handle(_ action: any CoordinatorAction) async throws -> ActionHandling {
    switch action {
    case ShapesAction.simpleShapes: try await router.show(.simpleShapes)
    case ShapesAction.customShapes: try await router.show(.customShapes)
    case ShapesAction.featuredShape(let shape): try await router.show(.featuredShape(shape))
    case ShapesAction.done(let group):
      try await router.popToRoot()
      router.tell("You have seen the \(group).")
    default: return .unhandled
    }
    return .handled
  }
}

/// Shapes that need no explanation.
final class SimpleShapesCoordinator: StackCoordinator {
  enum Route: NavigationRoute {
    case list
    case shape(Shape)

    var title: String? {
      switch self {
      case .list: "Simple shapes"
      case .shape(let shape): shape.title
      }
    }
  }

  let start = Route.list
  static let shapes: [Shape] = [.rectangle, .roundedRectangle, .capsule, .ellipse, .circle]

  func destination(for route: Route) -> Destination {
    switch route {
    case .list:
      .screen { router in
        GroupScreen(group: "simple shapes", shapes: Self.shapes) {
          try await router.show(.shape($0))
        } send: {
          try await router.send($0)
        }
      }
    case .shape(let shape): .screen { ShapeScreen(shape: shape) }
    }
  }
}

/// The routes of the flow below, with a case for each shape, because the rules for transitions name them.
enum CustomShapesRoute: NavigationRoute {
  case list
  case triangle
  case star
  case tower

  var title: String? { self == .list ? "Custom shapes" : nil }

  init(_ shape: Shape) {
    switch shape {
    case .triangle: self = .triangle
    case .star: self = .star
    case .tower: self = .tower
    default: self = .list
    }
  }
}

/// Shapes of this feature's own design.
final class CustomShapesCoordinator: StackCoordinator {
  typealias Route = CustomShapesRoute
  let start = Route.list

  func destination(for route: Route) -> Destination {
    switch route {
    case .list:
      .screen { router in
        GroupScreen(group: "custom shapes", shapes: [.triangle, .star, .tower]) {
          try await router.show(CustomShapesRoute($0))
        } send: {
          try await router.send($0)
        }
      }
    case .triangle: .screen { ShapeScreen(shape: .triangle) }
    case .star: .screen { ShapeScreen(shape: .star) }
    case .tower: .screen { ShapeScreen(shape: .tower) }
    }
  }
}
