/// The guards that apply to an entry.
extension ContentMaker {
  /// Returns the guards for a route from its coordinator, or from the plugin that registered the place or tab.
  ///
  /// - Throws: ``LoadNeeded``.
  func ownGuards(of node: Node, _ route: RouteValue, in parent: Node) throws -> [NavigationGuard] {
    if case .place(let place) = route { return try guards(of: place.id) }
    guard case .flow(let kind) = parent.phase else { return [] }
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

  /// Returns the guards of a tab: its coordinator's, and those that its plugin registered.
  ///
  /// - Throws: ``LoadNeeded``.
  func tabGuards<C: TabCoordinator>(_ tab: Node, _ coordinator: C) throws -> [NavigationGuard] {
    var guards: [NavigationGuard] = []
    // The plugin's guards need the plugin, so it loads first. If it cannot load, the tab says so.
    if let id = tab.registeredTab, try registry.obtain(id.plugin) == nil, let registered = registry.tab(id) {
      guards = registered.guards(services.context(for: id.plugin))
    }
    guard let route = try? tab.resolvedRoute(as: C.Tab.self) else { return guards }
    return guards + coordinator.guards(for: route)
  }

  /// Runs the guards again for an entry that they refused.
  ///
  /// If the entry stands on another one that they refused, it runs the guards of that one.
  func reconsider(_ node: Node) {
    guard node.isRefused else { return }
    let kept = keptEntries(with: node)
    for above in kept.dropFirst() { unmake(above, .checkpoint) }
    let refused = kept.first ?? node
    refused.phase = .waiting(.file)
    table.markChanged(refused)
    if table.isVisible(refused) { activate(refused) }
    hooks.noteChange()
  }

  /// Keeps an entry that guards refused, with the entries above it, because changes in them are not saved.
  ///
  /// Each of them shows the reason until the guards allow the entry.
  func keep(_ node: Node, _ failure: Node.Failure) {
    var failure = failure
    failure.keepsChanges = true
    for entry in entries(from: node) {
      if entry !== node { unmake(entry, .checkpoint) }
      entry.phase = .failed(failure, entry === node ? .file : .checkpoint)
      table.markChanged(entry)
    }
    hooks.noteChange()
  }

  /// Discards the values of inputs of an entry that guards refused.
  func forgetInputs(of node: Node) {
    guard case .failed(var failure, let origin) = node.phase else { return }
    failure.keepsChanges = false
    node.phase = .failed(failure, origin)
    (node.values, node.elementStates) = ([:], [:])
    node.awaitStoredInputs()
    table.markChanged(node)
    hooks.noteChange()
  }

  /// Returns the entry that guards refused, and all above it; empty if no changes are kept.
  func keptEntries(with node: Node) -> ArraySlice<Node> {
    guard node.style != .tab else { return node.isKept ? [node] : [] }
    let siblings = node.parent?.children ?? []
    guard let first = siblings.first(where: \.isKept), first.position <= node.position else { return [] }
    return siblings[first.position...]
  }

  /// Returns whether an entry, or one above it, has unsaved changes.
  func hasUnsavedChanges(from node: Node) -> Bool {
    entries(from: node).contains { $0.subtree.contains { $0.screen?.unsaved.hasChanges ?? $0.isUnsaved } }
  }

  private func entries(from node: Node) -> ArraySlice<Node> {
    guard let parent = node.parent, node.style != .tab else { return [node] }
    return parent.children[node.position...]
  }

  /// Creates a tab's flow with its entries held back.
  ///
  /// Returns false if the tab is not a flow with entries.
  func makeHeldBack(_ tab: Node) -> Bool {
    tab.phase = .waiting(.checkpoint)
    holdsBackFirst = true
    activate(tab)
    holdsBackFirst = false
    if tab.stack == nil { unmake(tab, .file) }
    hooks.noteChange()
    return tab.stack != nil
  }

  /// Returns whether guards apply to a tab that is shown first, before any plan runs them.
  func isGuarded<C: TabCoordinator>(_ tab: Node, _ coordinator: C) -> Bool {
    if !registry.guards.isEmpty || !registry.unloadedGuards.isEmpty { return true }
    // The plugin is not loaded before its tab is shown, just to learn that the tab has no guards.
    if let id = tab.registeredTab, registry.hasGuards(id) { return true }
    return (try? tabGuards(tab, coordinator))?.isEmpty == false
  }

  /// Notes entries that a crash recovery restored, which show without running their guards.
  ///
  /// From then on, the guards' values are followed. Otherwise, a sign-out would go unnoticed.
  func noteRestored(_ nodes: [Node]) {
    let guarded = nodes.filter { node in
      node.mayBeDoubted && (try? applicationGuards() + admissionGuards(of: node))?.isEmpty == false
    }
    guard !guarded.isEmpty else { return }
    unfollowed += guarded
    hooks.isRestored()
  }

  /// Returns the guards of a place of another feature.
  ///
  /// - Throws: ``LoadNeeded``.
  func guards(of place: ContributionID) throws -> [NavigationGuard] {
    if registry.places[place] == nil { _ = try registry.obtain(place.plugin) }
    guard let registration = registry.places[place] else { return [] }
    return registration.guards(services.context(for: registration.plugin))
  }

  /// Returns the guards of the whole application, in their order.
  ///
  /// - Throws: ``LoadNeeded`` while a plugin that has one is being loaded.
  func applicationGuards() throws -> [NavigationGuard] {
    if !registry.unloadedGuards.isEmpty { try registry.obtainGuards() }
    return registry.guards.isEmpty ? [] : registry.guards.map { $0.make(services.context(for: $0.plugin)) }
  }

  /// Holds back an entry from a file until its guards answer; returns false if it has no guards.
  func holdBack(_ node: Node) -> Bool {
    // Guards run for an absent plugin's entry once the plugin is there.
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

  /// Returns the guards for an entry from a file, without those of the application.
  ///
  /// - Throws: ``LoadNeeded``.
  func admissionGuards(of node: Node) throws -> [NavigationGuard] {
    guard let parent = node.parent else { return [] }
    var guards: [NavigationGuard] = []
    // The tab's guards also apply to the entries of its stack.
    if parent.style == .tab, parent.stack != nil, case .flow(.tabs(let tabs))? = parent.parent?.phase {
      guards = try tabGuards(parent, tabs)
    }
    if let route = node.routeValue { return try guards + ownGuards(of: node, route, in: parent) }
    if case .flow(.wrapper(let wrapper)) = parent.phase { return wrapper.guards }
    return []
  }
}
