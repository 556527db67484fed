/// The operations of one transaction: recorded first, then carried out all together or not at all.
///
/// Each operation sees the changes of the operations before it. No other code sees a change before all have succeeded.
/// ``Router/transaction(_:)`` creates a plan, which is valid only while that call's closure runs. A plan has the same
/// operations as a ``Router``.
@MainActor public struct NavigationPlan<C: Coordinator> {
  let draft: PlanDraft
  /// The index of the step whose entry holds this flow; nil for the flow that the plan was made for.
  let result: Int?
  /// Returns the node of the router that owns the transaction.
  let find: @MainActor () throws -> Node

  @discardableResult private func add(
    _ step: NavigationStep, _ check: (@MainActor (Node) throws -> Void)? = nil
  ) throws -> Self {
    try draft.add(step, in: result, check)
    return self
  }

  /// Records a step whose entry must hold a flow, and returns the flow's plan.
  private func add<Child: Coordinator>(_ step: NavigationStep, as child: Child.Type) throws -> NavigationPlan<Child> {
    let index = try draft.add(step, in: result) { _ = try $0.require(child) }
    return NavigationPlan<Child>(draft: draft, result: index, find: find)
  }

  /// Returns the plan of the nearest coordinator of a type, this one included.
  ///
  /// - Throws: `noAncestor`, which names the types that exist; `planClosed`.
  public func ancestor<Ancestor: Coordinator>(_ type: Ancestor.Type) throws -> NavigationPlan<Ancestor> {
    let id = result == nil ? try find().ancestor(type).1.id : try? find().ancestor(type).1.id
    let index = try draft.add(.enter(flow: FlowMatch(id: id) { try $0.ancestor(type).1 }), in: result)
    return NavigationPlan<Ancestor>(draft: draft, result: index, find: find)
  }

  /// Makes the commit impossible to undo, for example because it has an effect outside of the app.
  ///
  /// - Throws: `planClosed`.
  @discardableResult public func preventUndo() throws -> Self { try add(.preventUndo) }

  /// Dismisses the modal around the router's entry or flow, with everything above it.
  ///
  /// - Throws: `planClosed`. When the plan runs: the errors of ``Router/dismiss()``.
  @discardableResult public func dismiss() throws -> Self { try add(.dismiss) }

  /// Dismisses all modals over the flow; does nothing if there are none.
  ///
  /// - Throws: `planClosed`. When the plan runs: the errors of ``Router/dismissModals()``.
  @discardableResult public func dismissModals() throws -> Self { try add(.dismissModals) }

  /// Returns to a named entry with a value, and removes everything above the entry.
  ///
  /// - Throws: `planClosed`; `payload` if the value does not encode. When the plan runs: the errors of
  ///   ``Router/returnTo(_:with:)``.
  public func returnTo(_ id: ContributionID, with value: some Encodable & Sendable = NoPayload()) throws {
    try add(.returnTo(id, value))
  }

  // MARK: Ending the flow

  /// Ends the flow with a value.
  ///
  /// - Throws: `planClosed`. When the plan runs: the errors of ``Router/finish(_:)``.
  public func finish(_ value: C.Output) throws { try add(.finish(result: FlowResult(value))) }

  /// Ends the flow without a value.
  ///
  /// - Throws: `planClosed`. When the plan runs: the errors of ``Router/finish(_:)``.
  public func cancel() throws { try add(.cancel) }

  /// Ends the flow with an error.
  ///
  /// - Throws: `planClosed`. When the plan runs: the errors of ``Router/finish(_:)``.
  public func fail(_ error: any Error) throws { try add(.fail(error: FlowError(error))) }

  /// Removes the coordinator with everything it shows and everything above it.
  ///
  /// - Throws: `planClosed`. When the plan runs: the errors of ``Router/finish(_:)``.
  public func dismissFlow() throws { try add(.dismissFlow) }
}

extension NavigationStep {
  /// Returns the step that returns to a named entry.
  ///
  /// - Throws: `payload` if the value does not encode.
  static func returnTo(_ id: ContributionID, _ value: some Encodable) throws -> NavigationStep {
    do {
      return .returnTo(id: id.rawValue, value: try StoredValue.encode(value))
    } catch {
      throw NavigationError(.payloadDoesNotEncode(place: id, why: "\(error)"))
    }
  }
}

extension NavigationPlan where C: StackCoordinator {
  /// Shows a route, as `Router.show` does.
  ///
  /// - Throws: `planClosed`. When the plan runs: the errors of the router's method, which name this step.
  @discardableResult public func show(_ route: C.Route, style: PresentationStyle? = nil) throws -> Self {
    try add(.show(target: .route(route), style: StoredStyle(style)))
  }

  /// Shows the route of a child flow, and returns the child's plan.
  ///
  /// - Throws: `planClosed`. When the plan runs: `unexpectedDestination` if the route shows something else.
  public func show<Child: Coordinator>(
    _ route: C.Route, as child: Child.Type, style: PresentationStyle? = nil
  ) throws -> NavigationPlan<Child> {
    try add(.show(target: .route(route), style: StoredStyle(style)), as: child)
  }

  /// Shows a place of another feature.
  ///
  /// - Throws: `planClosed`. When the plan runs: the errors of the router's method.
  @discardableResult public func show(_ place: Place, style: PresentationStyle? = nil) throws -> Self {
    try add(.show(target: .place(place), style: StoredStyle(style)))
  }

  /// Replaces the stack's root; does nothing if the root has the same route.
  ///
  /// - Throws: `planClosed`. When the plan runs: the errors of the router's method.
  @discardableResult public func root(_ route: C.Route, keepingStack: Bool = false) throws -> Self {
    try add(.root(route: .route(route), keepsStack: keepingStack))
  }

  /// Replaces the stack's root with a child flow, unless the flow is there already, and returns the child's plan.
  ///
  /// - Throws: `planClosed`. When the plan runs: the errors of the router's method.
  public func root<Child: Coordinator>(
    _ route: C.Route, as child: Child.Type, keepingStack: Bool = false
  ) throws -> NavigationPlan<Child> {
    try add(.root(route: .route(route), keepsStack: keepingStack), as: child)
  }

  /// Replaces the stack with these routes, the first one as its root; entries with equal routes stay, as in
  /// ``Router/set(_:)``.
  ///
  /// - Throws: `planClosed`. When the plan runs: the errors of the router's method.
  @discardableResult public func set(_ routes: [C.Route]) throws -> Self {
    try add(.set(routes: routes.map { .route($0) }))
  }

  /// Shows routes one after the other, each in its own style and over those before it.
  ///
  /// - Throws: `planClosed`. When the plan runs: the errors of the router's method.
  @discardableResult public func append(_ routes: [C.Route]) throws -> Self {
    try add(.append(routes: routes.map { .route($0) }))
  }

  /// Makes the first entry with this route the top of the stack.
  ///
  /// - Throws: `planClosed`. When the plan runs: `unknownEntry` if there is none.
  @discardableResult public func focusFirst(_ route: C.Route) throws -> Self {
    try add(.focus(entry: .route(.route(route)), isLast: false))
  }

  /// Makes the first entry with this route the top, and returns the plan of its child flow.
  ///
  /// - Throws: `planClosed`. When the plan runs: `unknownEntry`, `unexpectedDestination`.
  public func focusFirst<Child: Coordinator>(_ route: C.Route, as child: Child.Type) throws -> NavigationPlan<Child> {
    try add(.focus(entry: .route(.route(route)), isLast: false), as: child)
  }

  /// Makes the first entry whose route meets a condition the top of the stack.
  ///
  /// If a redirect delays the plan beyond a restart, the plan keeps the entry that met the condition at the call.
  ///
  /// - Throws: `planClosed`. When the plan runs: `unknownEntry`.
  @discardableResult public func focusFirst(where matches: @escaping @MainActor (C.Route) -> Bool) throws -> Self {
    try add(.focus(entry: try match(matches, isLast: false), isLast: false))
  }

  /// Makes the last entry with this route, the nearest to the top, the top of the stack.
  ///
  /// - Throws: `planClosed`. When the plan runs: `unknownEntry` if there is none.
  @discardableResult public func focusLast(_ route: C.Route) throws -> Self {
    try add(.focus(entry: .route(.route(route)), isLast: true))
  }

  /// Makes the last entry whose route meets a condition the top of the stack, as ``focusFirst(where:)`` does.
  ///
  /// - Throws: `planClosed`. When the plan runs: `unknownEntry`.
  @discardableResult public func focusLast(where matches: @escaping @MainActor (C.Route) -> Bool) throws -> Self {
    try add(.focus(entry: try match(matches, isLast: true), isLast: true))
  }

  private func match(_ matches: @escaping @MainActor (C.Route) -> Bool, isLast: Bool) throws -> EntryMatch {
    if result == nil { return try find().match(matches, isLast: isLast) }
    // A flow that this plan itself shows has no entries yet.
    return .condition({ (try? $0.resolvedRoute(as: C.Route.self)).map(matches) ?? false }, found: nil)
  }

  /// Gives the router's entry, or the top entry of a child flow, another payload of the same case.
  ///
  /// - Throws: `planClosed`. When the plan runs: the errors of ``Router/update(_:isRecorded:)``.
  @discardableResult public func update(_ route: C.Route, isRecorded: Bool = false) throws -> Self {
    try add(.update(route: .route(route), isRecorded: isRecorded))
  }

  /// Removes the top entry, pushed or modal; does nothing if only the root is left.
  ///
  /// - Throws: `planClosed`.
  @discardableResult public func popLast() throws -> Self { try add(.popLast) }

  /// Removes the entry of the router's screen and everything above it; with a coordinator's own router, and in a child
  /// flow, removes the top entry.
  ///
  /// - Throws: `planClosed`. When the plan runs: `rootEntry` if the entry is the first of its stack.
  @discardableResult public func pop() throws -> Self { try add(.pop) }

  /// Removes everything above the stack's root.
  ///
  /// - Throws: `planClosed`. When the plan runs: the errors of the router's method.
  @discardableResult public func popToRoot() throws -> Self { try add(.popToRoot) }
}

extension NavigationPlan where C: TabCoordinator {
  /// Shows a tab, with its stack unchanged.
  ///
  /// - Throws: `planClosed`. When the plan runs: `unknownTab`, which names the tabs that exist.
  @discardableResult public func select(_ tab: C.Tab) throws -> Self { try add(.select(tab: .tab(.route(tab)))) }

  /// Shows a tab and returns the plan of its flow.
  ///
  /// - Throws: `planClosed`. When the plan runs: `unexpectedDestination` if the tab holds another flow.
  public func select<Child: Coordinator>(_ tab: C.Tab, as child: Child.Type) throws -> NavigationPlan<Child> {
    let index = try draft.add(.select(tab: .tab(.route(tab))), in: result) { node in
      guard node.coordinator is Child else {
        throw NavigationError(.unexpectedTab(tab: "\(tab)", wanted: "\(Child.self)"))
      }
    }
    return NavigationPlan<Child>(draft: draft, result: index, find: find)
  }
}
