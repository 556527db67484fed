@_spi(FrontEnd) import Gangway

/// A flow of one screen, which each restart makes again.
final class ShownScreen<Shown: Screen>: StackCoordinator {
  enum Route: NavigationRoute { case start }
  let start = Route.start
  private let make: @MainActor () -> Shown

  init(_ make: @escaping @MainActor () -> Shown) { self.make = make }

  func destination(for route: Route) -> Destination { .screen { [make] in make() } }
}
