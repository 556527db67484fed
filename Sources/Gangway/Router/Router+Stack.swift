/// Navigating in a stack. Each call is one commit: all of it happens, or nothing does.
extension Router where C: StackCoordinator {
  /// Shows a route: dismisses modals over this flow, follows the route's policy on repeats, and presents what the
  /// coordinator's `destination(for:)` says.
  ///
  /// - Parameters:
  ///   - route: where to go.
  ///   - style: how, if not as the destination says.
  ///   - onDismiss: runs once when the entry goes, however it goes; it lives as long as this host.
  /// - Throws: `detached`, `modalNotDismissible`, `makingFailed`, `nestedTooDeep`, `coordinatorInUse`; or what making
  ///   the destination throws.
  @discardableResult public func show(
    _ route: C.Route, style: PresentationStyle? = nil,
    onDismiss: (@MainActor () async throws -> Void)? = nil
  ) async throws -> Self {
    _ = try await show(route, options(style, onDismiss)) { $1 }
    return self
  }

  /// Shows a route that leads to a child flow, and returns the child's router, so that calls can be chained.
  ///
  /// - Throws: `unexpectedDestination` if it leads to something else, and nothing is shown; otherwise as `show`.
  public func show<Child: Coordinator>(
    _ route: C.Route, as child: Child.Type, style: PresentationStyle? = nil,
    onDismiss: (@MainActor () async throws -> Void)? = nil
  ) async throws -> Router<Child> {
    try await show(route, options(style, onDismiss)) { try $0.child(child, at: $1).coordinator.router }
  }

  /// Shows a place of another feature.
  ///
  /// - Throws: `unknownPlace` if no plugin offers it, `payload` if it takes another one; otherwise as `show`.
  @discardableResult public func show(
    _ place: Place, style: PresentationStyle? = nil, onDismiss: (@MainActor () async throws -> Void)? = nil
  ) async throws -> Self {
    let options = options(style, onDismiss)
    try await carryOut {
      (try? attached())?.node.storedIntent(.place(place))
    } _: { plan in
      _ = try plan.tree.show(place, at: plan.node, options, plan.transaction)
    }
    return self
  }

  /// Shows a route that leads to a child flow and waits until that ends.
  ///
  /// The waiting lives as long as this host. To have the result after a restart too, handle it with `onFinish:`
  /// where the destination is declared.
  ///
  /// - Throws: as `show`; the error that the flow failed with.
  public func result<Child: Coordinator>(
    of child: Child.Type, at route: C.Route, style: PresentationStyle? = nil
  ) async throws -> FlowOutcome<Child.Output> {
    let waiting = Waiting<Completion.Outcome>()
    var options = options(style, nil)
    options.awaiter = { waiting.resolve($0) }
    try await show(route, options) { _ = try $0.child(child, at: $1) }
    switch await waiting.value() {
    case .cancelled(let reason): return .cancelled(reason)
    case .failed(let error): throw error
    case .finished(let value):
      guard let output = value as? Child.Output else {
        throw NavigationError(.unexpectedDestination, "\(Child.self) ended with \(type(of: value)).")
      }
      return .finished(output)
    }
  }

  /// Replaces the stack's root; the same route as the root's now changes nothing.
  ///
  /// - Parameter keepingStack: whether the entries above stay; by default they go.
  /// - Throws: as `show`.
  @discardableResult public func root(_ route: C.Route, keepingStack: Bool = false) async throws -> Self {
    try await carryOut {
      (try? attached())?.node.storedIntent(.route(route))
    } _: { plan in
      _ = try plan.root(route, keepingStack: keepingStack)
    }
    return self
  }

  /// Replaces the stack's root by a child flow and returns its router; the live one, where it is the root already.
  ///
  /// - Throws: `unexpectedDestination` if it leads to something else; otherwise as `show`.
  public func root<Child: Coordinator>(
    _ route: C.Route, as child: Child.Type, keepingStack: Bool = false
  ) async throws -> Router<Child> {
    try await carryOut { try $0.root(route, as: child, keepingStack: keepingStack).coordinator.router }
  }

  /// Makes the stack hold exactly these routes, the first its root, in one commit.
  ///
  /// The entries it begins with that are equal stay; each new one is shown in its own style.
  ///
  /// - Throws: as `show`; `rootEntry` for no routes at all.
  @discardableResult public func set(_ routes: [C.Route]) async throws -> Self {
    try await carryOut { _ = try $0.set(routes) }
    return self
  }

  /// Shows routes one after the other, each in its own style, in one commit.
  ///
  /// - Throws: as `show`, naming the route that failed.
  @discardableResult public func append(_ routes: [C.Route]) async throws -> Self {
    try await carryOut { _ = try $0.append(routes) }
    return self
  }

  /// Makes the first entry with this route, counted from the root, the top of the stack.
  ///
  /// - Throws: `unknownEntry` where there is none, naming what is there; `detached`, `modalNotDismissible`.
  @discardableResult public func focusFirst(_ route: C.Route) async throws -> Self {
    try await carryOut { _ = try $0.focusFirst(route) }
    return self
  }

  /// Makes the first entry with this route the top of the stack, and returns the router of its child flow.
  public func focusFirst<Child: Coordinator>(_ route: C.Route, as child: Child.Type) async throws -> Router<Child> {
    try await carryOut { try $0.focusFirst(route, as: child).coordinator.router }
  }

  /// Makes the first entry whose route meets a condition the top of the stack.
  @discardableResult public func focusFirst(where matches: (C.Route) -> Bool) async throws -> Self {
    try await carryOut { _ = try $0.focusFirst(where: matches) }
    return self
  }

  /// Removes the top entry, pushed or modal. With nothing above the root it does nothing.
  ///
  /// - Returns: whether there was an entry to remove.
  /// - Throws: `detached`; what a leave guard says.
  @discardableResult public func popLast() async throws -> Bool {
    try await carryOut { try $0.popLast() }
  }

  /// Removes the entry whose screen holds this router, and everything above it; elsewhere the top entry.
  ///
  /// - Throws: `detached`, `entryGone`, or `rootEntry` where it is the first of its stack; what a leave guard says.
  public func pop() async throws {
    try await carryOut { plan in
      var plan = plan
      plan.boundEntry = try boundEntry()
      try plan.pop()
    }
  }

  /// Removes everything above the stack's root.
  ///
  /// - Throws: `detached`, `modalNotDismissible`; what a leave guard says.
  @discardableResult public func popToRoot() async throws -> Self {
    try await carryOut { _ = try $0.popToRoot() }
    return self
  }

  /// Whether a route is the stack's root.
  public func isRoot(_ route: C.Route) -> Bool {
    guard let node = try? attached().node, let first = node.children.first?.routeValue else { return false }
    return route.isEqual(toAny: first)
  }

  /// The router of the child flow at the stack's root, if the root is this route; at any time.
  public func hasRoot<Child: Coordinator>(_ route: C.Route, as child: Child.Type) -> Router<Child>? {
    guard isRoot(route), let node = try? attached().node else { return nil }
    return (node.children.first?.coordinator as? Child)?.router
  }

  /// The routes of the stack from its root; places of other features are left out.
  public var path: [C.Route] {
    guard let (_, node, tree) = try? attached() else { return [] }
    return node.children.compactMap { child in
      child.route?.place == nil ? try? tree.resolvedRoute(child, as: C.Route.self) : nil
    }
  }

  private func options(
    _ style: PresentationStyle?, _ onDismiss: (@MainActor () async throws -> Void)?
  ) -> NavigationTree.ShowOptions {
    NavigationTree.ShowOptions(style: style, origin: origin, onDismiss: onDismiss)
  }

  private func show<Result>(
    _ route: C.Route, _ options: NavigationTree.ShowOptions, _ check: (NavigationPlan<C>, Node) throws -> Result
  ) async throws -> Result {
    try await carryOut {
      (try? attached())?.node.storedIntent(.route(route))
    } _: { plan in
      try check(plan, try plan.show(route, options))
    }
  }
}

extension Node {
  func storedIntent(_ route: RouteValue) -> StoredIntent? { StoredIntent(route, in: self) }
}
