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
    self.init(label, url: { router.url(of: route) }) { try await router.show(route) }
  }
}

extension Row {
  /// Creates a row that shows a route of the coordinator that a router navigates in.
  ///
  /// If a link of the registry opens the route, a browser shows the row as a link. A user can copy it, or open it in
  /// another tab.
  ///
  /// - Parameters:
  ///   - title: the first text of the row.
  ///   - detail: a second line; nil for none.
  ///   - route: the target, which a press shows.
  ///   - router: the router of the screen.
  ///   - content: further content of the row.
  public init<C: StackCoordinator>(
    _ title: String, detail: String? = nil, to route: C.Route, in router: Router<C>,
    @ContentBuilder content: () -> ContentGroup = { ContentGroup() }
  ) {
    self.init(title, detail: detail, action: { try await router.show(route) }, content: content)
    url = { router.url(of: route) }
  }
}

extension Router where C: StackCoordinator {
  /// Returns the URL that opens a route of this coordinator from anywhere, perhaps with fewer screens below it.
  ///
  /// A screen that reads the URL renders again if a plugin with other links is loaded.
  ///
  /// - Parameter route: a route, as for `show`.
  /// - Returns: the URL; nil if no link of the registry opens the route, or if the coordinator is not shown.
  public func url(of route: C.Route) -> String? {
    guard let attachment = try? attached() else { return nil }
    return attachment.navigation.urls.ofRoute(route, after: origin ?? attachment.node)
  }
}

extension PluginContext {
  /// Returns the router of the newest coordinator of a type that this session still shows; nil if there is none.
  public func router<C: Coordinator>(of type: C.Type) -> Router<C>? {
    (session?.newestCoordinator(ObjectIdentifier(type)) as? C)?.router
  }
}
