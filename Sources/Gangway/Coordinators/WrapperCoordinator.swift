/// A coordinator that wraps another one, to customize its screens or handle its actions.
@MainActor public protocol WrapperCoordinator: Coordinator {
  /// The type of the wrapped coordinator, whose result is the result of the wrapper.
  associatedtype Wrapped: Coordinator

  /// Creates the wrapped coordinator; the session calls it once.
  func makeWrapped() throws -> Wrapped

  /// The guards that run before the wrapped coordinator is created and shown.
  ///
  /// The default is no guards.
  var guards: [NavigationGuard] { get }
}

extension WrapperCoordinator {
  /// The kind of the coordinator: a wrapper.
  public var _kind: _CoordinatorKind { .wrapper(self) }
  /// The default: no guards.
  public var guards: [NavigationGuard] { [] }
}
