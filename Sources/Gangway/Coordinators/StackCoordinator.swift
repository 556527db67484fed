/// A coordinator whose flow is a stack of entries, each a screen or a child flow.
@MainActor public protocol StackCoordinator: Coordinator {
  /// The type of the routes, which name the places of the flow.
  associatedtype Route: NavigationRoute

  /// The route of the first entry.
  var start: Route { get }

  /// Returns the destination of a route.
  ///
  /// The session calls it once for each entry, and again when it restores the entry. The function must have no side
  /// effects.
  func destination(for route: Route) -> Destination

  /// Returns the guards that run before a route is shown, after the registry's own guards.
  ///
  /// The default returns no guards.
  func guards(for route: Route) -> [NavigationGuard]
}

extension StackCoordinator {
  /// Returns no guards.
  public func guards(for route: Route) -> [NavigationGuard] { [] }
  /// The kind of the coordinator: a stack.
  public var _kind: _CoordinatorKind { .stack(self) }
}
