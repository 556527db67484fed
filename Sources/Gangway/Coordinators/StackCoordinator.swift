/// A coordinator whose flow is a stack of entries, each a screen or a child flow.
@MainActor public protocol StackCoordinator: Coordinator {
  /// The places of the flow.
  associatedtype Route: NavigationRoute

  /// The first entry.
  var start: Route { get }

  /// Where a route leads. Called once for each entry, and again when it is restored; it has no effects.
  func destination(for route: Route) -> Destination

  /// Who is asked before a route is shown, after the registry's own guards. By default nobody.
  func guards(for route: Route) -> [NavigationGuard]
}

extension StackCoordinator {
  /// Nobody is asked.
  public func guards(for route: Route) -> [NavigationGuard] { [] }
  /// Which of the three kinds it is.
  public var _kind: _CoordinatorKind { .stack(self) }
}
