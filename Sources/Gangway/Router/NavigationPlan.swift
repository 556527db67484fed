/// The operations of one transaction: recorded first, then carried out all together or not at all.
///
/// Each operation sees the changes of the operations before it. No other code sees a change before all have succeeded.
/// ``Router/transaction(_:)`` creates a plan, which is valid only while that call's closure runs.
@MainActor public struct NavigationPlan<C: Coordinator> {
  let draft: PlanDraft
  let flow: PlanFlow
  /// Returns the node of the router that owns the transaction.
  let find: @MainActor () throws -> Node

  /// Returns the plan of the nearest coordinator of a type, this one included.
  ///
  /// - Throws: `noAncestor`, which names the types that exist; `planClosed`.
  public func ancestor<Ancestor: Coordinator>(_ type: Ancestor.Type) throws -> NavigationPlan<Ancestor> {
    var stored: StoredStep?
    if case .own = flow {
      stored = StoredStep(.flow)
      let (_, node) = try find().ancestor(type)
      let result = try draft.add(.own, stored.map { Self.at(node.id, $0) }) { run in try run.own.ancestor(type).1 }
      return NavigationPlan<Ancestor>(draft: draft, flow: result, find: find)
    }
    let flow = flow
    let node = try? find().ancestor(type).1
    let result = try draft.add(.own, node.map { Self.at($0.id, StoredStep(.flow)) }) { run in
      try run.flow(flow, as: C.self).1.ancestor(type).1
    }
    return NavigationPlan<Ancestor>(draft: draft, flow: result, find: find)
  }

  private static func at(_ node: Int, _ step: StoredStep) -> StoredStep {
    var step = step
    step.flow = node
    return step
  }

  /// Makes the commit impossible to undo, as when it has an effect outside of the app.
  ///
  /// - Throws: `planClosed`.
  @discardableResult public func preventUndo() throws -> Self {
    try draft.add(flow, StoredStep(.final)) { run in
      run.transaction.isFinal = true
      return nil
    }
    return self
  }

  // MARK: Ending the flow

  /// Ends the flow with a value.
  ///
  /// - Throws: `planClosed`. When carried out, as ``Router/finish(_:)``.
  public func finish(_ value: C.Output) throws { try end(.finish, .finished(value), stored: .finish(value)) }

  /// Ends the flow without a value.
  ///
  /// - Throws: `planClosed`. When carried out, as ``Router/finish(_:)``.
  public func cancel() throws { try end(.cancel, .cancelled(.cancelled), stored: StoredStep(.cancel)) }

  /// Ends the flow with an error.
  ///
  /// - Throws: `planClosed`. When carried out, as ``Router/finish(_:)``.
  public func fail(_ error: any Error) throws { try end(.cancel, .failed(error), stored: StoredStep(.cancel)) }

  /// Removes the coordinator with everything it shows and everything above it.
  ///
  /// - Throws: `planClosed`. When carried out, as ``Router/finish(_:)``.
  public func dismissFlow() throws {
    try end(.dismissFlow, .cancelled(.popped), stored: StoredStep(.dismissFlow), asksItself: true)
  }

  private func end(
    _ operation: Operation, _ outcome: Completion.Outcome, stored: StoredStep?, asksItself: Bool = false
  ) throws {
    let flow = flow
    try draft.add(flow, stored) { run in
      let (_, node) = try run.flow(flow, as: C.self)
      try run.transaction.removeFlow(node, operation, outcome, asksItself: asksItself)
      return nil
    }
  }
}

extension StoredStep {
  /// Returns the step that ends a flow with a value; nil if the value does not encode.
  @MainActor static func finish(_ value: any Sendable) -> StoredStep? {
    var step = StoredStep(.finish)
    if value is Void { return step }
    guard let encodable = value as? any Encodable, let text = try? StoredValue.encode(encodable) else { return nil }
    step.value = text
    return step
  }
}

extension NavigationPlan where C: StackCoordinator {
  /// Shows a route, as `Router.show` does.
  ///
  /// - Throws: `planClosed`. When carried out, as the router's method; the error names this step.
  @discardableResult public func show(_ route: C.Route, style: PresentationStyle? = nil) throws -> Self {
    try shown(route, style) { _ in }
    return self
  }

  /// Shows the route of a child flow, and returns the child's plan.
  ///
  /// - Throws: `planClosed`. When carried out, `unexpectedDestination` if the route shows something else.
  public func show<Child: Coordinator>(
    _ route: C.Route, as child: Child.Type, style: PresentationStyle? = nil
  ) throws -> NavigationPlan<Child> {
    self.child(child, try shown(route, style) { _ = try $0.require(child) })
  }

  /// Shows a place of another feature.
  ///
  /// - Throws: `planClosed`. When carried out, as the router's method.
  @discardableResult public func show(_ place: Place, style: PresentationStyle? = nil) throws -> Self {
    try add(StoredStep(place, style: style)) { run, _, node in
      try run.transaction.show(place, at: node, ShowOptions(style: style, origin: run.origin))
    }
    return self
  }

  @discardableResult private func shown(
    _ route: C.Route, _ style: PresentationStyle?, _ check: @escaping @MainActor (Node) throws -> Void
  ) throws -> PlanFlow {
    try add(StoredStep(.show, [route], style: style)) { run, coordinator, node in
      let entry = try run.transaction.show(
        route, in: coordinator, at: node, ShowOptions(style: style, origin: run.origin))
      try check(entry)
      return entry
    }
  }

  @discardableResult private func add(
    _ stored: StoredStep?, _ carryOut: @escaping @MainActor (PlanDraft.Run, C, Node) throws -> Node?
  ) throws -> PlanFlow {
    let flow = flow
    return try draft.add(flow, stored) { run in
      let (coordinator, node) = try run.flow(flow, as: C.self)
      return try carryOut(run, coordinator, node)
    }
  }

  private func child<Child: Coordinator>(_ type: Child.Type, _ flow: PlanFlow) -> NavigationPlan<Child> {
    NavigationPlan<Child>(draft: draft, flow: flow, find: find)
  }

  /// Replaces the stack's root; does nothing if the root has the same route.
  ///
  /// - Throws: `planClosed`. When carried out, as the router's method.
  @discardableResult public func root(_ route: C.Route, keepingStack: Bool = false) throws -> Self {
    try rooted(route, keepingStack) { _ in }
    return self
  }

  /// Replaces the stack's root with a child flow, unless the flow is there already, and returns the child's plan.
  ///
  /// - Throws: `planClosed`. When carried out, as the router's method.
  public func root<Child: Coordinator>(
    _ route: C.Route, as child: Child.Type, keepingStack: Bool = false
  ) throws -> NavigationPlan<Child> {
    self.child(child, try rooted(route, keepingStack) { _ = try $0.require(child) })
  }

  @discardableResult private func rooted(
    _ route: C.Route, _ keepingStack: Bool, _ check: @escaping @MainActor (Node) throws -> Void
  ) throws -> PlanFlow {
    var stored = StoredStep(.root, [route])
    stored?.keepsStack = keepingStack
    return try add(stored) { run, coordinator, node in
      let entry = try run.transaction.root(
        route, in: coordinator, at: node, origin: run.origin, keepsStack: keepingStack)
      try check(entry)
      return entry
    }
  }

  /// Makes the stack hold exactly these routes, the first its root; equal entries at its beginning stay.
  ///
  /// - Throws: `planClosed`. When carried out, as the router's method.
  @discardableResult public func set(_ routes: [C.Route]) throws -> Self {
    try add(StoredStep(.set, routes)) { run, coordinator, node in
      try run.transaction.set(routes, in: coordinator, at: node, origin: run.origin)
      return nil
    }
    return self
  }

  /// Shows routes one after the other, each in its own style and over those before it.
  ///
  /// - Throws: `planClosed`. When carried out, as the router's method.
  @discardableResult public func append(_ routes: [C.Route]) throws -> Self {
    try add(StoredStep(.append, routes)) { run, coordinator, node in
      try run.transaction.append(routes, in: coordinator, at: node, origin: run.origin)
    }
    return self
  }

  /// Makes the first entry with this route the top of the stack.
  ///
  /// - Throws: `planClosed`. When carried out, `unknownEntry` if there is none.
  @discardableResult public func focusFirst(_ route: C.Route) throws -> Self {
    try focused(route) { _ in }
    return self
  }

  /// Makes the first entry with this route the top, and returns the plan of its child flow.
  ///
  /// - Throws: `planClosed`. When carried out, `unknownEntry`, `unexpectedDestination`.
  public func focusFirst<Child: Coordinator>(_ route: C.Route, as child: Child.Type) throws -> NavigationPlan<Child> {
    self.child(child, try focused(route) { _ = try $0.require(child) })
  }

  @discardableResult private func focused(
    _ route: C.Route, _ check: @escaping @MainActor (Node) throws -> Void
  ) throws -> PlanFlow {
    try add(StoredStep(.focus, [route])) { run, coordinator, node in
      run.transaction.perform(.focus(.route(route)))
      let entry = try run.transaction.focus(in: coordinator, at: node, origin: run.origin, "\(route)") {
        $0 == route
      }
      try check(entry)
      return entry
    }
  }

  /// Makes the first entry whose route meets a condition the top of the stack.
  ///
  /// If a redirect holds the plan up over a restart, the plan keeps the entry that met the condition at the call.
  ///
  /// - Throws: `planClosed`. When carried out, `unknownEntry`.
  @discardableResult public func focusFirst(where matches: @escaping @MainActor (C.Route) -> Bool) throws -> Self {
    var stored: StoredStep?
    if case .own = flow {
      let entry = try find().children.first { (try? $0.resolvedRoute(as: C.Route.self)).map(matches) ?? false }
      stored = entry.map { StoredStep(.focus, entry: $0.id) }
    }
    try add(stored) { run, coordinator, node in
      run.transaction.perform(.pop)
      return try run.transaction.focus(
        in: coordinator, at: node, origin: run.origin, "What was looked for", where: matches)
    }
    return self
  }

  /// Removes the top entry, pushed or modal; does nothing if only the root is left.
  ///
  /// - Throws: `planClosed`.
  @discardableResult public func popLast() throws -> Self {
    try add(StoredStep(.popLast)) { run, _, node in
      _ = try run.transaction.popLast(node)
      return nil
    }
    return self
  }

  /// Removes the top entry.
  ///
  /// - Throws: `planClosed`. When carried out, `rootEntry` if the entry is the first of its stack.
  @discardableResult public func pop() throws -> Self {
    try add(StoredStep(.pop)) { run, _, node in
      try run.transaction.pop(nil, in: node)
      return nil
    }
    return self
  }

  /// Removes everything above the stack's root.
  ///
  /// - Throws: `planClosed`. When carried out, as the router's method.
  @discardableResult public func popToRoot() throws -> Self {
    try add(StoredStep(.popToRoot)) { run, _, node in
      try run.transaction.popToRoot(node, origin: run.origin)
      return nil
    }
    return self
  }
}

extension NavigationPlan where C: TabCoordinator {
  /// Shows a tab, with its stack unchanged.
  ///
  /// - Throws: `planClosed`. When carried out, `unknownTab`, which names the tabs that exist.
  @discardableResult public func select(_ tab: C.Tab) throws -> Self {
    _ = try selected(tab) { _ in }
    return self
  }

  /// Shows a tab and returns the plan of its flow.
  ///
  /// - Throws: `planClosed`. When carried out, `unexpectedDestination` if the tab holds another flow.
  public func select<Child: Coordinator>(_ tab: C.Tab, as child: Child.Type) throws -> NavigationPlan<Child> {
    let flow = try selected(tab) { node in
      guard node.coordinator is Child else {
        throw NavigationError(.unexpectedTab(tab: "\(tab)", wanted: "\(Child.self)"))
      }
    }
    return NavigationPlan<Child>(draft: draft, flow: flow, find: find)
  }

  private func selected(_ tab: C.Tab, _ check: @escaping @MainActor (Node) throws -> Void) throws -> PlanFlow {
    let flow = flow
    // A tab of a flow that this plan itself shows has no id yet, so the plan cannot be stored.
    var there: Node?
    if let node = try? find() { there = node.ancestry.first { $0.coordinator is C }?.tab(tab) }
    return try draft.add(flow, there.map { StoredStep(.select, entry: $0.id) }) { run in
      let (_, node) = try run.flow(flow, as: C.self)
      let match = try node.requireTab(tab, of: C.self)
      run.transaction.perform(.select(match))
      try run.transaction.select(match, origin: run.origin)
      try check(match)
      return match
    }
  }
}

extension Node {
  /// Returns the tab with this name on the node's bar.
  ///
  /// - Throws: `unknownTab`, which names the tabs that exist.
  func requireTab<C: TabCoordinator>(_ tab: C.Tab, of type: C.Type) throws -> Node {
    if let match = self.tab(tab) { return match }
    let names = children.filter { !$0.isParked }.map { "'\($0.title)'" }.joined(separator: ", ")
    throw NavigationError(.unknownTab(coordinator: "\(C.self)", tab: "\(tab)", known: names))
  }
}
