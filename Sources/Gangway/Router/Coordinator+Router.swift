extension Coordinator {
  /// The way to navigate within this coordinator, for itself and for models.
  ///
  /// A screen is handed one of its own, which also knows its entry: `.screen { router in … }`.
  public var router: Router<Self> { Router(self, entry: nil) }
}

extension DestinationOf {
  /// A screen of this flow that navigates: its builder is handed the router of the entry it is built for.
  public static func screen<S: Screen>(
    _ style: PresentationStyle = .push, _ make: @escaping @MainActor (Router<Owner>) throws -> S
  ) -> Self {
    Self(
      style,
      .screen { building in
        guard let coordinator = building.coordinator as? Owner, let entry = building.entry as? Node else {
          throw NavigationError(
            .unexpectedFlow(
              route: (building.entry as? Node)?.route?.description ?? "of a screen",
              found: "\(type(of: building.coordinator))", wanted: "\(Owner.self)"))
        }
        return try make(Router(coordinator, entry: entry)) as any Screen
      })
  }
}

extension Link {
  /// Makes a link to a route of the coordinator that a router navigates in.
  ///
  /// - Parameters:
  ///   - label: what the person reads.
  ///   - route: where it leads.
  ///   - router: that of the screen.
  public init<C: StackCoordinator>(_ label: String, to route: C.Route, in router: Router<C>) {
    self.init(label) { try await router.show(route) }
  }
}

extension PluginContext {
  /// The router of the coordinator of a type that was made last and is still shown in this session; nil where there is
  /// none.
  public func router<C: Coordinator>(of type: C.Type) -> Router<C>? {
    (session?.newestCoordinator(ObjectIdentifier(type)) as? C)?.router
  }
}
