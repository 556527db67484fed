@_spi(FrontEnd) import GangwayProtocol

/// The owner that creates the content of nodes, both new and from a checkpoint.
///
/// Only this type runs authors' builders.
@MainActor final class ContentMaker {
  let table: NodeTable
  let registry: Registry
  let services: SessionServices
  let hooks: NavigationHooks
  let removal: EntryRemoval
  /// Signals that an observed value has changed; any thread may call it.
  let signal: RefreshSignal
  /// The content of the root.
  let root: AnyDestination
  /// Takes the end of the root's flow, if another session has the flow; nil for a whole app, whose root does not end.
  var rootDidEnd: (@MainActor (HostedFlow.Ending) async throws -> Void)?
  /// Notes the value that the root's flow finished with, for a test of one flow alone; nil if the root does not end.
  var noteRootValue: (@MainActor (any Sendable) -> Void)?
  /// The navigation that coordinators are attached to; nil after the end of the session.
  var navigation: Navigation?
  /// Runs guards that become known only when a node is made; nil if none run.
  var ask: ((_ guards: [NavigationGuard], _ node: Node) throws -> Void)?
  /// Whether the node that is being made is part of a plan, which runs its guards first.
  var isPlanned: () -> Bool = { false }
  /// The other host, which runs the flows of some plugins; nil if there is none.
  weak var flowHost: (any FlowHost)?
  /// Whether the first entry of the flow that is being made waits for its guards.
  var holdsBackFirst = false
  /// The plugins that entries wait for.
  var awaitedLoads: Set<PluginID> = []
  /// The tabs whose badge would be wrong, with the words for their authors.
  var labelMistakes: [ContributionID: String] = [:]
  /// The badges that the tabs' labels had last.
  var labelBadges: [ContributionID: String] = [:]
  /// The entries from a file that wait for their guards.
  var unadmitted: [Node] = []
  /// The entries that a crash recovery restored, whose guards are not followed yet.
  var unfollowed: [Node] = []

  /// The maximum depth of nested coordinators.
  ///
  /// A deeper flow contains itself.
  static let maximumDepth = 100

  init(
    table: NodeTable, registry: Registry, services: SessionServices, removal: EntryRemoval, hooks: NavigationHooks,
    signal: RefreshSignal, root: AnyDestination
  ) {
    self.table = table
    self.registry = registry
    self.services = services
    self.removal = removal
    self.hooks = hooks
    self.signal = signal
    self.root = root
  }

  // MARK: Lifecycle

  /// Creates the root's coordinator and everything visible below it.
  func start() {
    let root = table.root
    do {
      try make(root, self.root)
    } catch let need as LoadNeeded {
      root.phase = .loading(plugin: need.load.plugin, .new)
      awaitLoad(need.load)
    } catch {
      fail(root, error, .new)
    }
  }

  /// Creates the content of a node that has none yet.
  ///
  /// If that fails, the node shows the reason.
  func activate(_ node: Node) {
    guard case .waiting(var origin) = node.phase else { return }
    if origin == .file {
      if holdBack(node) { return }
      origin = node.origin
    }
    if origin != .new { hooks.willRestore(node) }
    do {
      try make(node, destination(of: node))
      if origin == .checkpoint { noteRestored([node] + node.children) }
    } catch let need as LoadNeeded {
      // Once the plugin is loaded, the node is made again with the same origin.
      node.phase = .loading(plugin: need.load.plugin, origin)
      awaitLoad(need.load)
    } catch {
      fail(node, error, origin)
    }
  }

  /// Releases the content of a node and its descendants, as if they came from a checkpoint.
  func unmake(_ node: Node, _ origin: Node.Origin) {
    for child in node.children { unmake(child, child.isUnadmitted ? .file : .checkpoint) }
    if let screen = node.screen { node.isUnsaved = screen.unsaved.hasChanges }
    removal.release(node)
    node.phase = .waiting(origin)
    node.awaitStoredInputs()
    table.markChanged(node)
  }

  /// Creates a screen again from its route.
  ///
  /// Inputs that still exist get their stored values.
  func remake(_ node: Node) {
    unmake(node, .checkpoint)
    activate(node)
  }

  /// Shows the reason for a failure in a node, and logs the message for developers.
  private func fail(_ node: Node, _ error: any Error, _ origin: Node.Origin) {
    let problem = (error as? NavigationError)?.problem
    var isStored = false
    switch problem {
    case .unreadableState: isStored = true
    case .unreadableRoute: isStored = node.position == 0 && node.parent?.stack != nil
    default: break
    }
    node.phase = .failed(
      Node.Failure(reason: NavigationError.personMessage(of: error), isStored: isStored), origin)
    services.log("[\(node.plugin ?? node.parent?.plugin ?? "app")] '\(node.title)' is not shown: \(error)")
  }

  /// Creates the visible part of a stack from a checkpoint: the entry on top, the entries below a modal, and flows.
  ///
  /// Flows are part of the path. Covered screens are made when they are shown. A screen with inputs to restore is made
  /// now, while the stored states are as old as its stored values. A screen that is made later would bring back values
  /// that are older than the states.
  private func activateVisible(in stack: Node) {
    var isCovered = false
    for child in stack.children.reversed() {
      let isHosted = child.plugin.map(registry.runsElsewhere) ?? false
      let isFlow = child.coordinatorName != nil || !child.children.isEmpty || isHosted
      // An entry that its guards have not admitted is made as well, because its title is part of the path.
      if !isCovered || isFlow || child.isUnadmitted || hasInputs(child) { activate(child) }
      // A detail leaves the entry below it visible.
      if child.modalStyle == nil { isCovered = !child.isDetail }
    }
  }

  /// Returns whether a node has inputs to restore, and needs no plugin to be loaded for that.
  private func hasInputs(_ node: Node) -> Bool {
    !node.values.isEmpty && node.plugin.map(registry.isLoaded) ?? true
  }

  /// Creates the nodes that became visible since the last call.
  ///
  /// - Returns: the visible part of the tree.
  @discardableResult func activateVisible() -> VisibleTree {
    for node in sequence(first: table.root, next: { $0.topChild }) where node.stack != nil {
      if let top = node.children.last, top.isStored || top.modalStyle != nil { activateVisible(in: node) }
    }
    let visible = table.visible
    // Panes beside the top may hold flows, whose entries become visible now.
    while true {
      let stored = visible.layers.flatMap(\.panes).filter(\.isStored)
      if stored.isEmpty { return visible }
      for node in stored { activate(node) }
      _ = table.visible
      if visible.layers.flatMap(\.panes).contains(where: { node in stored.contains { $0 === node && node.isStored } }) {
        return visible
      }
    }
  }

  /// Creates everything in an entry from a checkpoint, with hidden tabs, so that its flows learn that they end.
  func rouse(_ node: Node) {
    activate(node)
    // Without its coordinator, such as while guards run, the node can make no children.
    guard node.coordinator != nil else { return }
    for child in node.children where child.isStored { rouse(child) }
  }

  // MARK: Content

  /// Returns the destination of a node from its parent's coordinator.
  func destination(of node: Node) throws -> AnyDestination {
    if node === table.root { return root }
    guard let parent = node.parent, case .flow(let kind) = parent.phase else {
      throw NavigationError(.entryGone(coordinator: node.coordinatorName ?? node.title))
    }
    if let place = node.route?.place { return AnyDestination(.push, .place(id: place.id) { place }) }
    switch kind {
    case .stack(let coordinator): return try stackDestination(node, coordinator)
    case .tabs(let coordinator): return try tabDestination(node, coordinator)
    case .wrapper(let coordinator): return wrappedDestination(coordinator)
    }
  }

  private func stackDestination<C: StackCoordinator>(_ node: Node, _ coordinator: C) throws -> AnyDestination {
    coordinator.destination(for: try node.resolvedRoute(as: C.Route.self)).erased
  }

  private func tabDestination<C: TabCoordinator>(_ node: Node, _ coordinator: C) throws -> AnyDestination {
    let item = coordinator.item(for: try node.resolvedRoute(as: C.Tab.self))
    describe(node, item)
    return item.destination.erased
  }

  private func wrappedDestination<C: WrapperCoordinator>(_ coordinator: C) -> AnyDestination {
    AnyDestination(.push, .flow { try coordinator.makeWrapped() })
  }

  /// Creates a node's content.
  ///
  /// On failure, the node stays unchanged.
  func make(_ node: Node, _ destination: AnyDestination) throws {
    node.completion.onFinish = destination.onFinish
    node.completion.onCancel = destination.onCancel
    switch destination.target {
    case .screen(let make):
      guard let parent = node.parent, let coordinator = parent.coordinator else {
        throw NavigationError(.notInStack(title: node.title))
      }
      let input = AnyDestination.Building(coordinator: coordinator, entry: node)
      let screen = try building(node) { try make(input) }
      if node.plugin == nil { node.plugin = parent.plugin }
      node.phase = .screen(ScreenHost(screen, signal: signal, states: node.elementStates, focus: node.focus))
    case .flow(let make):
      node.plugin = node.plugin ?? node.parent?.plugin
      try attach(building(node, make), to: node)
    case .registered(let id): try makeTab(node, id)
    case .place(let id, let payload): try makePlace(node, id, try payload())
    case .unavailable(let reason), .nowhere(let reason):
      node.phase = .failed(Node.Failure(reason: reason), node.origin)
    }
  }

  private func makeTab(_ node: Node, _ id: ContributionID) throws {
    let plugin = id.plugin
    node.plugin = plugin
    if registry.runsElsewhere(plugin) { return host(node, of: plugin, .tab(id)) }
    if let reason = try registry.obtain(plugin) {
      node.phase = .absent(.init(plugin: plugin, reason: reason), node.origin)
      return
    }
    guard let make = registry.tab(id)?.make else {
      throw NavigationError(.pluginHasNoTab(plugin: plugin, name: id.name))
    }
    let context = services.context(for: plugin)
    try attach(building(node) { try make(context) }, to: node)
  }

  private func makePlace(_ node: Node, _ id: ContributionID, _ place: Place) throws {
    let plugin = id.plugin
    node.plugin = plugin
    if registry.runsElsewhere(plugin) { return host(node, of: plugin, .place(place)) }
    if let reason = try registry.obtain(plugin), registry.isOffered(id) {
      node.phase = .absent(.init(plugin: plugin, reason: reason), node.origin)
      return
    }
    guard let registration = registry.places[id] else {
      throw NavigationError(
        .placeFailed(place: id, reason: registry.unavailability(of: id) ?? "it failed to load"))
    }
    let context = services.context(for: registration.plugin)
    try attach(building(node) { try registration.make(place, context) }, to: node)
  }

  /// Runs an author's builder for a node; an error becomes one that names the entry.
  private func building<Made>(_ node: Node, _ make: () throws -> Made) throws -> Made {
    do {
      return try services.inNavigation(make)
    } catch let error as NavigationError {
      throw error
    } catch let need as LoadNeeded {
      throw need
    } catch {
      throw NavigationError(.makingFailed(title: node.title, why: "\(error)"))
    }
  }

  // MARK: Flows

  /// Attaches a coordinator to a node, restores its stored state, and creates its visible children.
  private func attach(_ coordinator: any Coordinator, to node: Node) throws {
    guard node.depth <= Self.maximumDepth else {
      throw NavigationError(.nestedTooDeep(coordinator: "\(type(of: coordinator))", limit: Self.maximumDepth))
    }
    guard let navigation else { throw NavigationError(.sessionClosed) }
    let origin = node.origin
    let hadChildren = !node.children.isEmpty
    try Attachments.add(coordinator, to: node, of: navigation)
    node.coordinatorName = "\(type(of: coordinator))"
    let kind = coordinator._kind
    node.phase = .flow(kind)
    table.noteFlow(node, kind, hasState: Self.hasState(coordinator))
    do {
      node.isStateRestored = try node.state.map { try restoreState($0, into: coordinator, of: node) } ?? false
      node.stateSignal.raise()
      switch kind {
      case .stack(let stack): try startStack(stack, node)
      case .tabs(let tabs): startTabs(tabs, node)
      case .wrapper(let wrapper): try startWrapper(wrapper, node)
      }
    } catch {
      if !hadChildren {
        for child in node.children { removal.discard(child) }
        node.setChildren([])
      }
      removal.release(node)
      node.phase = .waiting(origin)
      throw error
    }
    hooks.flowWork.adopt(coordinator, node)
    node.parent.map(table.markChanged)
    table.markChanged(node)
  }

  private static func hasState<C: Coordinator>(_ coordinator: C) -> Bool { C.State.self != NoState.self }

  /// Restores the stored state of a coordinator.
  ///
  /// - Returns: whether this version of the coordinator stored it.
  /// - Throws: `payload` if the coordinator cannot read the state. The flow is then parked, and its state is kept.
  private func restoreState<C: Coordinator>(_ text: String, into coordinator: C, of node: Node) throws -> Bool {
    let schema = node.stateSchema ?? 1
    do {
      coordinator.state =
        schema == C.stateSchema
        ? try C._stateCoding.decode(text)
        : try C.migrateState(StoredForm(json: text, schema: schema), from: schema)
      return schema == C.stateSchema
    } catch {
      throw NavigationError(
        .unreadableState(
          coordinator: "\(C.self)", type: "\(C.State.self)", stored: text, schema: schema, current: C.stateSchema,
          why: StoredRoute.brief(error)))
    }
  }

  func startStack<C: StackCoordinator>(_ coordinator: C, _ node: Node) throws {
    guard node.children.isEmpty else { return activateVisible(in: node) }
    let first = table.makeNode(.entry(.push), route: StoredRoute(.route(coordinator.start)), plugin: nil)
    first.parent = node
    node.setChildren([first])
    if holdsBackFirst {
      holdsBackFirst = false
      first.phase = .waiting(.file)
      activate(first)
    } else {
      try make(first, coordinator.destination(for: coordinator.start).erased)
    }
  }

  private func startWrapper<C: WrapperCoordinator>(_ coordinator: C, _ node: Node) throws {
    guard node.children.isEmpty else {
      for child in node.children { activate(child) }
      return
    }
    let guards = coordinator.guards
    if !guards.isEmpty { try ask?(guards, node) }
    let child = table.makeNode(.entry(.push), route: nil, plugin: nil)
    child.parent = node
    node.setChildren([child])
    try make(child, destination(of: child))
  }
}
