/// A coordinator whose flow is a stack of entries, each a screen or a child flow.
@MainActor public protocol StackCoordinator: Coordinator {
  /// The places of the flow.
  associatedtype Route: NavigationRoute

  /// The first entry.
  var start: Route { get }

  /// Where a route leads. Called once for each entry, and again when it is restored; it has no effects.
  func destination(for route: Route) -> Destination
}

extension StackCoordinator {
  public var _kind: _CoordinatorKind { .stack(self) }
}
