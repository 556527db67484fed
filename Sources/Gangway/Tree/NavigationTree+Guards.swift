import GangwayProtocol

/// A question of a guard that stands between a plan and its commit. Thrown out of the commit, which is undone; the
/// plan is then tried again with the answer.
struct GuardQuestion: Error {
  let `guard`: NavigationGuard
  let request: NavigationRequest
  /// The same question in the next try has the same key.
  let key: String
  /// The stack over which a redirect would be shown.
  let anchor: Node?
}

/// Asking guards while a plan is tried.
extension NavigationTree {
  /// Asks whether an entry and all in it may go, what is on top first.
  func askLeaving(_ node: Node, _ transaction: Transaction) throws {
    for child in node.children.reversed() { try askLeaving(child, transaction) }
    switch node.content {
    case .screen(let screen):
      guard let leaveGuard = screen.leaveGuard else { return }
      if let flow = node.parent, flow === transaction.endingFlow { return }
      try ask(leaveGuard, leaving: node, transaction)
    case .flow(let coordinator, _):
      guard let leaveGuard = coordinator.leaveGuard, node !== transaction.endingFlow else { return }
      try ask(leaveGuard, leaving: node, transaction)
    case .dormant, .placeholder, .loading, .absent: return
    }
  }

  private func ask(_ leaveGuard: NavigationGuard, leaving node: Node, _ transaction: Transaction) throws {
    let key = "leave \(leaveGuard.name) \(node.id)"
    if transaction.allowed.contains(key) { return }
    let target: Location
    switch transaction.target {
    case .route(let route, let parent): target = location(of: route, in: parent)
    case .node(let node): target = location(of: node)
    case .unknown: target = location(of: root)
    }
    throw GuardQuestion(
      guard: leaveGuard,
      request: NavigationRequest(source: transaction.source, target: target, leaving: location(of: node)),
      key: key, anchor: nil)
  }

  /// Asks whether something may be shown in a node, before any of its code runs.
  func askEntering(
    _ route: RouteValue, in parent: Node, _ own: [NavigationGuard], plugin: String? = nil, _ transaction: Transaction
  ) throws {
    if !registry.unloadedGuards.isEmpty { try registry.obtainGuards() }
    if own.isEmpty, registry.guards.isEmpty { return }
    try askEntering(own, key: "\(parent.id) \(route.description)", anchor: parent, transaction) {
      location(of: route, in: parent, plugin: plugin)
    }
  }

  func askEntering(
    _ own: [NavigationGuard], key: String, anchor: Node?, _ transaction: Transaction, _ target: () -> Location
  ) throws {
    for (index, each) in (registry.guards.map(\.guard) + own).enumerated() {
      let key = "enter \(index) \(each.name) \(key)"
      if transaction.allowed.contains(key) { continue }
      throw GuardQuestion(
        guard: each, request: NavigationRequest(source: transaction.source, target: target(), leaving: nil), key: key,
        anchor: anchor)
    }
  }

  /// The guards of a place of another feature.
  ///
  /// - Throws: ``LoadNeeded``.
  func guards(of place: String) throws -> [NavigationGuard] {
    if let registration = registry.places[place] { return registration.guards }
    _ = try registry.obtain(String(place.prefix { $0 != "." }))
    return registry.places[place]?.guards ?? []
  }

  // MARK: Naming

  func location(of node: Node) -> Location {
    guard let parent = node.parent, let route = node.routeValue else {
      return Location(
        plugin: node.plugin, coordinator: node.coordinatorName, route: nil, place: nil, title: node.title)
    }
    return location(of: route, in: parent, plugin: node.plugin, title: node.title)
  }

  func location(of route: RouteValue, in parent: Node, plugin: String? = nil, title: String? = nil) -> Location {
    var typed: (any NavigationRoute)?
    var place: Place?
    switch route {
    case .route(let value): typed = value
    case .place(let value): place = value
    case .encoded: break
    }
    let plugin = plugin ?? place.map { String($0.id.prefix { $0 != "." }) } ?? parent.plugin
    return Location(
      plugin: plugin, coordinator: parent.coordinatorName, route: typed, place: place,
      title: title ?? StoredRoute.title(of: route))
  }
}
