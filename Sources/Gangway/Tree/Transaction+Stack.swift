@_spi(FrontEnd) import GangwayProtocol

/// The source of a show, and its differences from the route's destination.
struct ShowOptions {
  var style: PresentationStyle?
  /// The entry whose screen made the request; nil for code outside any screen.
  var origin: Node?
  var keepsStack = false
  /// The entry that the same call has just shown.
  ///
  /// It stays, and so do its modals.
  var over: Node?
  var onDismiss: (@MainActor () async throws -> Void)?
  var awaiter: (@MainActor (Completion.Outcome) -> Void)?
  /// The plan that continues when the shown flow has finished.
  var parkedPlan: String?
}

/// The operations of a stack.
extension Transaction {
  /// Shows a route in a stack and returns its entry, which may already exist.
  func show<C: StackCoordinator>(
    _ route: C.Route, in coordinator: C, at node: Node, _ options: ShowOptions
  ) throws -> Node {
    let value = RouteValue.route(route)
    perform(.show(target: value, style: nil))
    return try show(route, value, in: coordinator, at: node, options)
  }

  private func show<C: StackCoordinator>(
    _ route: C.Route, _ value: RouteValue, in coordinator: C, at node: Node, _ options: ShowOptions
  ) throws -> Node {
    target = .route(value, in: node)
    let policy = route.onRepeat
    // A modal stays if the request repeats that modal.
    let repeated = policy == .push ? nil : repeatedEntry(route, policy, in: node)
    let below =
      options.over ?? modalOrigin(options) { options.style ?? coordinator.destination(for: route).erased.style }
    try dismissModals(notContaining: repeated ?? node, origin: options.origin, keepingBelow: below)
    if let first = details(of: options.origin, in: node) {
      switch (options.style ?? coordinator.destination(for: route).erased.style).kind {
      case .modal, .fullScreen, .root: break
      case .push, .detail:
        let isThere =
          [.reuseTop, .popTo].contains(policy) && first.routeValue.map { route.isRepeat(ofAny: $0) } == true
        try remove(from: first.position + (isThere ? 1 : 0), in: node, .cancelled(.replaced))
        if isThere { return first }
      }
    }
    if policy != .push, let entry = repeatedEntry(route, policy, in: node) {
      switch policy {
      case .push, .reuseTop: return entry
      case .replaceTop: if entry.position > 0 { try remove(entry, .cancelled(.replaced)) }
      case .popTo:
        try remove(from: entry.position + 1, in: node, .cancelled(.popped))
        return entry
      }
    }
    return try push(route, value, in: coordinator, at: node, options)
  }

  /// Shows routes one after the other.
  ///
  /// Each stays below the next, and so do modals.
  func append<C: StackCoordinator>(_ routes: [C.Route], in coordinator: C, at node: Node, origin: Node?) throws -> Node?
  {
    var last: Node?
    for route in routes {
      last = try show(route, in: coordinator, at: node, ShowOptions(origin: origin, over: last))
    }
    return last
  }

  /// Returns the modal's origin if a modal is requested from another modal, over which it is shown.
  ///
  /// Everything else replaces the modals, and the result is nil.
  private func modalOrigin(_ options: ShowOptions, _ style: () -> PresentationStyle) -> Node? {
    guard let origin = options.origin, table.modalNodes > 0, origin.ancestry.contains(where: { $0.modalStyle != nil }),
      [.modal, .fullScreen].contains(style().kind)
    else { return nil }
    return origin
  }

  /// Returns the detail on top of a stack's entry, which is replaced by the next show from the entry's screen.
  private func details(of origin: Node?, in node: Node) -> Node? {
    guard let origin, origin.parent === node, origin.position + 1 < node.children.count else { return nil }
    let next = node.children[origin.position + 1]
    return next.isDetail ? next : nil
  }

  /// Returns the entry that a route repeats: the top one or, if the policy says so, the last one in the stack.
  private func repeatedEntry(_ route: some NavigationRoute, _ policy: RepeatPolicy, in node: Node) -> Node? {
    func isRepeat(_ entry: Node) -> Bool { entry.routeValue.map { route.isRepeat(ofAny: $0) } ?? false }
    if policy == .popTo { return node.children.last(where: isRepeat) }
    return node.children.last.flatMap { isRepeat($0) ? $0 : nil }
  }

  /// Adds a route to a stack, regardless of its policy on repeats.
  func push<C: StackCoordinator>(
    _ route: C.Route, _ value: RouteValue, in coordinator: C, at node: Node, _ options: ShowOptions
  ) throws -> Node {
    let destination = coordinator.destination(for: route).erased
    var guards = coordinator.guards(for: route)
    switch destination.target {
    case .place(let id, _):
      maker.registry.noteUse(of: id, by: node.plugin)
      guards += try maker.guards(of: id)
    case .nowhere(let reason): throw NavigationError(.notPresentable(route: "\(route)", reason: reason))
    default: break
    }
    try askEntering(value, in: node, guards)
    return try insert(StoredRoute(value), destination, at: node, options)
  }

  /// Shows a place of another feature in a stack and returns its entry.
  func show(_ place: Place, at node: Node, _ options: ShowOptions) throws -> Node {
    var place = place
    maker.registry.noteUse(of: place.id, by: options.origin?.plugin ?? node.plugin)
    if place.schema == 0 {
      place = Place(id: place.id, payload: place.payload, schema: maker.registry.schema(of: place.id))
    }
    let value = RouteValue.place(place)
    // A known but unavailable place shows the reason. An unknown place is an error.
    if !maker.registry.isOffered(place.id), let reason = maker.registry.unavailability(of: place.id) {
      throw NavigationError(.unknownPlace(place: place.id, reason: reason))
    }
    target = .route(value, in: node)
    let below = modalOrigin(options) { options.style ?? .push }
    try dismissModals(notContaining: node, origin: options.origin, keepingBelow: below)
    if let first = details(of: options.origin, in: node), [.push, .detail].contains((options.style ?? .push).kind) {
      try remove(from: first.position, in: node, .cancelled(.replaced))
    }
    try askEntering(value, in: node, try maker.guards(of: place.id))
    let destination = AnyDestination(.push, .place(id: place.id) { place })
    return try insert(StoredRoute(value), destination, at: node, options)
  }

  private func insert(
    _ route: StoredRoute, _ destination: AnyDestination, at parent: Node, _ options: ShowOptions
  ) throws -> Node {
    let style = options.style ?? destination.style
    let isRoot = style.kind == .root
    if isRoot {
      // The leave guards of the old entries run before the new one is made.
      if !options.keepsStack { try remove(from: 1, in: parent, .cancelled(.rootSwitched)) }
      if let first = parent.children.first, asksGuards { try askLeaving(first) }
    }
    let node = table.makeNode(.entry(isRoot ? .push : style), route: route, plugin: nil)
    node.parent = parent
    do {
      try maker.make(node, destination)
    } catch {
      removal.discard(node)
      throw error
    }
    if let onDismiss = options.onDismiss { node.completion.onDismiss = onDismiss }
    if let awaiter = options.awaiter { removal.await(node, awaiter) }
    if let parked = options.parkedPlan { node.completion.parkedPlan = parked }
    if isRoot {
      if let first = parent.children.first { try replace(first, by: node, .cancelled(.rootSwitched)) }
    } else {
      insert(node, into: parent)
    }
    return node
  }

  /// Replaces the stack's root; does nothing if the root has the same route.
  func root<C: StackCoordinator>(
    _ route: C.Route, in coordinator: C, at node: Node, origin: Node?, keepsStack: Bool
  ) throws -> Node {
    let value = RouteValue.route(route)
    if let first = node.children.first, let there = first.routeValue, route.isEqual(toAny: there) { return first }
    return try show(
      route, value, in: coordinator, at: node, ShowOptions(style: .root, origin: origin, keepsStack: keepsStack))
  }

  /// Makes a stack hold exactly these routes.
  ///
  /// Entries with these routes stay, also if they move. The other entries go, and missing routes are shown, each in its
  /// own style.
  func set<C: StackCoordinator>(_ routes: [C.Route], in coordinator: C, at node: Node, origin: Node?) throws {
    guard let first = routes.first else { throw NavigationError(.emptyStack) }
    target = .route(.route(routes.last ?? first), in: node)
    var wanted = keptEntries(for: routes, in: coordinator, at: node)
    // A route whose style is a new root leaves nothing below it.
    if let root = wanted.lastIndex(where: { route, entry in
      entry == nil && coordinator.destination(for: route).erased.style.kind == .root
    }) {
      wanted.removeFirst(root)
    }
    let kept = Set(wanted.compactMap { $1?.id })
    try dismissModals(notContaining: node, origin: origin, keeping: kept, ownedBy: node)
    let goes = Completion.Outcome.cancelled(wanted[0].entry === node.children.first ? .popped : .rootSwitched)
    for entry in node.children.dropFirst().reversed() where !kept.contains(entry.id) {
      try remove(entry, entry.modalStyle == nil ? goes : .cancelled(.superseded))
    }
    let oldRoot = node.children.first.flatMap { kept.contains($0.id) ? nil : $0 }
    if let oldRoot, wanted[0].entry != nil { try remove(oldRoot, .cancelled(.rootSwitched)) }
    let entries = try wanted.enumerated().map { position, item in
      if let entry = item.entry { return entry }
      var options = ShowOptions(origin: origin, keepsStack: true)
      if position == 0 { options.style = oldRoot == nil ? .push : .root }
      return try push(item.route, .route(item.route), in: coordinator, at: node, options)
    }
    order(entries, of: node)
  }

  /// Returns routes with the entries of a stack that already show them, each entry once and in its order.
  private func keptEntries<C: StackCoordinator>(
    for routes: [C.Route], in coordinator: C, at node: Node
  ) -> [(route: C.Route, entry: Node?)] {
    var leading = 0
    while leading < min(routes.count, node.children.count),
      let value = node.children[leading].routeValue, routes[leading].isEqual(toAny: value)
    { leading += 1 }
    var free: [C.Route: ArraySlice<Node>] = [:]
    for entry in node.children.dropFirst(leading) where entry.route?.place == nil {
      if let route = try? entry.resolvedRoute(as: C.Route.self) { free[route, default: []].append(entry) }
    }
    return routes.enumerated().map { position, route in
      if position < leading { return (route, node.children[position]) }
      guard let entry = free[route]?.first else { return (route, nil) }
      // The first entry of a stack has no style of its own, and an entry keeps its style.
      let fits =
        position == 0
        ? entry.style == .entry(.push)
        : entry.position > 0 || coordinator.destination(for: route).erased.style.kind == .push
      guard fits else { return (route, nil) }
      free[route]?.removeFirst()
      return (route, entry)
    }
  }

  /// Gives an entry of a stack another payload of the same case.
  ///
  /// - Parameters:
  ///   - route: the route with the new payload.
  ///   - coordinator: the stack's coordinator.
  ///   - node: the stack.
  ///   - entry: the entry; nil stands for the top one.
  ///   - isRecorded: whether the update can be undone on its own.
  func update<C: StackCoordinator>(
    _ route: C.Route, in coordinator: C, at node: Node, entry: Node?, isRecorded: Bool
  ) throws {
    let value = RouteValue.route(route)
    guard let entry = entry ?? node.children.last, entry.parent === node else {
      throw NavigationError(.notInStack(title: (entry ?? node).title))
    }
    let before = try entry.resolvedRoute(as: C.Route.self)
    guard before != route else { return }
    guard StoredRoute.caseName(of: before) == StoredRoute.caseName(of: route) else {
      throw NavigationError(.otherCase(route: "\(route)", before: "\(before)"))
    }
    target = .route(value, in: node)
    try askEntering(value, in: node, coordinator.guards(for: route))
    reroute(entry, StoredRoute(value))
    if !isRecorded { isHistoryStep = true }
  }

  /// Makes a matching entry the top of its stack: the first one from the root, or the last one.
  func focus<C: StackCoordinator>(
    at node: Node, origin: Node?, isLast: Bool, of coordinator: C.Type, _ wanted: @autoclosure () -> String,
    where matches: (Node) -> Bool
  ) throws -> Node {
    guard let entry = isLast ? node.children.last(where: matches) : node.children.first(where: matches) else {
      let path = node.children.compactMap { $0.routeValue?.description }.joined(separator: ", ")
      throw NavigationError(.unknownEntry(wanted: wanted(), coordinator: "\(C.self)", path: path))
    }
    target = .node(entry)
    try dismissModals(notContaining: entry.position == 0 ? node : entry, origin: origin)
    try remove(from: entry.position + 1, in: node, .cancelled(.popped))
    return entry
  }

  /// Removes and returns the top entry, pushed or modal; returns nil if there is only the first.
  func popLast(_ node: Node) throws -> Node? {
    guard node.children.count > 1, let top = node.children.last else { return nil }
    target = .node(node.children[node.children.count - 2])
    try remove(top, .cancelled(.popped))
    return top
  }

  /// Removes everything above the stack's first entry.
  func popToRoot(_ node: Node, origin: Node?) throws {
    if let first = node.children.first { target = .node(first) }
    try dismissModals(notContaining: node, origin: origin)
    try remove(from: 1, in: node, .cancelled(.popped))
  }

  /// Removes the modals over a node, because something below them navigates.
  ///
  /// - Parameters:
  ///   - node: the node that navigates.
  ///   - origin: the entry that made the request.
  ///   - entry: an entry that stays, with the modals that contain it, and the modals below it in its stack.
  ///   - kept: the entries that stay.
  ///   - stack: the stack whose own entries the caller removes.
  /// - Throws: `modalNotDismissible` if the user must answer a modal and the navigation does not come from it.
  func dismissModals(
    notContaining node: Node, origin: Node?, keepingBelow entry: Node? = nil, keeping kept: Set<NodeID> = [],
    ownedBy stack: Node? = nil
  ) throws {
    if Defect.keepsModalsOverNavigation.isSeeded { return }
    for modal in table.visibleModals.reversed() where !modal.contains(node) && !modal.isBelow(node) {
      if kept.contains(modal.id) { continue }
      if let entry, modal.contains(entry) || modal.isBelow(entry) { continue }
      if let style = modal.modalStyle, !style.isDismissible, !modal.contains(origin) {
        throw NavigationError(.modalInTheWay(title: modal.title))
      }
      if let stack, modal.parent === stack { continue }
      // The entries on top of the modal go with it.
      if let parent = modal.parent, parent.children.contains(where: { $0 === modal }) {
        try remove(from: modal.position, in: parent, .cancelled(.superseded))
      }
    }
  }

  /// Removes all modals over a flow.
  func dismissModals(over node: Node) throws {
    target = .node(node)
    // Modals that other modals hid become visible when those go.
    var before: Int
    repeat {
      before = steps.count
      try dismissModals(notContaining: node, origin: nil)
    } while steps.count > before
  }

  /// Removes an entry of a stack and everything above it.
  func removeEntry(_ entry: Node, _ outcome: Completion.Outcome) throws {
    guard let parent = entry.parent, parent.stack != nil else {
      throw NavigationError(.notInStack(title: entry.title))
    }
    guard entry.position > 0 else { throw NavigationError(.firstEntry(title: entry.title)) }
    target = .node(parent.children[entry.position - 1])
    try remove(from: entry.position + 1, in: parent, .cancelled(.popped))
    try remove(entry, outcome)
    if Defect.popsTooMuch.isSeeded { try remove(from: max(1, entry.position - 1), in: parent, outcome) }
  }

  /// Ends the flow of a node: removes the flow from its stack.
  ///
  /// - Parameters:
  ///   - node: the node with the flow.
  ///   - outcome: the outcome of the flow.
  ///   - asksItself: whether the flow's own leave guards run.
  func removeFlow(_ node: Node, _ outcome: Completion.Outcome, asksItself: Bool) throws {
    if !asksItself { endingFlow = node }
    defer { endingFlow = nil }
    let entry = node.flowEntry
    guard let parent = entry.parent else {
      if let note = maker.noteRootValue, case .finished(let value) = outcome {
        if asksGuards { try askLeaving(entry) }
        return deliveries.append((node.plugin, { note(value) }))
      }
      if let didEnd = maker.rootDidEnd {
        if asksGuards { try askLeaving(entry) }
        let ending = try HostedFlow.Ending(outcome)
        return deliveries.append((node.plugin, { try await didEnd(ending) }))
      }
      throw NavigationError(.isRoot(coordinator: node.coordinatorName ?? "The root"))
    }
    guard parent.stack != nil else { throw NavigationError(.isTab(title: entry.title)) }
    try removeEntry(entry, outcome)
  }

  /// Removes the modal that a node is in, or the one over the node, with everything above it.
  func dismiss(from node: Node, entry: Node?) throws {
    let inside = (entry ?? node).ancestry.first { $0.modalStyle != nil }
    guard let modal = inside ?? table.visibleModals.last(where: { modal in modal.parent.map(node.contains) ?? false })
    else { throw NavigationError(.notInModal(coordinator: node.coordinatorName ?? "This")) }
    try removeEntry(modal, .cancelled(.popped))
  }
}
