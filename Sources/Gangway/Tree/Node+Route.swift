/// The route of a node from a checkpoint, decoded when needed.
extension Node {
  /// The node's route; a stored route is decoded first, if the coordinator exists and can read it.
  var routeValue: RouteValue? {
    guard case .encoded = route?.value, let parent, case .flow(let kind) = parent.phase else {
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
    guard let value = route?.value else { throw NavigationError(.noRoute(type: "\(Route.self)")) }
    let own = try value.resolved(as: type)
    if case .encoded(_, let schema) = value {
      route?.resolve(own, isCurrent: schema == Route.schema)
      noteChange()
    }
    return own
  }
}
