@_spi(FrontEnd) import GangwayProtocol

/// One node of the navigation tree: an entry of a stack, a tab, or the root.
///
/// A node outlives its content. Its other properties are the ones that a checkpoint stores, so a node from a checkpoint
/// needs no content until it is shown.
@MainActor final class Node {
  enum Style: Equatable {
    case root
    case tab
    case entry(PresentationStyle)
  }

  /// The source of a node that has not been made.
  enum Origin {
    /// This host: a tab that was not shown yet.
    case new
    /// A checkpoint, whose entries were admitted before.
    case checkpoint
    /// A file, whose entries no guard has admitted yet.
    case file
  }

  /// The state of a node: exactly one of these.
  enum Phase {
    /// The content is not made yet.
    case waiting(Origin)
    /// The node is from a file, and its guards are running.
    case asking
    /// The node waits for its plugin to load.
    case loading(plugin: PluginID, Origin)
    case screen(ScreenHost)
    case flow(_CoordinatorKind)
    /// Another host runs the node's flow.
    case hosted(HostedFlow)
    /// The content cannot be made.
    ///
    /// The node shows the reason, and the stored values are kept.
    case failed(Failure, Origin)
    /// The plugin is unavailable.
    ///
    /// The node shows the reason and a retry button.
    case absent(Absence, Origin)
  }

  /// The reason why a node's plugin is unavailable.
  struct Absence {
    let plugin: PluginID
    /// The reason for developers.
    let reason: String
    /// Whether the user looks at the reason.
    var isExplained = false
  }

  /// The reason why a node has no content.
  struct Failure {
    /// The text for the user.
    let reason: String
    /// Whether stored data is the cause, so that the user can discard it.
    var isStored = false
    /// Whether guards refused the node, which the user can retry.
    var isRefused = false
    /// The guard that refused the node without a reason; nil if there is none.
    var silentGuard: String?
    /// Whether guards refused an entry with unsaved changes, so that it and the entries above stay.
    var keepsChanges = false
  }

  /// The facts of a tab, besides its title.
  struct TabFacts: Equatable {
    var symbol: String?
    /// A short text, apart from the title.
    var badge: String?
    var group: String?
  }

  let id: NodeID
  let style: Style
  // Properties on the path of every navigation are not checked for overlapping access at run time. With the checks,
  // push and pop take 11 to 17 % longer (3.2 and 3.7 µs, side by side on a busy machine). All of this runs on the main
  // actor, and no author's code runs while a property changes.
  /// A strong reference, because a weak one costs more than the rest of a push.
  ///
  /// The table clears it when the node goes.
  @exclusivity(unchecked) var parent: Node?
  @exclusivity(unchecked) var position = 0
  @exclusivity(unchecked) var phase: Phase { didSet { noteChange() } }
  /// The route; code that sets another one calls ``noteChange(from:)``, because reading its title changes it, too.
  @exclusivity(unchecked) var route: StoredRoute?
  /// The plugin whose code shows the node.
  @exclusivity(unchecked) var plugin: PluginID?
  /// The title: the last one from the screen, or the route's.
  var title: String {
    get { shownTitle ?? route?.fallbackTitle ?? "" }
    set { shownTitle = newValue }
  }
  @exclusivity(unchecked) private var shownTitle: String? { didSet { noteChange() } }
  /// Whether the title comes from a checkpoint.
  var hasStoredTitle = false
  /// The facts of a tab, besides its title.
  var tab = TabFacts()
  /// The id that a plugin registered the tab under.
  var registeredTab: ContributionID? { didSet { if registeredTab != oldValue { noteChange() } } }
  @exclusivity(unchecked) var completion = Completion()

  /// The entries of a stack, the tabs, or the one child of a wrapper.
  @exclusivity(unchecked) private(set) var children: [Node] = []
  /// The number of modals among the children, so that a deep stack without modals is not searched for them.
  @exclusivity(unchecked) var modalCount = 0
  /// The tab on screen.
  @exclusivity(unchecked) var selection: Node? { didSet { noteChange() } }
  /// Whether this is a stored tab that its coordinator does not offer now.
  var isParked = false { didSet { noteChange() } }
  /// The index of the first child that has changed, or contains a change, since ``VisibleTree`` read the node.
  ///
  /// It is -1 if the node itself has changed, and `Int.max` if nothing has.
  @exclusivity(unchecked) private(set) var changedFrom = -1

  /// Whether the node's record in the checkpoint is out of date.
  @exclusivity(unchecked) var isChanged = false
  /// The facts of the node's flow, and of its inputs; nil for the many nodes without any. See `Node+Facts.swift`.
  @exclusivity(unchecked) var flowFacts: FlowFacts?
  @exclusivity(unchecked) var inputFacts: InputFacts?

  /// Restores the stored values of inputs as they appear, as when the screen is made again.
  func awaitStoredInputs() {
    awaitedInputs = ScreenState.inputs(in: values, elementStates)
    noteChange()
  }

  init(id: NodeID, style: Style, route: StoredRoute?, plugin: PluginID?, origin: Origin = .new) {
    self.id = id
    self.style = style
    self.route = route
    self.plugin = plugin
    phase = .waiting(origin)
  }

  // MARK: Changes

  func insertChild(_ node: Node, at index: Int) {
    children.insert(node, at: index)
    noteChange(from: index)
  }

  func removeChild(at index: Int) {
    children.remove(at: index)
    noteChange(from: index)
  }

  func replaceChild(at index: Int, with node: Node) {
    children[index] = node
    noteChange(from: index)
  }

  func setChildren(_ nodes: [Node]) {
    children = nodes
    noteChange(from: 0)
  }

  /// Notes that the node, or its children from an index on, may look different.
  ///
  /// The ancestors note which child contains a change, so that ``VisibleTree`` reads only changed nodes again.
  func noteChange(from index: Int = -1) {
    guard index < changedFrom else { return }
    changedFrom = index
    var node = self
    while let parent = node.parent, node.position < parent.changedFrom {
      parent.changedFrom = node.position
      node = parent
    }
  }

  /// Notes that ``VisibleTree`` has read the node and its children.
  func noteRead() { changedFrom = .max }

  // MARK: Phase

  var coordinator: (any Coordinator)? {
    if case .flow(let kind) = phase { kind.coordinator } else { nil }
  }

  var stack: (any StackCoordinator)? {
    if case .flow(.stack(let stack)) = phase { stack } else { nil }
  }

  var screen: ScreenHost? {
    if case .screen(let screen) = phase { screen } else { nil }
  }

  /// Whether the node came from a checkpoint or a file, and has no content since.
  var isStored: Bool {
    switch phase {
    case .waiting(.checkpoint), .waiting(.file): true
    default: false
    }
  }

  /// The source of the node, as long as it has no content.
  var origin: Origin {
    switch phase {
    case .waiting(let origin), .loading(_, let origin), .failed(_, let origin), .absent(_, let origin): origin
    case .asking: .file
    case .screen, .flow, .hosted: .new
    }
  }

  /// Whether the node comes from a file, and no guard has admitted it yet.
  var isUnadmitted: Bool { origin == .file }

  /// Whether guards that admitted the node may run again: for an entry, or for a tab without a stack.
  ///
  /// For a tab with a stack, the guards of its entries run instead, because a redirect is shown in the stack.
  var mayBeDoubted: Bool {
    guard parent != nil, !(style == .tab && stack != nil) else { return false }
    switch phase {
    case .screen, .flow, .hosted, .waiting(.checkpoint): return true
    case .waiting, .asking, .loading, .failed, .absent: return false
    }
  }

  /// Whether an entry below waits for its guards.
  ///
  /// Then this node is the target of their redirect, or waits with that entry.
  var standsOnUnadmitted: Bool {
    parent?.children.prefix(position).contains(where: \.isUnadmitted) == true && style != .tab
  }

  /// Whether guards refused the node, or have not answered yet.
  var isBehindGuards: Bool {
    switch phase {
    case .asking: true
    case .failed(let failure, _): failure.isRefused
    case .waiting, .loading, .screen, .flow, .hosted, .absent: false
    }
  }

  /// Whether guards refused the node.
  var isRefused: Bool {
    if case .failed(let failure, _) = phase { failure.isRefused } else { false }
  }

  /// Whether guards refused the node, or one below it, and changes in it are kept.
  var isKept: Bool {
    if case .failed(let failure, _) = phase { failure.keepsChanges } else { false }
  }

  /// The reason why the node has no content, for developers.
  var cause: String? {
    switch phase {
    case .absent(let absence, _): "the plugin \(absence.plugin) is not available: \(absence.reason)"
    case .loading(let plugin, _): "the plugin \(plugin) is being loaded"
    case .failed, .asking, .waiting, .screen, .flow, .hosted: problem
    }
  }

  /// The reason why the node has no content, for the user.
  var problem: String? {
    switch phase {
    case .failed(let failure, _): failure.reason
    case .absent: "it is not available"
    case .loading: "it is still loading"
    case .asking: "the app is still checking whether it can open"
    case .waiting, .screen, .flow, .hosted: nil
    }
  }

  /// The style of a modal, which covers everything else and says whether the user can dismiss it; nil for other nodes.
  var modalStyle: PresentationStyle? {
    guard case .entry(let style) = style, style.kind == .modal || style.kind == .fullScreen else { return nil }
    return style
  }

  /// Whether the node is shown beside the entry below it, if there is room.
  var isDetail: Bool {
    guard case .entry(let style) = style else { return false }
    return style.kind == .detail
  }

  // MARK: Position

  /// The child on top, or the only visible child.
  var topChild: Node? {
    if case .flow(.tabs) = phase { return selection }
    return selection ?? children.last { !$0.isParked }
  }

  /// Returns whether `other` is this node or one of its descendants.
  func contains(_ other: Node?) -> Bool {
    var node = other
    while let current = node {
      if current === self { return true }
      node = current.parent
    }
    return false
  }

  /// Returns whether the node is in a stack, below the entry that is or contains `other`.
  func isBelow(_ other: Node) -> Bool {
    other.ancestry.contains { $0.parent === parent && parent != nil && position < $0.position }
  }

  /// This node and its ancestors, the nearest first.
  var ancestry: UnfoldFirstSequence<Node> { sequence(first: self) { $0.parent } }

  /// The number of ancestors.
  var depth: Int { ancestry.reduce(-1) { depth, _ in depth + 1 } }

  /// This node and its descendants, children before their parents.
  var subtree: [Node] { children.isEmpty ? [self] : children.flatMap(\.subtree) + [self] }

  /// Returns the tab with this name on the node's bar.
  func tab(_ tab: some NavigationRoute) -> Node? {
    children.first { child in !child.isParked && child.routeValue.map { tab.isEqual(toAny: $0) } == true }
  }

  /// Returns the nearest coordinator of a type, and its node.
  ///
  /// - Throws: `noAncestor`, which names the types that exist.
  func ancestor<Ancestor: Coordinator>(_ type: Ancestor.Type) throws -> (Ancestor, Node) {
    for node in ancestry {
      if let coordinator = node.coordinator as? Ancestor { return (coordinator, node) }
    }
    let names = ancestry.compactMap(\.coordinatorName).joined(separator: ", ")
    throw NavigationError(.noAncestor(wanted: "\(Ancestor.self)", found: names))
  }

  /// The entry of this flow in its parent's stack: its own node, or the outermost wrapper around it.
  var flowEntry: Node {
    var entry = self
    while let parent = entry.parent, case .flow(.wrapper) = parent.phase { entry = parent }
    return entry
  }
}

typealias UnfoldFirstSequence<Element> = UnfoldSequence<Element, (Element?, Bool)>
