/// Navigating in a stack. Each call is one commit: all of it happens, or nothing does.
extension Router where C: StackCoordinator {
  /// Shows a route: dismisses modals over this flow, follows the route's policy on repeats, and presents what the
  /// coordinator's `destination(for:)` says. A modal that is shown from a modal's own screen stands over it.
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
    _ = try await show(route, options(style, onDismiss)) { _ in }
    return self
  }

  /// Shows a route that leads to a child flow, and returns the child's router, so that calls can be chained.
  ///
  /// - Throws: `unexpectedDestination` if it leads to something else, and nothing is shown; otherwise as `show`.
  public func show<Child: Coordinator>(
    _ route: C.Route, as child: Child.Type, style: PresentationStyle? = nil,
    onDismiss: (@MainActor () async throws -> Void)? = nil
  ) async throws -> Router<Child> {
    try await show(route, options(style, onDismiss)) { try $0.require(child).router }
  }

  /// Shows a place of another feature.
  ///
  /// - Throws: `unknownPlace` if no plugin offers it, `payload` if it takes another one; otherwise as `show`.
  @discardableResult public func show(
    _ place: Place, style: PresentationStyle? = nil, onDismiss: (@MainActor () async throws -> Void)? = nil
  ) async throws -> Self {
    let options = options(style, onDismiss)
    _ = try await carryOut {
      plan(StoredStep(place, style: style), $0)
    } _: { transaction, _, node in
      try transaction.show(place, at: node, options)
    }
    return self
  }

  /// Shows a route that leads to a child flow, and waits until that flow ends.
  ///
  /// The waiting lives as long as this host. To have the result after a restart too, handle it with `onFinish:`
  /// where the destination is declared.
  ///
  /// - Parameters:
  ///   - route: where to go.
  ///   - child: the flow's coordinator.
  ///   - style: how, if not as the destination says.
  /// - Returns: the value it ended with, or why it ended without one.
  /// - Throws: as `show`; the error that the flow failed with.
  public func show<Child: Coordinator>(
    _ route: C.Route, awaiting child: Child.Type, style: PresentationStyle? = nil
  ) async throws -> FlowOutcome<Child.Output> {
    let waiting = Waiting<Completion.Outcome>()
    var options = options(style, nil)
    options.awaiter = { waiting.resolve($0) }
    try await show(route, options) { _ = try $0.require(child) }
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

  /// Replaces the stack's root; the same route as the root's now changes nothing.
  ///
  /// - Parameters:
  ///   - route: the new root.
  ///   - keepingStack: whether the entries above stay; by default they go.
  /// - Throws: as `show`.
  @discardableResult public func root(_ route: C.Route, keepingStack: Bool = false) async throws -> Self {
    try await rooted(route, keepingStack) { _ in }
    return self
  }

  /// Replaces the stack's root by a child flow and returns its router; the live one, where it is the root already.
  ///
  /// - Throws: `unexpectedDestination` if it leads to something else; otherwise as `show`.
  public func root<Child: Coordinator>(
    _ route: C.Route, as child: Child.Type, keepingStack: Bool = false
  ) async throws -> Router<Child> {
    try await rooted(route, keepingStack) { try $0.require(child).router }
  }

  /// Makes the stack hold exactly these routes, the first its root, in one commit.
  ///
  /// The entries it begins with that are equal stay; each new one is shown in its own style.
  ///
  /// - Throws: as `show`; `rootEntry` for no routes at all.
  @discardableResult public func set(_ routes: [C.Route]) async throws -> Self {
    try await carryOut {
      plan(StoredStep(.set, routes), $0)
    } _: { transaction, coordinator, node in
      try transaction.set(routes, in: coordinator, at: node, origin: origin)
    }
    return self
  }

  /// Shows routes one after the other, each in its own style and over those before it, in one commit.
  ///
  /// - Throws: as `show`, naming the route that failed.
  @discardableResult public func append(_ routes: [C.Route]) async throws -> Self {
    try await carryOut {
      plan(StoredStep(.append, routes), $0)
    } _: { transaction, coordinator, node in
      _ = try transaction.append(routes, in: coordinator, at: node, origin: origin)
    }
    return self
  }

  /// Makes the first entry with this route, counted from the root, the top of the stack.
  ///
  /// - Throws: `unknownEntry` where there is none, naming what is there; `detached`, `modalNotDismissible`.
  @discardableResult public func focusFirst(_ route: C.Route) async throws -> Self {
    try await focused(route) { _ in }
    return self
  }

  /// Makes the first entry with this route the top of the stack, and returns the router of its child flow.
  ///
  /// - Throws: as ``focusFirst(_:)``; `unexpectedDestination` if it holds something else.
  public func focusFirst<Child: Coordinator>(_ route: C.Route, as child: Child.Type) async throws -> Router<Child> {
    try await focused(route) { try $0.require(child).router }
  }

  /// Makes the first entry whose route meets a condition the top of the stack.
  ///
  /// - Throws: as ``focusFirst(_:)``.
  @discardableResult public func focusFirst(where matches: (C.Route) -> Bool) async throws -> Self {
    try await carryOut { node in
      let entry = node.children.first { (try? $0.resolvedRoute(as: C.Route.self)).map(matches) ?? false }
      return entry.flatMap { plan(StoredStep(.focus, entry: $0.id), node) }
    } _: { transaction, coordinator, node in
      transaction.perform(.pop)
      _ = try transaction.focus(
        in: coordinator, at: node, origin: origin, "What was looked for", where: matches)
    }
    return self
  }

  /// Makes the last entry with this route, the one nearest to the top, the top of the stack.
  ///
  /// - Throws: as ``focusFirst(_:)``.
  @discardableResult public func focusLast(_ route: C.Route) async throws -> Self {
    try await carryOut {
      plan(StoredStep(.focusLast, [route]), $0)
    } _: { transaction, coordinator, node in
      transaction.perform(.focus(.route(route)))
      _ = try transaction.focus(in: coordinator, at: node, origin: origin, last: true, "\(route)") { $0 == route }
    }
    return self
  }

  /// Makes the last entry whose route meets a condition the top of the stack.
  ///
  /// - Throws: as ``focusFirst(_:)``.
  @discardableResult public func focusLast(where matches: (C.Route) -> Bool) async throws -> Self {
    try await carryOut { node in
      let entry = node.children.last { (try? $0.resolvedRoute(as: C.Route.self)).map(matches) ?? false }
      return entry.flatMap { plan(StoredStep(.focus, entry: $0.id), node) }
    } _: { transaction, coordinator, node in
      transaction.perform(.pop)
      _ = try transaction.focus(
        in: coordinator, at: node, origin: origin, last: true, "What was looked for", where: matches)
    }
    return self
  }

  /// Gives the entry of this router another payload of the same case, in its place: the words of a search, so that they are
  /// in the address and come back in the next host. The screen stays as it is, with what it holds.
  ///
  /// - Parameters:
  ///   - route: the same case as the entry's route.
  ///   - isRecorded: whether it is a commit of its own that can be undone, upon which the screen is made anew.
  /// - Throws: `otherRoute` for another case; `detached`, `entryGone`; what guards say. The coordinator's own router
  ///   updates the top entry of its stack.
  @discardableResult public func update(_ route: C.Route, isRecorded: Bool = false) async throws -> Self {
    try await carryOut { node in
      var step = StoredStep(.update, [route])
      step?.entry = origin?.id
      step?.isRecorded = isRecorded
      return plan(step, node)
    } _: { transaction, coordinator, node in
      try transaction.update(route, in: coordinator, at: node, entry: origin, isRecorded: isRecorded)
    }
    return self
  }

  /// Removes the top entry, pushed or modal. With nothing above the root it does nothing.
  ///
  /// - Returns: whether there was an entry to remove.
  /// - Throws: `detached`; what a leave guard says.
  @discardableResult public func popLast() async throws -> Bool {
    try await carryOut {
      plan(StoredStep(.popLast), $0)
    } _: { transaction, _, node in
      try transaction.popLast(node)
    }
  }

  /// Removes the entry whose screen this router was handed to, and everything above it. Called on a coordinator's own
  /// router it removes the top entry.
  ///
  /// - Throws: `detached`, `entryGone`, or `rootEntry` where it is the first of its stack; what a leave guard says.
  public func pop() async throws {
    try await carryOut {
      plan(StoredStep(.pop, entry: origin?.id), $0)
    } _: { transaction, _, node in
      try transaction.pop(try boundEntry(), in: node)
    }
  }

  /// Removes everything above the stack's root.
  ///
  /// - Throws: `detached`, `modalNotDismissible`; what a leave guard says.
  @discardableResult public func popToRoot() async throws -> Self {
    try await carryOut {
      plan(StoredStep(.popToRoot), $0)
    } _: { transaction, _, node in
      try transaction.popToRoot(node, origin: origin)
    }
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
    guard let (_, node, _) = try? attached() else { return [] }
    return node.children.compactMap { child in
      child.route?.place == nil ? try? child.resolvedRoute(as: C.Route.self) : nil
    }
  }

  // MARK: Inside

  private func options(_ style: PresentationStyle?, _ onDismiss: (@MainActor () async throws -> Void)?) -> ShowOptions {
    ShowOptions(style: style, origin: origin, onDismiss: onDismiss)
  }

  private func plan(_ step: StoredStep?, _ node: Node) -> StoredPlan? {
    guard var step else { return nil }
    step.flow = node.id
    step.origin = origin?.id
    return StoredPlan(.code, step)
  }

  private func show<Result>(
    _ route: C.Route, _ options: ShowOptions, _ result: (Node) throws -> Result
  ) async throws -> Result {
    try await carryOut {
      plan(StoredStep(.show, [route], style: options.style), $0)
    } _: { transaction, coordinator, node in
      try result(try transaction.show(route, in: coordinator, at: node, options))
    }
  }

  private func rooted<Result>(
    _ route: C.Route, _ keepingStack: Bool, _ result: (Node) throws -> Result
  ) async throws -> Result {
    try await carryOut { node in
      var step = StoredStep(.root, [route])
      step?.keepsStack = keepingStack
      return plan(step, node)
    } _: { transaction, coordinator, node in
      try result(try transaction.root(route, in: coordinator, at: node, origin: origin, keepsStack: keepingStack))
    }
  }

  private func focused<Result>(_ route: C.Route, _ result: (Node) throws -> Result) async throws -> Result {
    try await carryOut {
      plan(StoredStep(.focus, [route]), $0)
    } _: { transaction, coordinator, node in
      transaction.perform(.focus(.route(route)))
      return try result(
        try transaction.focus(in: coordinator, at: node, origin: origin, "\(route)") { $0 == route })
    }
  }
}
