/// A coordinator around another: it customizes its screens or handles its actions.
@MainActor public protocol WrapperCoordinator: Coordinator {
  /// The coordinator inside. The wrapper ends with what it ends with.
  associatedtype Wrapped: Coordinator

  /// Makes the coordinator inside; called once.
  func makeWrapped() throws -> Wrapped

  /// Who is asked before what is inside is made and shown. By default nobody.
  var guards: [NavigationGuard] { get }
}

extension WrapperCoordinator {
  /// Which of the three kinds it is.
  public var _kind: _CoordinatorKind { .wrapper(self) }
  /// Nobody is asked.
  public var guards: [NavigationGuard] { [] }
}
