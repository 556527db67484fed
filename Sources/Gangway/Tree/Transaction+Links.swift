/// The navigation to the places of links.
extension Transaction {
  /// Opens the place of a link.
  func open(_ plan: LinkPlan) throws {
    var walk = LinkWalk(self, startsHere: plan.startsHere)
    for step in plan.steps { try walk.take(step) }
    try walk.finish()
  }
}

/// A walk along the steps of a link, which keeps existing entries and shows missing ones.
@MainActor private struct LinkWalk {
  private let transaction: Transaction
  private var table: NodeTable { transaction.table }
  /// The stacks on the way, each with the index of its next entry.
  private var stacks: [(node: Node, next: Int)] = []
  /// The node of the last step.
  private var current: Node

  init(_ transaction: Transaction, startsHere: Bool) {
    self.transaction = transaction
    current = transaction.table.root
    if !startsHere {
      enter(current)
    } else if let top = transaction.table.visibleStack {
      stacks = [(top, top.children.count)]
    }
  }

  /// Notes the stack in a node, if there is one, as the owner of the next route.
  private mutating func enter(_ node: Node) {
    current = node
    guard case .flow(let kind) = node.phase else { return }
    switch kind {
    case .stack: stacks.append((node, 0))
    case .wrapper: if let inner = node.children.first { enter(inner) }
    case .tabs: break
    }
  }

  mutating func take(_ step: LinkPlan.Step) throws {
    switch step {
    case .tab(let id): try select(id)
    case .anyTab(let ids):
      // The tab that the user is in; otherwise the first on the bar.
      let offered = ids.filter { table.registeredTab($0)?.isParked == false }
      let current = offered.first { table.registeredTab($0).map(table.isVisible) == true }
      guard let id = current ?? offered.first ?? ids.first else { return }
      try select(id)
    case .route(let route): try show(route)
    case .place(let place):
      try advance(.place(place)) { [transaction] node in
        guard let entry = try transaction.apply(.show(target: .place(place), style: nil), at: node) else { return node }
        return entry
      }
    }
  }

  private mutating func select(_ id: ContributionID) throws {
    guard let tab = table.registeredTab(id) else {
      throw NavigationError(
        .linkTabMissing(tab: id, reason: transaction.maker.registry.unavailability(ofPlugin: id.plugin)))
    }
    try requireAdmitted(tab)
    if let first = tab.children.first { try requireAdmitted(first) }
    try selectTabs(around: tab)
    stacks = []
    enter(tab)
  }

  /// Selects a tab and the tabs that it is in, the outermost first.
  private func selectTabs(around node: Node) throws {
    if let parent = node.parent { try selectTabs(around: parent) }
    if case .tab = node.style { try transaction.apply(.select(tab: .node(node)), at: node) }
  }

  /// Checks that a link does not bypass guards.
  ///
  /// While guards run, their redirect, such as a sign-in, is on screen. The link would remove it, or land on an entry
  /// that no guard has admitted. The planner runs guards that refused again.
  private func requireAdmitted(_ node: Node) throws {
    guard node.isBehindGuards, let reason = node.problem else { return }
    throw NavigationError(.linkThrough(title: node.title, reason: reason, cause: node.cause ?? reason, node: node.id))
  }

  private mutating func show(_ route: any NavigationRoute) throws {
    if case .flow(.tabs) = current.phase, let tab = current.tab(route) {
      try transaction.apply(.select(tab: .node(tab)), at: tab)
      return enter(tab)
    }
    if let reason = current.problem {
      throw NavigationError(
        .linkThrough(title: current.title, reason: reason, cause: current.cause ?? reason, node: current.id))
    }
    // The innermost stack that has such routes. Stacks inside it return to their first entry.
    while let (node, _) = stacks.last {
      if let stack = node.stack, try show(route, in: stack) { return }
      try closeLast()
    }
    throw NavigationError(.linkHasNoStack(route: "\(route)"))
  }

  private mutating func show<C: StackCoordinator>(_ route: any NavigationRoute, in coordinator: C) throws -> Bool {
    guard let own = route as? C.Route else { return false }
    let value = RouteValue.route(own)
    try advance(value) { [transaction] node in
      transaction.perform(.show(target: value, style: nil))
      transaction.target = .route(value, in: node)
      try transaction.dismissModals(notContaining: node, origin: nil)
      return try transaction.push(own, value, in: coordinator, at: node, .init())
    }
    return true
  }

  /// Moves to the next entry of the innermost stack: the existing one if it matches, or a new one.
  private mutating func advance(_ wanted: RouteValue, push: (Node) throws -> Node) throws {
    guard let (node, next) = stacks.last else {
      throw NavigationError(.linkHasNoStack(route: wanted.description))
    }
    // The steps before have checked the entries below.
    if let first = node.children.first { try requireAdmitted(first) }
    if next > 1, next <= node.children.count { try requireAdmitted(node.children[next - 1]) }
    if next < node.children.count, let value = node.children[next].routeValue, Self.isSame(value, wanted) {
      try requireAdmitted(node.children[next])
      stacks[stacks.count - 1].next = next + 1
      try transaction.dismissModals(notContaining: node.children[next], origin: nil)
      return enter(node.children[next])
    }
    if next == 0 {
      stacks[stacks.count - 1].next = 1
      return try advance(wanted, push: push)
    }
    try transaction.remove(from: next, in: node, .cancelled(.popped))
    let entry = try push(node)
    stacks[stacks.count - 1].next = node.children.count
    enter(entry)
  }

  private static func isSame(_ value: RouteValue, _ wanted: RouteValue) -> Bool {
    switch (value, wanted) {
    case (.route, .route(let route)): route.isEqual(toAny: value)
    case (.place(let first), .place(let second)): first.id == second.id && first.payload == second.payload
    default: false
    }
  }

  /// Removes the entries of the innermost stack above the last step.
  private mutating func closeLast() throws {
    guard let (node, next) = stacks.popLast() else { return }
    transaction.target = .node(node)
    try transaction.remove(from: max(1, next), in: node, .cancelled(.popped))
  }

  mutating func finish() throws {
    try transaction.dismissModals(notContaining: current, origin: nil)
    while !stacks.isEmpty { try closeLast() }
  }
}
