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

  enum Content {
    /// Not made yet.
    case dormant
    case screen(ScreenHost)
    case flow(any Coordinator, _CoordinatorKind)
    /// Cannot be made: the reason stands in its place, and what is stored stays stored.
    case placeholder(String)
    /// Waits for its plugin to be loaded.
    case loading(plugin: String)
    /// Its plugin cannot be had: the reason stands in its place, and a way to try again.
    case absent(plugin: String, reason: String)
  }

  let id: NodeID
  let style: Style
  /// Strong, for a weak one costs more than all the rest of a push; the tree clears it when the node goes.
  @exclusivity(unchecked) var parent: Node?
  @exclusivity(unchecked) var position = 0
  @exclusivity(unchecked) var content = Content.dormant
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
  /// Of a tab, the group it stands in, and the id it was registered under.
  var group: String?
  var registeredTab: String?
  @exclusivity(unchecked) var completion = Completion()

  /// Entries of a stack, tabs, or the one child of a wrapper.
  @exclusivity(unchecked) var children: [Node] = []
  /// How many of the children are modals: a deep stack is not searched for what it does not have.
  @exclusivity(unchecked) var modalCount = 0
  /// The tab that is shown.
  @exclusivity(unchecked) var selection: Node?
  /// Whether it came from a checkpoint and has not been made since.
  @exclusivity(unchecked) var isRestored = false
  /// Whether it did not come from a file, or guards have let it stay since.
  var isAdmitted = true
  /// Whether it is a stored tab that its coordinator does not offer now.
  var isParked = false

  var coordinatorName: String?
  var state: String?
  /// The version in which the state was stored.
  var stateSchema: Int?
  /// Raised when the tabs that its coordinator offers may have changed.
  private(set) lazy var tabsSignal = ChangeFlag()
  /// Raised when the state of its coordinator changed.
  private(set) lazy var stateSignal = ChangeFlag()

  /// Whether `values` came from a checkpoint and is not in the inputs yet.
  var hasValuesToRestore = false
  /// What inputs hold, where that differs from what they first held.
  var values: [ElementID: String] = [:]
  var focus: ElementID?
  var scroll: Int?

  init(id: NodeID, style: Style, route: StoredRoute?, plugin: String?) {
    self.id = id
    self.style = style
    self.route = route
    self.plugin = plugin
  }

  var coordinator: (any Coordinator)? {
    if case .flow(let coordinator, _) = content { coordinator } else { nil }
  }

  var stack: (any StackCoordinator)? {
    if case .flow(_, .stack(let stack)) = content { stack } else { nil }
  }

  var screen: ScreenHost? {
    if case .screen(let screen) = content { screen } else { nil }
  }

  /// Why what it should hold is not there.
  var problem: String? {
    switch content {
    case .placeholder(let reason), .absent(_, let reason): reason
    case .loading(let plugin): "the plugin \(plugin) is being loaded"
    case .dormant, .screen, .flow: nil
    }
  }

  /// Whether it stands over everything else, and whether a person may wave it away.
  var modalStyle: PresentationStyle? {
    guard case .entry(let style) = style, style.kind == .modal || style.kind == .fullScreen else { return nil }
    return style
  }

  /// The child that is shown on top, or shown at all.
  var topChild: Node? {
    if case .flow(_, .tabs) = content { return selection }
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
}

typealias UnfoldFirstSequence<Element> = UnfoldSequence<Element, (Element?, Bool)>
