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
  public func show(
    _ route: C.Route, style: PresentationStyle? = nil,
    onDismiss: (@MainActor () async throws -> Void)? = nil
  ) async throws {
    _ = try await show(route, options(style, onDismiss))
  }

  /// Shows a route that leads to a child flow, and returns the child's router, so that calls can be chained.
  ///
  /// - Throws: `unexpectedDestination` if it leads to something else, and nothing is shown; otherwise as `show`.
  public func show<Child: Coordinator>(
    _ route: C.Route, as child: Child.Type, style: PresentationStyle? = nil,
    onDismiss: (@MainActor () async throws -> Void)? = nil
  ) async throws -> Router<Child> {
    try await show(route, options(style, onDismiss)) { node in
      try Self.child(Child.self, at: node).router
    }
  }

  /// Shows a place of another feature.
  ///
  /// - Throws: `unknownPlace` if no plugin offers it, `payload` if it takes another one; otherwise as `show`.
  public func show(
    _ place: Place, style: PresentationStyle? = nil, onDismiss: (@MainActor () async throws -> Void)? = nil
  ) async throws {
    let (_, node, tree) = try await ready()
    _ = try tree.commit { try tree.show(place, at: node, options(style, onDismiss), &$0) }
  }

  /// Shows a route that leads to a child flow and waits until that ends.
  ///
  /// The waiting lives as long as this host. To have the result after a restart too, handle it with `onFinish:`
  /// where the destination is declared.
  ///
  /// - Throws: as `show`.
  public func result<Child: Coordinator>(
    of child: Child.Type, at route: C.Route, style: PresentationStyle? = nil
  ) async throws -> FlowOutcome<Child.Output> {
    let waiting = Waiting()
    var options = options(style, nil)
    options.awaiter = { waiting.resolve($0) }
    _ = try await show(route, options) { node in try Self.child(Child.self, at: node) }
    switch await waiting.outcome() {
    case .cancelled(let reason): return .cancelled(reason)
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
  public func root(_ route: C.Route, keepingStack: Bool = false) async throws {
    let (_, node, _) = try await ready()
    if let first = node.children.first?.route?.value, route.isEqual(toAny: first) { return }
    var options = options(.root, nil)
    options.keepsStack = keepingStack
    _ = try await show(route, options)
  }

  /// Removes the top entry, pushed or modal. With nothing above the root it does nothing.
  ///
  /// - Returns: whether there was an entry to remove.
  /// - Throws: `detached`.
  @discardableResult public func popLast() async throws -> Bool {
    let (_, node, tree) = try await ready()
    guard node.children.count > 1, let top = node.children.last else { return false }
    try tree.commit { $0.remove(top, .cancelled(.popped)) }
    return true
  }

  /// Removes the entry whose screen holds this router, and everything above it; elsewhere the top entry.
  ///
  /// - Throws: `detached`, `entryGone`, or `rootEntry` where it is the first of its stack.
  public func pop() async throws {
    let (_, node, tree) = try await ready()
    guard let entry = try boundEntry() ?? node.children.last else { return }
    try tree.commit { try tree.remove(entry, .cancelled(.popped), &$0) }
  }

  /// Removes everything above the stack's root.
  ///
  /// - Throws: `detached`, `modalNotDismissible`.
  public func popToRoot() async throws {
    let (_, node, tree) = try await ready()
    let origin = self.origin
    try tree.commit { transaction in
      try tree.dismissModals(notContaining: node, origin: origin, &transaction)
      transaction.remove(from: 1, in: node, .cancelled(.popped))
    }
  }

  /// Whether a route is the stack's root.
  public func isRoot(_ route: C.Route) -> Bool {
    guard let node = try? attached().node, let first = node.children.first?.route?.value else { return false }
    return route.isEqual(toAny: first)
  }

  /// The routes of the stack from its root; places of other features are left out.
  public var path: [C.Route] {
    guard let node = try? attached().node else { return [] }
    return node.children.compactMap { child in
      if case .route(let route) = child.route?.value { route as? C.Route } else { nil }
    }
  }

  private func options(
    _ style: PresentationStyle?, _ onDismiss: (@MainActor () async throws -> Void)?
  ) -> NavigationTree.ShowOptions {
    NavigationTree.ShowOptions(style: style, origin: origin, onDismiss: onDismiss)
  }

  private func show<Result>(
    _ route: C.Route, _ options: NavigationTree.ShowOptions, _ check: (Node) throws -> Result
  ) async throws -> Result {
    let (coordinator, node, tree) = try await ready()
    return try tree.commit { transaction in
      try check(try tree.show(route, in: coordinator, at: node, options, &transaction))
    }
  }

  private func show(_ route: C.Route, _ options: NavigationTree.ShowOptions) async throws -> Node {
    try await show(route, options) { $0 }
  }

  private static func child<Child: Coordinator>(_ type: Child.Type, at node: Node) throws -> Child {
    guard let child = node.coordinator as? Child else {
      throw NavigationError(
        .unexpectedDestination,
        "The route \(node.route?.description ?? "") leads to \(node.coordinatorName ?? "a screen"), not to \(Child.self)."
      )
    }
    return child
  }
}
