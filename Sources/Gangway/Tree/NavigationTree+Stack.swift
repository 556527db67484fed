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
  }

  /// Shows a route in a stack and returns its entry, which may be one that was there.
  func show<C: StackCoordinator>(
    _ route: C.Route, in coordinator: C, at node: Node, _ options: ShowOptions, _ transaction: inout Transaction
  ) throws -> Node {
    try dismissModals(notContaining: node, origin: options.origin, &transaction)
    switch route.onRepeat {
    case .push: break
    case .reuseTop:
      if let top = node.children.last, let value = top.route?.value, route.isRepeat(ofAny: value) { return top }
    case .replaceTop:
      if node.children.count > 1, let top = node.children.last, let value = top.route?.value,
        route.isRepeat(ofAny: value)
      {
        transaction.remove(top, .cancelled(.replaced))
      }
    case .popTo:
      if let index = node.children.lastIndex(where: { $0.route.map { route.isRepeat(ofAny: $0.value) } ?? false }) {
        transaction.remove(from: index + 1, in: node, .cancelled(.popped))
        return node.children[index]
      }
    }
    let destination = coordinator.destination(for: route)
    return try insert(StoredRoute(.route(route)), destination, at: node, options, &transaction)
  }

  /// Shows a place of another feature in a stack and returns its entry.
  func show(_ place: Place, at node: Node, _ options: ShowOptions, _ transaction: inout Transaction) throws -> Node {
    if let reason = registry.unavailability(of: place.id) {
      throw NavigationError(
        .unknownPlace,
        "\(place.id) cannot be shown: \(reason). Load the plugin that registers it, or ask "
          + "router.unavailability(of: \"\(place.id)\") before offering it.")
    }
    try dismissModals(notContaining: node, origin: options.origin, &transaction)
    let destination = Destination(.push, .place(id: place.id) { place })
    return try insert(StoredRoute(.place(place)), destination, at: node, options, &transaction)
  }

  private func insert(
    _ route: StoredRoute, _ destination: Destination, at parent: Node, _ options: ShowOptions,
    _ transaction: inout Transaction
  ) throws -> Node {
    let style = options.style ?? destination.style
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
    if style.kind == .root {
      if !options.keepsStack { transaction.remove(from: 1, in: parent, .cancelled(.rootSwitched)) }
      if let first = parent.children.first { transaction.replace(first, by: node, .cancelled(.rootSwitched)) }
    } else {
      transaction.insert(node, into: parent)
    }
    return node
  }

  /// Removes the visible modals that stand over a node, because something below them navigates.
  ///
  /// - Throws: `modalNotDismissible` when one of them must be answered and the navigation does not come from it.
  func dismissModals(notContaining node: Node, origin: Node?, _ transaction: inout Transaction) throws {
    for modal in visibleModals where !modal.contains(node) {
      if let style = modal.modalStyle, !style.isDismissible, !modal.contains(origin) {
        throw NavigationError(
          .modalNotDismissible, "'\(modal.title)' is open and must be answered first; it cannot be dismissed.")
      }
      if modal.parent?.children.contains(where: { $0 === modal }) == true {
        transaction.remove(modal, .cancelled(.superseded))
      }
    }
  }

  /// The visible modals, the lowest first.
  var visibleModals: [Node] {
    var modals: [Node] = []
    var node: Node? = root
    while let current = node {
      if current.modalStyle != nil { modals.append(current) }
      node = current.topChild
    }
    return modals
  }

  /// Removes an entry of a stack and everything above it.
  func remove(_ entry: Node, _ outcome: Completion.Outcome, _ transaction: inout Transaction) throws {
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
    transaction.remove(from: entry.position + 1, in: parent, .cancelled(.popped))
    transaction.remove(entry, outcome)
  }

  /// The entry that stands for a flow in its parent's stack: its own node, or that of the wrappers around it.
  func flowEntry(of node: Node) -> Node {
    var entry = node
    while let parent = entry.parent, case .flow(_, .wrapper) = parent.content { entry = parent }
    return entry
  }

  /// Removes the flow that a node holds from the stack it is in.
  func removeFlow(_ node: Node, _ outcome: Completion.Outcome, _ transaction: inout Transaction) throws {
    let entry = flowEntry(of: node)
    guard let parent = entry.parent else {
      throw NavigationError(.noParent, "'\(node.coordinatorName ?? "The root")' is the root: nothing contains it.")
    }
    guard parent.stack != nil else {
      throw NavigationError(.noParent, "'\(entry.title)' is a tab, which is not dismissed: select another tab instead.")
    }
    try remove(entry, outcome, &transaction)
  }
}
