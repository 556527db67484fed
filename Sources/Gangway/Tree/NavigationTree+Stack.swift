import GangwayProtocol

/// The operations of a stack, each a change within a transaction.
extension NavigationTree {
  /// Where a show came from and how it differs from what the route says.
  struct ShowOptions {
    var style: PresentationStyle?
    /// The entry whose screen asked; nil for code outside any.
    var origin: Node?
    var keepsStack = false
    var onDismiss: (@MainActor () async throws -> Void)?
    var awaiter: (@MainActor (Completion.Outcome) -> Void)?
    /// What goes on when the flow shown has finished.
    var parkedIntent: StoredIntent?
  }

  /// Shows a route in a stack and returns its entry, which may be one that was there.
  func show<C: StackCoordinator>(
    _ route: C.Route, in coordinator: C, at node: Node, _ options: ShowOptions, _ transaction: Transaction
  ) throws -> Node {
    let value = RouteValue.route(route)
    transaction.target = .route(value, in: node)
    let policy = route.onRepeat
    // A modal that is itself what is asked for again does not give way.
    let repeated = policy == .push ? nil : repeatedEntry(route, policy, in: node)
    try dismissModals(notContaining: repeated ?? node, origin: options.origin, transaction)
    if policy != .push, let entry = repeatedEntry(route, policy, in: node) {
      switch policy {
      case .push, .reuseTop: return entry
      case .replaceTop: if entry.position > 0 { try transaction.remove(entry, .cancelled(.replaced)) }
      case .popTo:
        try transaction.remove(from: entry.position + 1, in: node, .cancelled(.popped))
        return entry
      }
    }
    return try push(route, value, in: coordinator, at: node, options, transaction)
  }

  /// The entry that a route repeats: the top one or, where the policy says so, the last one in the stack.
  private func repeatedEntry(_ route: some NavigationRoute, _ policy: RepeatPolicy, in node: Node) -> Node? {
    func isRepeat(_ entry: Node) -> Bool { entry.routeValue.map { route.isRepeat(ofAny: $0) } ?? false }
    if policy == .popTo { return node.children.last(where: isRepeat) }
    return node.children.last.flatMap { isRepeat($0) ? $0 : nil }
  }

  /// Adds a route to a stack, whatever its policy on repeats says.
  func push<C: StackCoordinator>(
    _ route: C.Route, _ value: RouteValue, in coordinator: C, at node: Node, _ options: ShowOptions,
    _ transaction: Transaction
  ) throws -> Node {
    let destination = coordinator.destination(for: route)
    var guards = coordinator.guards(for: route)
    switch destination.target {
    case .place(let id, _): guards += try self.guards(of: id)
    case .nowhere(let reason):
      throw NavigationError(.notPresentable, "\(route) is not shown by itself: \(reason)")
    default: break
    }
    try askEntering(value, in: node, guards, transaction)
    return try insert(StoredRoute(value), destination, at: node, options, transaction)
  }

  /// Shows a place of another feature in a stack and returns its entry.
  @discardableResult func show(
    _ place: Place, at node: Node, _ options: ShowOptions, _ transaction: Transaction
  ) throws -> Node {
    transaction.perform(.show(.place(place)))
    // What a plugin has that cannot be had is shown as such; what nobody has is a mistake.
    if !registry.isOffered(place.id), let reason = registry.unavailability(of: place.id) {
      throw NavigationError(
        .unknownPlace,
        "\(place.id) cannot be shown: \(reason). Load the plugin that registers it, or ask "
          + "router.unavailability(of: \"\(place.id)\") before offering it.")
    }
    transaction.target = .route(.place(place), in: node)
    try dismissModals(notContaining: node, origin: options.origin, transaction)
    try askEntering(.place(place), in: node, try guards(of: place.id), transaction)
    let destination = Destination(.push, .place(id: place.id) { place })
    return try insert(StoredRoute(.place(place)), destination, at: node, options, transaction)
  }

  private func insert(
    _ route: StoredRoute, _ destination: Destination, at parent: Node, _ options: ShowOptions,
    _ transaction: Transaction
  ) throws -> Node {
    let style = options.style ?? destination.style
    if style.kind == .root {
      // What goes is asked before what comes is made.
      if !options.keepsStack { try transaction.remove(from: 1, in: parent, .cancelled(.rootSwitched)) }
      if let first = parent.children.first, transaction.asksGuards { try askLeaving(first, transaction) }
    }
    let node = makeNode(.entry(style.kind == .root ? .push : style), route: route, plugin: nil)
    node.parent = parent
    do {
      try make(node, destination)
    } catch {
      discard(node)
      throw error
    }
    node.completion.onDismiss = options.onDismiss
    node.completion.awaiter = options.awaiter
    if options.awaiter != nil { awaited.insert(node.id) }
    node.completion.parkedIntent = options.parkedIntent
    if style.kind == .root {
      if let first = parent.children.first { try transaction.replace(first, by: node, .cancelled(.rootSwitched)) }
    } else {
      transaction.insert(node, into: parent)
    }
    return node
  }

  /// Makes a stack hold exactly these routes: the entries it begins with that are equal stay, the others go, and what
  /// is missing is shown, each in its own style.
  func set<C: StackCoordinator>(
    _ routes: [C.Route], in coordinator: C, at node: Node, origin: Node?, _ transaction: Transaction
  ) throws {
    guard let first = routes.first else {
      throw NavigationError(.rootEntry, "A stack cannot be empty. Give set at least the route of its root.")
    }
    let options = ShowOptions(origin: origin)
    transaction.target = .route(.route(routes.last ?? first), in: node)
    try dismissModals(notContaining: node, origin: origin, transaction)
    var kept = 0
    while kept < min(routes.count, node.children.count),
      let value = node.children[kept].routeValue, routes[kept].isEqual(toAny: value)
    { kept += 1 }
    try transaction.remove(from: max(kept, 1), in: node, .cancelled(kept == 0 ? .rootSwitched : .popped))
    if kept == 0 {
      var options = options
      options.style = .root
      _ = try push(first, .route(first), in: coordinator, at: node, options, transaction)
      kept = 1
    }
    for route in routes.dropFirst(kept) {
      _ = try push(route, .route(route), in: coordinator, at: node, options, transaction)
    }
  }

  /// Makes the first entry that matches the top of its stack.
  func focusFirst<C: StackCoordinator>(
    in coordinator: C, at node: Node, origin: Node?, _ what: @autoclosure () -> String, _ transaction: Transaction,
    where matches: (C.Route) -> Bool
  ) throws -> Node {
    let index = node.children.firstIndex { child in
      (try? resolvedRoute(child, as: C.Route.self)).map(matches) ?? false
    }
    guard let index else {
      let path = node.children.compactMap { $0.routeValue?.description }.joined(separator: ", ")
      throw NavigationError(.unknownEntry, "\(what()) is not in the stack of \(C.self), which holds \(path).")
    }
    let entry = node.children[index]
    transaction.target = .node(entry)
    try dismissModals(notContaining: index == 0 ? node : entry, origin: origin, transaction)
    try transaction.remove(from: index + 1, in: node, .cancelled(.popped))
    return entry
  }

  /// Removes the visible modals that stand over a node, because something below them navigates.
  ///
  /// - Throws: `modalNotDismissible` when one of them must be answered and the navigation does not come from it.
  func dismissModals(notContaining node: Node, origin: Node?, _ transaction: Transaction) throws {
    if Defect.keepsModalsOverNavigation.isSeeded { return }
    for modal in visibleModals.reversed() where !modal.contains(node) && !modal.isBelow(node) {
      if let style = modal.modalStyle, !style.isDismissible, !modal.contains(origin) {
        throw NavigationError(
          .modalNotDismissible, "'\(modal.title)' is open and must be answered first; it cannot be dismissed.")
      }
      if modal.parent?.children.contains(where: { $0 === modal }) == true {
        try transaction.remove(modal, .cancelled(.superseded))
      }
    }
  }

  /// The visible modals, the lowest first.
  var visibleModals: [Node] {
    guard modalNodes > 0 else { return [] }
    var modals: [Node] = []
    var node: Node? = root
    while let current = node {
      if current.modalStyle != nil { modals.append(current) }
      let top = current.topChild
      // One modal may stand on another in the same stack.
      if let top, current.modalCount > (top.modalStyle == nil ? 0 : 1) {
        for child in current.children.dropLast() where child.modalStyle != nil { modals.append(child) }
      }
      node = top
    }
    return modals
  }

  /// Removes an entry of a stack and everything above it.
  func remove(_ entry: Node, _ outcome: Completion.Outcome, _ transaction: Transaction) throws {
    guard let parent = entry.parent, parent.stack != nil else {
      throw NavigationError(
        .noParent, "'\(entry.title)' is not an entry of a stack, so it cannot be removed from one.")
    }
    guard entry.position > 0 else {
      throw NavigationError(
        .rootEntry,
        "'\(entry.title)' is the first entry of its stack and cannot be removed from it. "
          + "To end the whole flow call finish, cancel or dismissFlow.")
    }
    let below = parent.children[entry.position - 1]
    transaction.target = .node(below)
    try transaction.remove(from: entry.position + 1, in: parent, .cancelled(.popped))
    try transaction.remove(entry, outcome)
    if Defect.popsTooMuch.isSeeded { try transaction.remove(from: max(1, entry.position - 1), in: parent, outcome) }
  }

  /// The entry that stands for a flow in its parent's stack: its own node, or that of the wrappers around it.
  func flowEntry(of node: Node) -> Node {
    var entry = node
    while let parent = entry.parent, case .flow(_, .wrapper) = parent.content { entry = parent }
    return entry
  }

  /// Removes the flow that a node holds from the stack it is in.
  func removeFlow(_ node: Node, _ outcome: Completion.Outcome, _ transaction: Transaction) throws {
    let entry = flowEntry(of: node)
    guard let parent = entry.parent else {
      throw NavigationError(.noParent, "'\(node.coordinatorName ?? "The root")' is the root: nothing contains it.")
    }
    guard parent.stack != nil else {
      throw NavigationError(.noParent, "'\(entry.title)' is a tab, which is not dismissed: select another tab instead.")
    }
    try remove(entry, outcome, transaction)
  }
}
