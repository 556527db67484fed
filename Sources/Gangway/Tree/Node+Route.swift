/// The route of a node from a checkpoint, decoded when needed.
extension Node {
  /// The node's route; a stored route is decoded first, if the coordinator exists and can read it.
  var routeValue: RouteValue? {
    guard case .encoded = route?.value, let parent, case .flow(_, let kind) = parent.phase else {
      return route?.value
    }
    switch kind {
    case .stack(let stack): resolve(stack)
    case .tabs(let tabs): resolve(tabs)
    case .wrapper: break
    }
    return route?.value
  }

  private func resolve<C: StackCoordinator>(_ coordinator: C) { _ = try? resolvedRoute(as: C.Route.self) }
  private func resolve<C: TabCoordinator>(_ coordinator: C) { _ = try? resolvedRoute(as: C.Tab.self) }

  /// Returns the node's route as its coordinator's type, decoded if it came from a checkpoint.
  ///
  /// - Throws: `payload` if the route cannot be decoded, `foreignRoute` if it is of another type.
  func resolvedRoute<Route: NavigationRoute>(as type: Route.Type) throws -> Route {
    switch route?.value {
    case .route(let route):
      if let own = route as? Route { return own }
      throw NavigationError(.foreignRoute(route: "\(route)", type: "\(Route.self)"))
    case .encoded(let text, let schema):
      let value = try StoredRoute.decode(Route.self, from: text, schema: schema)
      route?.resolve(value, isCurrent: schema == Route.schema)
      return value
    case .place, nil: throw NavigationError(.noRoute(type: "\(Route.self)"))
    }
  }
}
