extension Coordinator {
  /// The router of this coordinator, for its own code and for models.
  ///
  /// A screen gets a router of its own, which also knows its entry: `.screen { router in … }`.
  public var router: Router<Self> { Router(self, entry: nil) }
}

extension DestinationOf {
  /// Returns a destination for a screen that navigates: its builder gets the router of the screen's entry.
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
  /// Creates a link to a route of the coordinator that a router navigates in.
  ///
  /// - Parameters:
  ///   - label: the text for the user.
  ///   - route: the target.
  ///   - router: the router of the screen.
  public init<C: StackCoordinator>(_ label: String, to route: C.Route, in router: Router<C>) {
    self.init(label) { try await router.show(route) }
  }
}

extension PluginContext {
  /// Returns the router of the newest coordinator of a type that this session still shows; nil if there is none.
  public func router<C: Coordinator>(of type: C.Type) -> Router<C>? {
    (session?.newestCoordinator(ObjectIdentifier(type)) as? C)?.router
  }
}
