import GangwayProtocol

/// Opening links, and naming where a person is as one.
extension NavigationTree {
  /// Opens a URL: all steps of its plan are one transaction.
  func open(_ url: String, _ intent: Intent) async throws {
    // Where it leads is known when the plugin that registered it is here.
    if let plugin = try registry.links.unloadedPlugin(for: url) { try await fetch(plugin, intent) }
    guard let link = try registry.links.resolve(url) else { throw registry.links.unmatched(url) }
    try await open(link.plan, intent, stored: { StoredIntent(url: url) })
  }

  func open(_ plan: LinkPlan, _ intent: Intent, stored: () -> StoredIntent? = { nil }) async throws {
    try await carryOut(intent, stored: stored) { transaction in
      var walk = LinkWalk(self, transaction, startsHere: plan.startsHere)
      for step in plan.steps { try walk.take(step) }
      try walk.finish()
    }
  }

  /// The node of a registered tab, wherever it stands in the tree.
  func registeredTab(_ id: String) -> Node? {
    for flow in tabFlows.values {
      if let tab = flow.children.first(where: { $0.registeredTab == id && !$0.isParked }) { return tab }
    }
    return nil
  }

  /// Where the person is, as a plan that leads there from anywhere.
  var currentPlan: LinkPlan {
    var plan = LinkPlan.root
    describe(root, &plan)
    return plan
  }

  private func describe(_ node: Node, _ plan: inout LinkPlan) {
    guard case .flow(_, let kind) = node.content else { return }
    switch kind {
    case .tabs:
      guard let tab = node.selection else { return }
      if let id = tab.registeredTab {
        plan = LinkPlan(tab: id)
      } else if case .route(let route)? = tab.routeValue {
        plan = plan.adding(.route(route))
      }
      describe(tab, &plan)
    case .stack:
      for (index, child) in node.children.enumerated() {
        if index > 0 {
          switch child.routeValue {
          case .route(let route): plan = plan.adding(.route(route))
          case .place(let place): plan = plan.adding(.place(place))
          case .encoded, nil: break
          }
        }
        describe(child, &plan)
      }
    case .wrapper: node.children.first.map { describe($0, &plan) }
    }
  }
}

/// Goes along the steps of a link: keeps what is there already, shows what is not.
@MainActor private struct LinkWalk {
  private let tree: NavigationTree
  private let transaction: Transaction
  /// The stacks it goes through, each with the index of the entry that comes next.
  private var stacks: [(node: Node, next: Int)] = []
  /// What the last step led to.
  private var current: Node

  init(_ tree: NavigationTree, _ transaction: Transaction, startsHere: Bool) {
    self.tree = tree
    self.transaction = transaction
    current = tree.root
    if !startsHere {
      enter(tree.root)
      return
    }
    var top: Node?
    for node in sequence(first: tree.root, next: { $0.topChild }) where node.stack != nil { top = node }
    if let top { stacks = [(top, top.children.count)] }
  }

  /// Notes the stack in a node, if there is one, as what the next route belongs to.
  private mutating func enter(_ node: Node) {
    current = node
    if node.stack != nil { stacks.append((node, 0)) }
    if case .flow(_, .wrapper) = node.content, let inner = node.children.first { enter(inner) }
  }

  mutating func take(_ step: LinkPlan.Step) throws {
    switch step {
    case .tab(let id): try select(id)
    case .route(let route): try show(route)
    case .place(let place):
      try advance(.place(place)) { [tree, transaction] node in
        try tree.show(place, at: node, .init(), transaction)
      }
    }
  }

  private mutating func select(_ id: String) throws {
    guard let tab = tree.registeredTab(id) else {
      throw NavigationError(
        .unknownTab,
        "The link leads to the tab \(id), which is not on the bar now"
          + (tree.registry.unavailability(ofPlugin: String(id.prefix { $0 != "." })).map { ": \($0)." } ?? "."))
    }
    for node in tab.ancestry.reversed() where node.style == .tab {
      transaction.perform(.select(node))
      try tree.select(node, origin: nil, transaction)
    }
    stacks = []
    enter(tab)
  }

  private mutating func show(_ route: any NavigationRoute) throws {
    if case .flow(_, .tabs) = current.content, let tab = current.tab(route) {
      transaction.perform(.select(tab))
      try tree.select(tab, origin: nil, transaction)
      return enter(tab)
    }
    if let reason = current.problem {
      throw NavigationError(
        .makingFailed, "The link leads through '\(current.title)', which cannot be shown: \(reason)")
    }
    // The innermost stack that has such routes; those within it are left as they begin.
    while let (node, _) = stacks.last {
      if let stack = node.stack, try show(route, in: stack) { return }
      try closeLast()
    }
    throw NavigationError(
      .foreignRoute, "The link leads to \(route), and no stack on its way has such a route.")
  }

  private mutating func show<C: StackCoordinator>(_ route: any NavigationRoute, in coordinator: C) throws -> Bool {
    guard let own = route as? C.Route else { return false }
    let value = RouteValue.route(own)
    try advance(value) { [tree, transaction] node in
      transaction.perform(.show(value))
      transaction.target = .route(value, in: node)
      try tree.dismissModals(notContaining: node, origin: nil, transaction)
      return try tree.push(own, value, in: coordinator, at: node, .init(), transaction)
    }
    return true
  }

  /// Goes on to the next entry of the innermost stack: the one there, if it is the one wanted, or a new one.
  private mutating func advance(_ wanted: RouteValue, push: (Node) throws -> Node) throws {
    guard let (node, next) = stacks.last else {
      throw NavigationError(
        .foreignRoute, "The link leads to \(wanted.description), and there is no stack to show it in.")
    }
    if next < node.children.count, let value = node.children[next].routeValue, Self.isSame(value, wanted) {
      stacks[stacks.count - 1].next = next + 1
      try tree.dismissModals(notContaining: node.children[next], origin: nil, transaction)
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

  /// Removes what stands in the innermost stack above the last step.
  private mutating func closeLast() throws {
    guard let (node, next) = stacks.popLast() else { return }
    transaction.target = .node(node)
    try transaction.remove(from: max(1, next), in: node, .cancelled(.popped))
  }

  mutating func finish() throws {
    try tree.dismissModals(notContaining: current, origin: nil, transaction)
    while !stacks.isEmpty { try closeLast() }
  }
}
