import GangwayProtocol

/// One node of the navigation tree: an entry of a stack, a tab, or the root.
///
/// A node outlives its content: what it holds besides is what a checkpoint knows of it, so that a node from a
/// checkpoint needs no content until it is shown.
@MainActor final class Node {
  enum Style: Equatable {
    case root
    case tab
    case entry(PresentationStyle)
  }

  /// Where a node comes from that has not been made.
  enum Origin {
    /// This host: a tab that was not shown yet.
    case new
    /// A checkpoint; it was admitted before.
    case checkpoint
    /// A file; no guard has let it in yet.
    case file
  }

  /// How far a node has come: exactly one of these.
  enum Phase {
    /// Not made yet.
    case waiting(Origin)
    /// From a file: its guards are being asked.
    case asking
    /// Waits for its plugin to be loaded.
    case loading(plugin: String, Origin)
    case screen(ScreenHost)
    case flow(any Coordinator, _CoordinatorKind)
    /// Cannot be made: the reason stands in its place, and what is stored stays stored.
    case failed(Failure, Origin)
    /// Its plugin cannot be had: the reason stands in its place, and a way to try again.
    case absent(plugin: String, reason: String, Origin)
  }

  /// Why a node cannot be made.
  struct Failure {
    /// What the person reads.
    let reason: String
    /// Whether what is stored is in the way, so that the person may do without it.
    var isStored = false
    /// Whether guards did not let it in, which the person may try again.
    var isRefused = false
  }

  let id: NodeID
  let style: Style
  // Properties on the way of every navigation are not checked for overlapping access at run time: with the checks, push and
  // pop take 11 to 17 % longer (3.2 and 3.7 µs, side by side on a busy machine). All of this runs on the main actor, and no
  // author's code while one changes.
  /// Strong, for a weak one costs more than all the rest of a push; the table clears it when the node goes.
  @exclusivity(unchecked) var parent: Node?
  @exclusivity(unchecked) var position = 0
  @exclusivity(unchecked) var phase: Phase
  @exclusivity(unchecked) var route: StoredRoute?
  /// The plugin whose code shows it.
  @exclusivity(unchecked) var plugin: String?
  /// What it is called: what its screen said last, or what its route is called.
  var title: String {
    get { shownTitle ?? route?.fallbackTitle ?? "" }
    set { shownTitle = newValue }
  }
  @exclusivity(unchecked) private var shownTitle: String?
  var symbol: String?
  /// Whether its title is one that was stored.
  var hasStoredTitle = false
  /// Of a tab, what is set apart from its title.
  var badge: String?
  /// Of a tab, the group it stands in, and the id it was registered under.
  var group: String?
  var registeredTab: ContributionID?
  @exclusivity(unchecked) var completion = Completion()

  /// Entries of a stack, tabs, or the one child of a wrapper.
  @exclusivity(unchecked) var children: [Node] = []
  /// How many of the children are modals: a deep stack is not searched for what it does not have.
  @exclusivity(unchecked) var modalCount = 0
  /// The tab that is shown.
  @exclusivity(unchecked) var selection: Node?
  /// Whether it is a stored tab that its coordinator does not offer now.
  var isParked = false

  var coordinatorName: String?
  var state: String?
  /// The version in which the state was stored.
  var stateSchema: Int?
  /// Stale when the tabs that its coordinator offers may have changed.
  private(set) lazy var readTabs = FollowedReading()
  /// Raised when the state of its coordinator changed.
  private(set) lazy var stateSignal = ChangeFlag()

  /// The inputs whose stored values are not in them yet: each waits for its element as long as the entry lives.
  var awaitedInputs: Set<ElementID> = []
  /// What inputs hold, where that differs from what they first held, and what the framework keeps for the screen.
  var values: [ElementID: String] = [:]
  var focus: ElementID?
  var scroll: Int?

  /// Has the stored values of inputs put into them as they appear, as when its screen is made anew.
  func awaitStoredInputs() { awaitedInputs = ScreenState.inputs(in: values) }

  init(id: NodeID, style: Style, route: StoredRoute?, plugin: String?, origin: Origin = .new) {
    self.id = id
    self.style = style
    self.route = route
    self.plugin = plugin
    phase = .waiting(origin)
  }

  // MARK: Its phase

  var coordinator: (any Coordinator)? {
    if case .flow(let coordinator, _) = phase { coordinator } else { nil }
  }

  var stack: (any StackCoordinator)? {
    if case .flow(_, .stack(let stack)) = phase { stack } else { nil }
  }

  var screen: ScreenHost? {
    if case .screen(let screen) = phase { screen } else { nil }
  }

  /// Whether it came from a checkpoint or a file, and has not been made since.
  var isStored: Bool {
    switch phase {
    case .waiting(.checkpoint), .waiting(.file): true
    default: false
    }
  }

  /// Where it comes from, as long as it has not been made.
  var origin: Origin {
    switch phase {
    case .waiting(let origin), .loading(_, let origin), .failed(_, let origin), .absent(_, _, let origin): origin
    case .asking: .file
    case .screen, .flow: .new
    }
  }

  /// Whether no guard has let it in yet that is asked about what comes from a file.
  var isUnadmitted: Bool { origin == .file }

  /// Whether guards that let it in may be asked about it again: an entry, or a tab that holds no stack. The entries of a tab's
  /// stack are asked about in its place, for the stack is where a redirect is shown.
  var mayBeDoubted: Bool {
    guard parent != nil, !(style == .tab && stack != nil) else { return false }
    switch phase {
    case .screen, .flow, .waiting(.checkpoint): return true
    case .waiting, .asking, .loading, .failed, .absent: return false
    }
  }

  /// Whether an entry below it waits for its guards: it is what they led to, or waits with that entry.
  var standsOnUnadmitted: Bool {
    parent?.children.prefix(position).contains(where: \.isUnadmitted) == true && style != .tab
  }

  /// Whether guards did not let it in.
  var isRefused: Bool {
    if case .failed(let failure, _) = phase { failure.isRefused } else { false }
  }

  /// Why what it should hold is not there.
  var problem: String? {
    switch phase {
    case .failed(let failure, _): failure.reason
    case .absent(_, let reason, _): reason
    case .loading(let plugin, _): "the plugin \(plugin) is being loaded"
    case .asking: "whether it may be shown is being asked"
    case .waiting, .screen, .flow: nil
    }
  }

  /// Whether it stands over everything else, and whether a person may dismiss it.
  var modalStyle: PresentationStyle? {
    guard case .entry(let style) = style, style.kind == .modal || style.kind == .fullScreen else { return nil }
    return style
  }

  /// Whether it stands beside the entry below it, where there is room.
  var isDetail: Bool {
    guard case .entry(let style) = style else { return false }
    return style.kind == .detail
  }

  // MARK: Its place

  /// The child that is shown on top, or shown at all.
  var topChild: Node? {
    if case .flow(_, .tabs) = phase { return selection }
    return selection ?? children.last { !$0.isParked }
  }

  /// Whether `other` is this node or below it.
  func contains(_ other: Node?) -> Bool {
    var node = other
    while let current = node {
      if current === self { return true }
      node = current.parent
    }
    return false
  }

  /// Whether it stands in a stack below what leads to `other`.
  func isBelow(_ other: Node) -> Bool {
    other.ancestry.contains { $0.parent === parent && parent != nil && position < $0.position }
  }

  /// This node and the nodes above it, the nearest first.
  var ancestry: UnfoldFirstSequence<Node> { sequence(first: self) { $0.parent } }

  /// How many nodes are above it.
  var depth: Int { ancestry.reduce(-1) { depth, _ in depth + 1 } }

  /// This node and all below it, children before their parents.
  var subtree: [Node] { children.isEmpty ? [self] : children.flatMap(\.subtree) + [self] }

  /// The tab of that name on this node's bar.
  func tab(_ tab: some NavigationRoute) -> Node? {
    children.first { child in !child.isParked && child.routeValue.map { tab.isEqual(toAny: $0) } == true }
  }

  /// The nearest coordinator of a type, and its node.
  ///
  /// - Throws: `noAncestor` naming the types there are.
  func ancestor<Ancestor: Coordinator>(_ type: Ancestor.Type) throws -> (Ancestor, Node) {
    for node in ancestry {
      if let coordinator = node.coordinator as? Ancestor { return (coordinator, node) }
    }
    let names = ancestry.compactMap(\.coordinatorName).joined(separator: ", ")
    throw NavigationError(.noAncestor(wanted: "\(Ancestor.self)", found: names))
  }

  /// The entry that stands for this flow in its parent's stack: its own node, or that of the wrappers around it.
  var flowEntry: Node {
    var entry = self
    while let parent = entry.parent, case .flow(_, .wrapper) = parent.phase { entry = parent }
    return entry
  }
}

typealias UnfoldFirstSequence<Element> = UnfoldSequence<Element, (Element?, Bool)>
