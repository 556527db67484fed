/// The plans that open the places of a session from anywhere.
extension Navigation {
  /// The place where the user is.
  var currentPlan: LinkPlan { table.visible.steps.plan() }

  /// Returns the plan that opens a node of the tree; nil if a stored route of it was not decoded yet.
  func plan(to node: Node) -> LinkPlan? {
    var plan = LinkPlan.root
    var nodes = Array(node.ancestry)
    nodes.reverse()
    for (flow, child) in zip(nodes, nodes.dropFirst()) {
      guard plan.open(child, in: flow) else { return nil }
    }
    return plan
  }

  /// Returns the plan that opens the top entry of a flow, or an entry without entries of its own.
  func plan(toTopOf node: Node) -> LinkPlan? {
    guard var plan = plan(to: node) else { return nil }
    guard node.stack != nil, let top = node.children.last(where: { !$0.isParked }) else { return plan }
    return plan.open(top, in: node) ? plan : nil
  }
}

extension LinkPlan {
  /// Adds the steps that open a child of a flow.
  ///
  /// - Returns: false if a stored route was not decoded yet.
  @MainActor fileprivate mutating func open(_ child: Node, in flow: Node) -> Bool {
    if case .flow(.tabs) = flow.phase { return add(child) }
    guard flow.stack != nil, child.position > 0 else { return true }
    for entry in flow.children[1...child.position] where !entry.isParked {
      guard add(entry) else { return false }
    }
    return true
  }

  /// Adds the step that opens a tab, or an entry above the first of a stack.
  ///
  /// - Returns: false if the node's stored route was not decoded yet.
  @MainActor mutating func add(_ node: Node) -> Bool {
    switch node.routeValue {
    case _ where node.style == .tab && node.registeredTab != nil:
      if let id = node.registeredTab { self = LinkPlan(tab: id) }
    case .route(let route): self = adding(.route(route))
    case .place(let place) where node.style != .tab: self = adding(.place(place))
    case .encoded: return false
    case .place, nil: break
    }
    return true
  }
}
