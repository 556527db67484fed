import GangwayProtocol

/// Making what a node shows, for a new entry as for one from a checkpoint.
extension NavigationTree {
  /// How deep coordinators may be nested: beyond it, a flow contains itself.
  static let maximumDepth = 100

  /// Makes the root's coordinator and what is visible below it.
  func start() throws {
    do {
      try attach(failing(root, makeRoot), to: root)
    } catch let need as LoadNeeded {
      root.content = .loading(plugin: need.load.plugin)
      awaitLoad(need.load)
    }
  }

  /// Makes what a node shows, if that has not been done. What fails shows its reason in the node's place.
  func activate(_ node: Node) {
    guard case .dormant = node.content else { return }
    let wasRestored = node.isRestored
    if node.isRestored {
      if !node.isAdmitted, holdBack(node) { return }
      willRestore(node)
    }
    node.isRestored = false
    do {
      try make(node, destination(of: node))
    } catch let need as LoadNeeded {
      // Made again when the plugin is here, as what it was.
      node.isRestored = wasRestored
      node.content = .loading(plugin: need.load.plugin)
      awaitLoad(need.load)
    } catch {
      node.content = .placeholder("\(error)")
    }
  }

  /// Makes what a person sees of a stack from a checkpoint: the entry on top, what shows through below a modal, and
  /// flows, whose entries are part of the path. Screens that are covered are made when they are shown.
  private func activateVisible(in stack: Node) {
    var isCovered = false
    for child in stack.children.reversed() {
      let isFlow = child.coordinatorName != nil || !child.children.isEmpty
      // What no guard was asked about is asked about now: its title stands in the path.
      if !isCovered || isFlow || !child.isAdmitted { activate(child) }
      if child.modalStyle == nil { isCovered = true }
    }
  }

  /// Makes what came to light since the last time.
  func activateVisible() {
    for node in sequence(first: root, next: { $0.topChild }) where node.stack != nil {
      if let top = node.children.last, top.isRestored || top.modalStyle != nil { activateVisible(in: node) }
    }
  }

  /// Makes what an entry from a checkpoint holds, hidden tabs too, before it goes: their flows hear of their end.
  func rouse(_ node: Node) {
    activate(node)
    for child in node.children where child.isRestored { rouse(child) }
  }

  /// Where a node leads, as its parent's coordinator says.
  func destination(of node: Node) throws -> Destination {
    guard let parent = node.parent, case .flow(_, let kind) = parent.content else {
      return Destination(.push, .flow(makeRoot))
    }
    if let place = node.route?.place { return Destination(.push, .place(id: place.id) { place }) }
    switch kind {
    case .stack(let coordinator): return try stackDestination(node, coordinator)
    case .tabs(let coordinator): return try tabDestination(node, coordinator)
    case .wrapper(let coordinator): return wrappedDestination(coordinator)
    }
  }

  private func stackDestination<C: StackCoordinator>(_ node: Node, _ coordinator: C) throws -> Destination {
    coordinator.destination(for: try resolvedRoute(node, as: C.Route.self))
  }

  private func tabDestination<C: TabCoordinator>(_ node: Node, _ coordinator: C) throws -> Destination {
    let item = coordinator.item(for: try resolvedRoute(node, as: C.Tab.self))
    describe(node, item)
    return item.destination
  }

  private func wrappedDestination<C: WrapperCoordinator>(_ coordinator: C) -> Destination {
    Destination(.push, .flow { try coordinator.makeWrapped() })
  }

  /// The node's route as its coordinator's type, decoded if it came from a checkpoint.
  func resolvedRoute<Route: NavigationRoute>(_ node: Node, as type: Route.Type) throws -> Route {
    try node.resolvedRoute(as: type)
  }

  /// Makes a node's content. On failure the node stays dormant.
  func make(_ node: Node, _ destination: Destination) throws {
    node.completion.onFinish = destination.onFinish
    node.completion.onCancel = destination.onCancel
    switch destination.target {
    case .screen(let make):
      let screen = try failing(node) { try make() }
      node.plugin = node.plugin ?? node.parent?.plugin
      node.content = .screen(ScreenHost(screen, signal: signal))
    case .flow(let make):
      node.plugin = node.plugin ?? node.parent?.plugin
      try attach(failing(node, make), to: node)
    case .registered(let plugin, let tab):
      node.plugin = plugin
      if let reason = try registry.obtain(plugin) {
        node.content = .absent(plugin: plugin, reason: reason)
        return
      }
      guard let make = registry.maker(ofTab: tab) else {
        throw NavigationError(.unknownTab, "The plugin \(plugin) has no tab \(tab).")
      }
      let context = services.context(for: plugin)
      try attach(failing(node) { try make(context) }, to: node)
    case .place(let id, let payload):
      let place = try payload()
      let plugin = String(id.prefix { $0 != "." })
      node.plugin = plugin
      if let reason = try registry.obtain(plugin), registry.isOffered(id) {
        node.content = .absent(plugin: plugin, reason: reason)
        return
      }
      guard let registration = registry.places[id] else {
        throw NavigationError(.unknownPlace, Self.explain(registry, id))
      }
      let context = services.context(for: registration.plugin)
      try attach(failing(node) { try registration.make(place, context) }, to: node)
    case .unavailable(let reason), .nowhere(let reason): node.content = .placeholder(reason)
    }
  }

  /// Why a place cannot be shown, as a sentence.
  static func explain(_ registry: Registry, _ place: String) -> String {
    "\(place) cannot be shown: \(registry.unavailability(of: place) ?? "it failed to load")."
  }

  /// Runs an author's builder for a node; what it throws becomes an error that names the entry.
  private func failing<Made>(_ node: Node, _ make: () throws -> Made) throws -> Made {
    do {
      return try BuildScope.run(node, make)
    } catch let error as NavigationError {
      throw error
    } catch let need as LoadNeeded {
      throw need
    } catch {
      throw NavigationError(.makingFailed, "'\(node.title)' could not be made: \(error)")
    }
  }

  /// Puts a coordinator into a node, gives it the state that was stored, and makes its visible children.
  private func attach(_ coordinator: any Coordinator, to node: Node) throws {
    guard node.depth <= Self.maximumDepth else {
      throw NavigationError(
        .nestedTooDeep,
        "\(type(of: coordinator)) would be nested \(Self.maximumDepth) coordinators deep: a flow that starts itself?")
    }
    try hold(coordinator, in: node)
    if let state = node.state {
      do {
        try restoreState(state, into: coordinator, of: node)
      } catch {
        release(node)
        throw error
      }
    }
    node.stateSignal.raise()
    do {
      switch coordinator._kind {
      case .stack(let stack): try startStack(stack, node)
      case .tabs(let tabs): startTabs(tabs, node)
      case .wrapper: try startWrapper(node)
      }
    } catch {
      for child in node.children { discard(child) }
      node.children = []
      release(node)
      throw error
    }
    node.parent.map(markChanged)
    markChanged(node)
  }

  /// Gives a coordinator the state that was stored.
  ///
  /// - Throws: `payload` if it is no state of the coordinator's now: the flow is then parked, and nothing is lost.
  private func restoreState<C: Coordinator>(_ text: String, into coordinator: C, of node: Node) throws {
    let schema = node.stateSchema ?? 1
    do {
      coordinator.state =
        schema == C.stateSchema
        ? try StoredValue.decode(C.State.self, from: text)
        : try C.migrateState(StoredForm(json: text), from: schema)
    } catch {
      let version = schema == C.stateSchema ? "" : " in version \(schema), and this is version \(C.stateSchema)"
      throw NavigationError(
        .payload,
        "The state of \(C.self) was stored\(version), and is no \(C.State.self) now: "
          + "\(StoredRoute.brief(error)). It stays stored: \(text)")
    }
  }

  private func startStack<C: StackCoordinator>(_ coordinator: C, _ node: Node) throws {
    guard node.children.isEmpty else { return activateVisible(in: node) }
    let first = makeNode(.entry(.push), route: StoredRoute(.route(coordinator.start)), plugin: nil)
    first.parent = node
    node.children = [first]
    try make(first, coordinator.destination(for: coordinator.start))
  }

  private func startTabs<C: TabCoordinator>(_ coordinator: C, _ node: Node) {
    var stored = node.children
    var offered: [Node] = []
    for tab in coordinator.tabs {
      if let index = stored.firstIndex(where: { (try? resolvedRoute($0, as: C.Tab.self)) == tab }) {
        offered.append(stored.remove(at: index))
      } else {
        offered.append(makeNode(.tab, route: StoredRoute(.route(tab)), plugin: nil))
      }
    }
    for parked in stored { parked.isParked = true }
    node.children = offered + stored
    for child in node.children { child.parent = node }
    renumber(node, from: 0)
    for child in offered {
      if let tab = try? resolvedRoute(child, as: C.Tab.self) { describe(child, coordinator.item(for: tab)) }
    }
    let initial = coordinator.initialTab.flatMap { node.tab($0) }
    if node.selection == nil || node.selection?.isParked == true { node.selection = initial ?? offered.first }
    node.tabsSignal.raise()
    if let selection = node.selection { activate(selection) }
  }

  /// Takes over what a coordinator says of a tab.
  func describe(_ node: Node, _ item: TabItem) {
    if node.symbol != item.symbol || node.group != item.group { markChanged(node) }
    (node.title, node.symbol, node.group) = (item.title, item.symbol, item.group)
    if case .registered(let plugin, let tab) = item.destination.target {
      (node.plugin, node.registeredTab) = (plugin, tab)
    }
  }

  private func startWrapper(_ node: Node) throws {
    guard node.children.isEmpty else {
      for child in node.children { activate(child) }
      return
    }
    let child = makeNode(.entry(.push), route: nil, plugin: nil)
    child.parent = node
    node.children = [child]
    try make(child, destination(of: child))
  }
}
