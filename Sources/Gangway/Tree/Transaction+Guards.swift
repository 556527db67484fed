@_spi(FrontEnd) import GangwayProtocol

/// A question to a guard that stands between a plan and its commit.
///
/// A commit throws it and is undone. The plan is then tried again with the answer.
struct GuardQuestion: Error {
  let `guard`: NavigationGuard
  /// The request; its `leaving` is set after the commit is undone, unless a leave guard is asked.
  var request: NavigationRequest
  /// The key of the question, which is the same in the next try.
  let key: String
  /// The stack over which a redirect would be shown.
  let anchor: Node?
}

/// Questions to guards while a plan is tried.
extension Transaction {
  /// Runs the leave guards of an entry and everything in it, from the top down.
  func askLeaving(_ node: Node) throws {
    for child in node.children.reversed() { try askLeaving(child) }
    guard let leaveGuard = node.leaveGuard else { return }
    // A flow that ends runs neither its own leave guard nor those of its screens.
    if case .screen = node.phase, let flow = node.parent, flow === endingFlow { return }
    if node === endingFlow { return }
    try ask(leaveGuard, leaving: node)
  }

  private func ask(_ leaveGuard: NavigationGuard, leaving node: Node) throws {
    let key = "leave \(leaveGuard.name) \(node.id)"
    if allowed.contains(key) { return }
    let location: Location
    switch target {
    case .route(let route, let parent): location = Location(of: route, in: parent)
    case .node(let node): location = Location(of: node)
    case .unknown: location = Location(of: table.root)
    }
    throw GuardQuestion(
      guard: leaveGuard,
      request: NavigationRequest(source: source, target: location, leaving: Location(of: node)),
      key: key, anchor: nil)
  }

  /// Runs the guards of a route before any code of its destination runs.
  func askEntering(
    _ route: RouteValue, in parent: Node, _ own: @autoclosure () throws -> [NavigationGuard], plugin: PluginID? = nil
  ) throws {
    let application = try maker.applicationGuards()
    let own = try own()
    if own.isEmpty, application.isEmpty { return }
    try ask(application + own, key: "\(parent.id) \(route.description)", anchor: parent) {
      Location(of: route, in: parent, plugin: plugin)
    }
  }

  /// Runs guards that are known only after a node was made.
  func askEntering(_ guards: [NavigationGuard], made node: Node) throws {
    try ask(guards, key: "\(node.parent?.id ?? 0) \(node.route?.description ?? "") inside", anchor: node.parent) {
      Location(of: node)
    }
  }

  func ask(
    _ guards: [NavigationGuard], key: String, anchor: Node?, _ target: () -> Location
  ) throws {
    for (index, each) in guards.enumerated() {
      let key = "enter \(index) \(each.name) \(key)"
      if allowed.contains(key) { continue }
      throw GuardQuestion(
        guard: each, request: NavigationRequest(source: source, target: target(), leaving: nil), key: key,
        anchor: anchor)
    }
  }
}

extension Node {
  /// Whether the node may have a leave guard, now or later, as long as its content is the same.
  var mayHaveLeaveGuard: Bool {
    switch phase {
    case .screen(let screen): screen.mayHaveLeaveGuard
    case .flow(let kind): MissingLeaveGuard.mayBeSet(type(of: kind.coordinator)) { kind.coordinator.leaveGuard }
    case .hosted: true
    case .failed(let failure, _): failure.keepsChanges && isUnsaved
    case .waiting, .asking, .loading, .absent: false
    }
  }

  /// The guard that runs before the node goes; nil if there is none.
  var leaveGuard: NavigationGuard? {
    switch phase {
    case .screen(let screen): screen.leaveGuard
    case .flow(let kind): kind.coordinator.leaveGuard
    case .hosted(let flow): flow.leaveGuard
    case .failed(let failure, _) where failure.keepsChanges && isUnsaved: UnsavedForms.refusal(title)
    case .waiting, .asking, .failed, .loading, .absent: nil
    }
  }
}

/// The names of places in the tree, for guards, history and errors.
extension Location {
  @MainActor init(of node: Node) {
    guard let parent = node.parent, let route = node.routeValue else {
      self.init(plugin: node.plugin, coordinator: node.coordinatorName, route: nil, place: nil, title: node.title)
      return
    }
    self.init(of: route, in: parent, plugin: node.plugin, title: node.title)
  }

  @MainActor init(of route: RouteValue, in parent: Node, plugin: PluginID? = nil, title: String? = nil) {
    var typed: (any NavigationRoute)?
    var place: Place?
    switch route {
    case .route(let value): typed = value
    case .place(let value): place = value
    case .encoded: break
    }
    self.init(
      plugin: plugin ?? place?.id.plugin ?? parent.plugin, coordinator: parent.coordinatorName, route: typed,
      place: place, title: title ?? StoredRoute.title(of: route))
  }
}
