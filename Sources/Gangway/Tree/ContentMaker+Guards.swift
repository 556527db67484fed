/// Which guards stand before an entry.
extension ContentMaker {
  /// The guards that a route's coordinator, or the plugin that registered the place or tab, declares for it.
  ///
  /// - Throws: ``LoadNeeded``.
  func ownGuards(of node: Node, _ route: RouteValue, in parent: Node) throws -> [NavigationGuard] {
    if case .place(let place) = route { return try guards(of: place.id) }
    guard case .flow(_, let kind) = parent.phase else { return [] }
    switch kind {
    case .stack(let stack): return try routeGuards(of: node, stack)
    case .tabs(let tabs): return try tabGuards(node, tabs)
    case .wrapper(let wrapper): return wrapper.guards
    }
  }

  private func routeGuards<C: StackCoordinator>(of node: Node, _ coordinator: C) throws -> [NavigationGuard] {
    guard let route = try? node.resolvedRoute(as: C.Route.self) else { return [] }
    var guards = coordinator.guards(for: route)
    if case .place(let id, _) = coordinator.destination(for: route).erased.target {
      guards += try self.guards(of: id)
    }
    return guards
  }

  /// The guards of a tab: its coordinator's, and those that its plugin registered.
  ///
  /// - Throws: ``LoadNeeded``.
  func tabGuards<C: TabCoordinator>(_ tab: Node, _ coordinator: C) throws -> [NavigationGuard] {
    var guards: [NavigationGuard] = []
    // The plugin's guards are asked, so it is here first; where it cannot be had, its tab says so.
    if let id = tab.registeredTab, try registry.obtain(id.plugin) == nil, let registered = registry.tab(id) {
      guards = registered.guards(services.context(for: id.plugin))
    }
    guard let route = try? tab.resolvedRoute(as: C.Tab.self) else { return guards }
    return guards + coordinator.guards(for: route)
  }

  /// Puts what guards did not let in before them once more.
  func reconsider(_ node: Node) {
    guard node.isRefused else { return }
    node.phase = .waiting(.file)
    table.markChanged(node)
    if table.isVisible(node) { activate(node) }
    hooks.noteChange()
  }

  /// Makes a tab's flow, with its entries held back; false where it is none that has entries.
  func makeHeldBack(_ tab: Node) -> Bool {
    tab.phase = .waiting(.checkpoint)
    holdsBackFirst = true
    activate(tab)
    holdsBackFirst = false
    if tab.stack == nil { unmake(tab, .file) }
    hooks.noteChange()
    return tab.stack != nil
  }

  /// Whether a tab that is seen first, without a plan that asks, stands behind guards.
  func isGuarded<C: TabCoordinator>(_ tab: Node, _ coordinator: C) -> Bool {
    if !registry.guards.isEmpty || !registry.unloadedGuards.isEmpty { return true }
    // To learn that a tab has none, its plugin is not loaded before it is shown.
    if let id = tab.registeredTab, registry.hasGuards(id) { return true }
    return (try? tabGuards(tab, coordinator))?.isEmpty == false
  }

  /// Notes entries that came back after a crash: nobody is asked before they are seen. What their guards read is followed from
  /// then on, or nobody would hear of a sign-out any more.
  func noteRestored(_ nodes: [Node]) {
    let guarded = nodes.filter { node in
      node.mayBeDoubted && (try? applicationGuards() + admissionGuards(of: node))?.isEmpty == false
    }
    guard !guarded.isEmpty else { return }
    unfollowed += guarded
    hooks.isRestored()
  }

  /// The guards of a place of another feature.
  ///
  /// - Throws: ``LoadNeeded``.
  func guards(of place: ContributionID) throws -> [NavigationGuard] {
    if registry.places[place] == nil { _ = try registry.obtain(place.plugin) }
    guard let registration = registry.places[place] else { return [] }
    return registration.guards(services.context(for: registration.plugin))
  }

  /// The guards of the whole application, in their order.
  ///
  /// - Throws: ``LoadNeeded`` while a plugin that has one is being loaded.
  func applicationGuards() throws -> [NavigationGuard] {
    if !registry.unloadedGuards.isEmpty { try registry.obtainGuards() }
    return registry.guards.isEmpty ? [] : registry.guards.map { $0.make(services.context(for: $0.plugin)) }
  }

  /// Keeps an entry from a file from being made until its guards have answered; false where nobody is to be asked.
  func holdBack(_ node: Node) -> Bool {
    // What is not there is asked about when it is.
    if let plugin = node.plugin, registry.absence(of: plugin) != nil { return false }
    let isAsked: Bool
    do {
      isAsked = try !applicationGuards().isEmpty || !admissionGuards(of: node).isEmpty
    } catch {
      isAsked = true
    }
    guard isAsked, node.parent != nil else {
      node.phase = .waiting(.checkpoint)
      table.markChanged(node)
      return false
    }
    node.phase = .asking
    unadmitted.append(node)
    hooks.isHeldBack()
    return true
  }

  /// The guards of its own that an entry from a file is put before.
  ///
  /// - Throws: ``LoadNeeded``.
  func admissionGuards(of node: Node) throws -> [NavigationGuard] {
    guard let parent = node.parent else { return [] }
    var guards: [NavigationGuard] = []
    // What stands in a tab's stack is let in by the tab's guards, too.
    if parent.style == .tab, parent.stack != nil, case .flow(_, .tabs(let tabs))? = parent.parent?.phase {
      guards = try tabGuards(parent, tabs)
    }
    if let route = node.routeValue { return try guards + ownGuards(of: node, route, in: parent) }
    if case .flow(_, .wrapper(let wrapper)) = parent.phase { return wrapper.guards }
    return []
  }
}
