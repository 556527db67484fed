/// The operations of one transaction: what each does is seen by the next, and by nobody else before all of them have
/// succeeded.
///
/// Get one from ``Router/transaction(_:)``. It holds only while that call's closure runs.
@MainActor public struct NavigationPlan<C: Coordinator> {
  /// The coordinator whose flow it changes.
  public let coordinator: C
  let node: Node
  let transaction: Transaction
  var tree: NavigationTree { transaction.tree }
  /// The entry whose screen asked, if it was one.
  var origin: Node?
  /// The entry that ``pop()`` removes; nil for the top one.
  var boundEntry: Node?

  init(_ coordinator: C, _ node: Node, _ transaction: Transaction, origin: Node?) {
    self.coordinator = coordinator
    self.node = node
    self.transaction = transaction
    self.origin = origin
  }

  /// The plan of the coordinator that an entry holds.
  func child<Child: Coordinator>(_ type: Child.Type, at node: Node) throws -> NavigationPlan<Child> {
    guard let child = node.coordinator as? Child else {
      throw NavigationError(
        .unexpectedDestination,
        "The route \(node.route?.description ?? "") leads to \(node.coordinatorName ?? "a screen"), not to \(Child.self)."
      )
    }
    return NavigationPlan<Child>(child, node, transaction, origin: origin)
  }

  /// The plan of the nearest coordinator of a type, this one included.
  ///
  /// - Throws: `noAncestor` naming the types there are.
  public func ancestor<Ancestor: Coordinator>(_ type: Ancestor.Type) throws -> NavigationPlan<Ancestor> {
    let (ancestor, node) = try node.ancestor(type)
    return NavigationPlan<Ancestor>(ancestor, node, transaction, origin: origin)
  }

  // MARK: Ending the flow

  /// Ends the flow with a value.
  ///
  /// - Throws: as ``Router/finish(_:)``.
  public func finish(_ value: C.Output) throws { try end(.finish, .finished(value)) }

  /// Ends the flow without a value.
  ///
  /// - Throws: as ``Router/finish(_:)``.
  public func cancel() throws { try end(.cancel, .cancelled(.cancelled)) }

  /// Ends the flow with an error.
  ///
  /// - Throws: as ``Router/finish(_:)``.
  public func fail(_ error: any Error) throws { try end(.cancel, .failed(error)) }

  /// Removes the coordinator with everything it shows and everything above it.
  ///
  /// - Throws: as ``Router/finish(_:)``.
  public func dismissFlow() throws {
    transaction.perform(.dismissFlow)
    try tree.removeFlow(node, .cancelled(.popped), transaction)
  }

  private func end(_ operation: Transaction.Operation, _ outcome: Completion.Outcome) throws {
    transaction.perform(operation)
    transaction.endingFlow = node
    defer { transaction.endingFlow = nil }
    try tree.removeFlow(node, outcome, transaction)
  }
}

extension NavigationPlan where C: StackCoordinator {
  /// Shows a route, as ``Router/show(_:style:onDismiss:)``.
  @discardableResult public func show(_ route: C.Route, style: PresentationStyle? = nil) throws -> Self {
    _ = try show(route, NavigationTree.ShowOptions(style: style, origin: origin))
    return self
  }

  /// Shows a route that leads to a child flow, and gives out the child's plan.
  ///
  /// - Throws: `unexpectedDestination` if it leads to something else; otherwise as ``show(_:style:)``.
  public func show<Child: Coordinator>(
    _ route: C.Route, as child: Child.Type, style: PresentationStyle? = nil
  ) throws -> NavigationPlan<Child> {
    try self.child(child, at: show(route, NavigationTree.ShowOptions(style: style, origin: origin)))
  }

  /// Shows a place of another feature.
  @discardableResult public func show(_ place: Place, style: PresentationStyle? = nil) throws -> Self {
    _ = try tree.show(place, at: node, NavigationTree.ShowOptions(style: style, origin: origin), transaction)
    return self
  }

  func show(_ route: C.Route, _ options: NavigationTree.ShowOptions) throws -> Node {
    transaction.perform(.show(.route(route)))
    return try tree.show(route, in: coordinator, at: node, options, transaction)
  }

  /// Replaces the stack's root; the same route as the root's now changes nothing.
  @discardableResult public func root(_ route: C.Route, keepingStack: Bool = false) throws -> Self {
    _ = try rootNode(route, keepingStack)
    return self
  }

  /// Replaces the stack's root by a child flow, or finds it there, and gives out its plan.
  public func root<Child: Coordinator>(
    _ route: C.Route, as child: Child.Type, keepingStack: Bool = false
  ) throws -> NavigationPlan<Child> {
    try self.child(child, at: rootNode(route, keepingStack))
  }

  func rootNode(_ route: C.Route, _ keepingStack: Bool) throws -> Node {
    transaction.perform(.root(.route(route)))
    if let first = node.children.first, let value = first.routeValue, route.isEqual(toAny: value) { return first }
    let options = NavigationTree.ShowOptions(style: .root, origin: origin, keepsStack: keepingStack)
    return try tree.show(route, in: coordinator, at: node, options, transaction)
  }

  /// Makes the stack hold exactly these routes, the first its root; entries it begins with that are equal stay.
  @discardableResult public func set(_ routes: [C.Route]) throws -> Self {
    transaction.perform(.set(count: routes.count))
    try tree.set(routes, in: coordinator, at: node, origin: origin, transaction)
    return self
  }

  /// Shows routes one after the other, each in its own style.
  @discardableResult public func append(_ routes: [C.Route]) throws -> Self {
    for route in routes { try show(route) }
    return self
  }

  /// Makes the first entry with this route the top of the stack.
  ///
  /// - Throws: `unknownEntry` where there is none.
  @discardableResult public func focusFirst(_ route: C.Route) throws -> Self {
    _ = try focusedNode(route)
    return self
  }

  /// Makes the first entry with this route the top, and gives out the plan of its child flow.
  public func focusFirst<Child: Coordinator>(_ route: C.Route, as child: Child.Type) throws -> NavigationPlan<Child> {
    try self.child(child, at: focusedNode(route))
  }

  /// Makes the first entry whose route meets a condition the top of the stack.
  @discardableResult public func focusFirst(where matches: (C.Route) -> Bool) throws -> Self {
    transaction.perform(.pop)
    _ = try tree.focusFirst(
      in: coordinator, at: node, origin: origin, "What was looked for", transaction, where: matches)
    return self
  }

  private func focusedNode(_ route: C.Route) throws -> Node {
    transaction.perform(.focus(.route(route)))
    return try tree.focusFirst(in: coordinator, at: node, origin: origin, "\(route)", transaction) { $0 == route }
  }

  /// Removes the top entry, pushed or modal.
  ///
  /// - Returns: whether there was one above the root.
  @discardableResult public func popLast() throws -> Bool {
    guard node.children.count > 1, let top = node.children.last else { return false }
    transaction.perform(.pop)
    let below = node.children[node.children.count - 2]
    transaction.target = .node(below)
    try transaction.remove(top, .cancelled(.popped))
    return true
  }

  /// Removes the entry whose screen asked, and everything above it; elsewhere the top entry.
  ///
  /// - Throws: `rootEntry` where it is the first of its stack.
  public func pop() throws {
    transaction.perform(.pop)
    guard let entry = boundEntry ?? node.children.last else { return }
    try tree.remove(entry, .cancelled(.popped), transaction)
  }

  /// Removes everything above the stack's root.
  @discardableResult public func popToRoot() throws -> Self {
    transaction.perform(.popToRoot)
    if let first = node.children.first { transaction.target = .node(first) }
    try tree.dismissModals(notContaining: node, origin: origin, transaction)
    try transaction.remove(from: 1, in: node, .cancelled(.popped))
    return self
  }
}

extension NavigationPlan where C: TabCoordinator {
  /// Shows a tab, its stack as it was left.
  ///
  /// - Throws: `unknownTab` naming those there are.
  @discardableResult public func select(_ tab: C.Tab) throws -> Self {
    _ = try selectedNode(tab)
    return self
  }

  /// Shows a tab and gives out the plan of its flow.
  public func select<Child: Coordinator>(_ tab: C.Tab, as child: Child.Type) throws -> NavigationPlan<Child> {
    let node = try selectedNode(tab)
    guard node.coordinator is Child else {
      throw NavigationError(.unexpectedDestination, "The tab \(tab) does not hold a \(Child.self).")
    }
    return try self.child(child, at: node)
  }

  func selectedNode(_ tab: C.Tab) throws -> Node {
    guard let match = node.tab(tab) else {
      let names = node.children.filter { !$0.isParked }.map { "'\($0.title)'" }.joined(separator: ", ")
      throw NavigationError(.unknownTab, "\(C.self) has no tab \(tab). It has \(names).")
    }
    transaction.perform(.select(match))
    try tree.select(match, origin: origin, transaction)
    return match
  }
}

extension Node {
  /// The tab of that name on this node's bar.
  func tab(_ tab: some NavigationRoute) -> Node? {
    children.first { child in !child.isParked && child.routeValue.map { tab.isEqual(toAny: $0) } == true }
  }

  /// The nearest coordinator of a type, and its node.
  func ancestor<Ancestor: Coordinator>(_ type: Ancestor.Type) throws -> (Ancestor, Node) {
    for node in ancestry {
      if let coordinator = node.coordinator as? Ancestor { return (coordinator, node) }
    }
    let names = ancestry.compactMap(\.coordinatorName).joined(separator: ", ")
    throw NavigationError(.noAncestor, "No \(Ancestor.self) is among the coordinators here: \(names).")
  }
}
