/// Navigation in a stack.
///
/// Each call is one commit, which happens as a whole or not at all.
extension Router where C: StackCoordinator {
  /// Shows a route: dismisses modals over this flow, applies the route's repeat policy, and presents its destination.
  ///
  /// The destination comes from the coordinator's `destination(for:)`. If the screen of a modal shows another modal,
  /// the second modal opens over the first one.
  ///
  /// - Parameters:
  ///   - route: the route to show.
  ///   - style: the style, if it differs from the destination's.
  ///   - onDismiss: runs once when the entry goes, for any reason; it lives as long as this host.
  /// - Throws: `detached`, `modalNotDismissible`, `makingFailed`, `nestedTooDeep`, `coordinatorInUse`; or the error of
  ///   the destination's builder.
  @discardableResult public func show(
    _ route: C.Route, style: PresentationStyle? = nil,
    onDismiss: (@MainActor () async throws -> Void)? = nil
  ) async throws -> Self {
    // The types are known here, so the first try needs no step.
    let first = try tryAtOnce { transaction, node in
      guard let stack = node.stack as? C else { throw NavigationError(.notInStack(title: node.title)) }
      _ = try transaction.show(
        route, in: stack, at: node, ShowOptions(style: style, origin: origin, onDismiss: onDismiss))
    }
    if case .waits(let obstacle) = first {
      let step = NavigationStep.show(target: .route(route), style: StoredStyle(style))
      try await carryOut(step, StepContext(onDismiss: onDismiss), after: obstacle) { _ = try $0.required() }
    }
    return self
  }

  /// Shows the route of a child flow, and returns the child's router, so that calls can be chained.
  ///
  /// - Throws: `unexpectedDestination` if the route shows something else, in which case nothing is shown; otherwise as
  ///   `show`.
  public func show<Child: Coordinator>(
    _ route: C.Route, as child: Child.Type, style: PresentationStyle? = nil,
    onDismiss: (@MainActor () async throws -> Void)? = nil
  ) async throws -> Router<Child> {
    try await show(.route(route), style, StepContext(onDismiss: onDismiss)) { try $0.require(child).router }
  }

  /// Shows a place of another feature.
  ///
  /// - Throws: `unknownPlace` if no plugin offers the place, `payload` if the place takes another payload; otherwise as
  ///   `show`.
  @discardableResult public func show(
    _ place: Place, style: PresentationStyle? = nil, onDismiss: (@MainActor () async throws -> Void)? = nil
  ) async throws -> Self {
    try await show(.place(place), style, StepContext(onDismiss: onDismiss)) { _ in }
    return self
  }

  /// Shows the route of a child flow, and waits until that flow ends.
  ///
  /// The wait lives as long as this host. To get the result after a restart too, use `onFinish:` at the destination.
  ///
  /// - Parameters:
  ///   - route: the route to show.
  ///   - child: the flow's coordinator.
  ///   - style: the style, if it differs from the destination's.
  /// - Returns: the flow's result, or the reason why it ended without one.
  /// - Throws: as `show`; the error that the flow failed with.
  public func show<Child: Coordinator>(
    _ route: C.Route, awaiting child: Child.Type, style: PresentationStyle? = nil
  ) async throws -> FlowOutcome<Child.Output> {
    let waiting = Waiting<Completion.Outcome>()
    try await show(.route(route), style, StepContext(awaiter: { waiting.resolve($0) })) { _ = try $0.require(child) }
    switch await waiting.value() {
    case .cancelled(let reason): return .cancelled(reason)
    case .failed(let error): throw error
    case .finished(let value):
      guard let output = value as? Child.Output else {
        throw NavigationError(.unexpectedResult(found: "\(type(of: value))", wanted: "\(Child.Output.self)"))
      }
      return .finished(output)
    }
  }

  /// Replaces the stack's root; does nothing if the root has the same route.
  ///
  /// - Parameters:
  ///   - route: the new root.
  ///   - keepingStack: whether the entries above stay; by default, they go.
  /// - Throws: as `show`.
  @discardableResult public func root(_ route: C.Route, keepingStack: Bool = false) async throws -> Self {
    try await rooted(route, keepingStack) { _ in }
    return self
  }

  /// Replaces the stack's root with a child flow, unless the flow is the root already, and returns its router.
  ///
  /// - Throws: `unexpectedDestination` if the route shows something else; otherwise as `show`.
  public func root<Child: Coordinator>(
    _ route: C.Route, as child: Child.Type, keepingStack: Bool = false
  ) async throws -> Router<Child> {
    try await rooted(route, keepingStack) { try $0.require(child).router }
  }

  /// Replaces the stack with these routes, the first one as its root, in one commit.
  ///
  /// Entries with equal routes stay with their screens and inputs, wherever they move. If a route repeats, its entries
  /// keep their order. Each new entry is shown in its own style.
  ///
  /// - Throws: as `show`; `rootEntry` if there are no routes.
  @discardableResult public func set(_ routes: [C.Route]) async throws -> Self {
    try await carryOut(.set(routes: routes.map { .route($0) }))
    return self
  }

  /// Shows routes one after the other, each in its own style and over those before it, in one commit.
  ///
  /// - Throws: as `show`; the error names the failed route.
  @discardableResult public func append(_ routes: [C.Route]) async throws -> Self {
    try await carryOut(.append(routes: routes.map { .route($0) }))
    return self
  }

  /// Makes the first entry with this route, counted from the root, the top of the stack.
  ///
  /// - Throws: `unknownEntry` if there is no such entry, which names the routes that exist; `detached`,
  ///   `modalNotDismissible`.
  @discardableResult public func focusFirst(_ route: C.Route) async throws -> Self {
    try await carryOut(.focus(entry: .route(.route(route)), isLast: false))
    return self
  }

  /// Makes the first entry with this route the top of the stack, and returns the router of its child flow.
  ///
  /// - Throws: as ``focusFirst(_:)``; `unexpectedDestination` if it holds something else.
  public func focusFirst<Child: Coordinator>(_ route: C.Route, as child: Child.Type) async throws -> Router<Child> {
    try await carryOut(.focus(entry: .route(.route(route)), isLast: false)) { try $0.required().require(child).router }
  }

  /// Makes the first entry whose route meets a condition the top of the stack.
  ///
  /// - Throws: as ``focusFirst(_:)``.
  @discardableResult public func focusFirst(where matches: @escaping @MainActor (C.Route) -> Bool) async throws -> Self
  {
    try await carryOut(.focus(entry: try attached().node.match(matches, isLast: false), isLast: false))
    return self
  }

  /// Makes the last entry with this route, the nearest to the top, the top of the stack.
  ///
  /// - Throws: as ``focusFirst(_:)``.
  @discardableResult public func focusLast(_ route: C.Route) async throws -> Self {
    try await carryOut(.focus(entry: .route(.route(route)), isLast: true))
    return self
  }

  /// Makes the last entry whose route meets a condition the top of the stack.
  ///
  /// - Throws: as ``focusFirst(_:)``.
  @discardableResult public func focusLast(where matches: @escaping @MainActor (C.Route) -> Bool) async throws -> Self {
    try await carryOut(.focus(entry: try attached().node.match(matches, isLast: true), isLast: true))
    return self
  }

  /// Gives the entry of this router another payload of the same case, such as new search words.
  ///
  /// The new payload appears in the URL, and the next host restores it. The screen and its state stay. The
  /// coordinator's own router updates the top entry of its stack.
  ///
  /// - Parameters:
  ///   - route: a route of the same case as the entry's.
  ///   - isRecorded: whether this is a commit of its own that can be undone. An undo makes the screen again.
  /// - Throws: `otherRoute` for another case; `detached`, `entryGone`; errors of guards.
  @discardableResult public func update(_ route: C.Route, isRecorded: Bool = false) async throws -> Self {
    try await carryOut(.update(route: .route(route), isRecorded: isRecorded))
    return self
  }

  /// Removes the top entry, pushed or modal; does nothing if only the root is left.
  ///
  /// - Returns: whether there was an entry to remove.
  /// - Throws: `detached`; errors of leave guards.
  @discardableResult public func popLast() async throws -> Bool {
    switch try tryAtOnce(.popLast, StepContext(), { $0 != nil }) {
    case .done(let isPopped): return isPopped
    case .waits(let obstacle): return try await carryOut(.popLast, after: obstacle) { $0 != nil }
    }
  }

  /// Removes the entry of this router's screen and everything above it; on a coordinator's own router, removes the top
  /// entry.
  ///
  /// - Throws: `detached`, `entryGone`, or `rootEntry` if the entry is the first of its stack; errors of leave guards.
  public func pop() async throws { try await carryOut(.pop) }

  /// Removes everything above the stack's root.
  ///
  /// - Throws: `detached`, `modalNotDismissible`; errors of leave guards.
  @discardableResult public func popToRoot() async throws -> Self {
    try await carryOut(.popToRoot)
    return self
  }

  /// Returns whether a route is the stack's root.
  public func isRoot(_ route: C.Route) -> Bool {
    guard let attachment = try? attached() else { return false }
    attachment.navigation.hooks.treeReaders.noteRead()
    guard let first = attachment.node.children.first?.routeValue else { return false }
    return route.isEqual(toAny: first)
  }

  /// Returns the router of the child flow at the stack's root, if the root is this route.
  ///
  /// Call it at any time.
  public func hasRoot<Child: Coordinator>(_ route: C.Route, as child: Child.Type) -> Router<Child>? {
    guard isRoot(route), let node = try? attached().node else { return nil }
    return (node.children.first?.coordinator as? Child)?.router
  }

  /// The routes of the stack from its root, without places of other features.
  ///
  /// A screen whose body reads this follows each change of the stack.
  public var path: [C.Route] {
    guard let attachment = try? attached() else { return [] }
    attachment.navigation.hooks.treeReaders.noteRead()
    return attachment.node.children.compactMap { child in
      child.route?.place == nil ? try? child.resolvedRoute(as: C.Route.self) : nil
    }
  }

  // MARK: Implementation

  @discardableResult private func show<Result>(
    _ target: RouteValue, _ style: PresentationStyle?, _ context: StepContext, _ result: (Node) throws -> Result
  ) async throws -> Result {
    try await carryOut(.show(target: target, style: StoredStyle(style)), context) { try result(try $0.required()) }
  }

  @discardableResult private func rooted<Result>(
    _ route: C.Route, _ keepingStack: Bool, _ result: (Node) throws -> Result
  ) async throws -> Result {
    try await carryOut(.root(route: .route(route), keepsStack: keepingStack)) { try result(try $0.required()) }
  }
}

extension Node? {
  /// Returns the entry of a step that always has one.
  func required() throws -> Node {
    guard let self else { throw NavigationError(.routerNotShown(coordinator: "flow")) }
    return self
  }
}

extension Node {
  /// Returns the match for a condition on the routes of this node's stack.
  func match<Route: NavigationRoute>(_ matches: @escaping @MainActor (Route) -> Bool, isLast: Bool) -> EntryMatch {
    let isMatch: @MainActor (Node) -> Bool = { (try? $0.resolvedRoute(as: Route.self)).map(matches) ?? false }
    let entry = isLast ? children.last(where: isMatch) : children.first(where: isMatch)
    return .condition(isMatch, found: entry?.id)
  }
}
