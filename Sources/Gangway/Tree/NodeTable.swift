@_spi(FrontEnd) import GangwayProtocol

/// The nodes of one session's tree, by id, with their changes since the last checkpoint.
///
/// No author's code runs in it.
@MainActor final class NodeTable {
  let root: Node
  // Every push changes these, so they are not checked for overlapping access: see ``Node``.
  @exclusivity(unchecked) var nextID: NodeID
  @exclusivity(unchecked) private(set) var nodes = NodeIndex()
  /// The nodes whose record in the checkpoint is out of date.
  ///
  /// It may hold nodes that are gone, which are left out when it is read.
  @exclusivity(unchecked) private var changed: [Node] = []
  /// The nodes removed since the last checkpoint.
  @exclusivity(unchecked) private var removed: [NodeID] = []
  /// The lowest id that can be reused when a plan is rolled back.
  private(set) var firstFree: NodeID = 0
  /// The number of nodes that are modals.
  ///
  /// If it is 0, no code searches for them.
  @exclusivity(unchecked) private(set) var modalNodes = 0
  /// The nodes that hold a coordinator now.
  @exclusivity(unchecked) private(set) var flows: [NodeID: Node] = [:]
  /// The flows whose coordinator has a state to store, and the flows with tabs.
  private(set) var statefulFlows: [NodeID: Node] = [:]
  private(set) var tabFlows: [NodeID: Node] = [:]

  /// The nodes that have values of inputs to store.
  private(set) var touched: [NodeID: Node] = [:]

  /// The visible part of the tree when it was last read; see ``visible``.
  let visibleTree = VisibleTree()

  /// The pane of the user's last action, and the node that was on top then.
  private var lastActive: (pane: NodeID, top: NodeID)?

  init() {
    root = Node(id: Checkpoint.rootNode, style: .root, route: nil, plugin: nil)
    root.title = "Root"
    nextID = root.id + 1
    adopt(root)
  }

  func makeNode(_ style: Node.Style, route: StoredRoute?, plugin: PluginID?) -> Node {
    let node = Node(id: nextID, style: style, route: route, plugin: plugin)
    nextID += 1
    adopt(node)
    return node
  }

  /// Returns an id that no node has, or will have.
  ///
  /// The next checkpoint stores that it is taken.
  ///
  /// - Parameter node: the node that needs the id.
  func takeNumber(for node: Node) -> NodeID {
    defer { nextID += 1 }
    firstFree = nextID + 1
    markChanged(node)
    return nextID
  }

  func adopt(_ node: Node) {
    if nodes.add(node), node.modalStyle != nil { modalNodes += 1 }
    noteTouched(node)
    markChanged(node)
  }

  /// Notes whether a node has values of inputs to store.
  func noteTouched(_ node: Node) {
    if !node.values.isEmpty { touched[node.id] = node }
  }

  func forget(_ node: Node) {
    if nodes.remove(node.id), node.modalStyle != nil { modalNodes -= 1 }
    if !touched.isEmpty { touched[node.id] = nil }
    node.isChanged = false
    // A session that makes no updates for long does not keep the nodes that are gone.
    if let last = changed.last, last === node { changed.removeLast() }
  }

  /// Notes that a stored node was removed.
  func noteRemoved(_ node: Node) { removed.append(node.id) }

  func markChanged(_ node: Node) {
    guard !node.isChanged else { return }
    node.isChanged = true
    changed.append(node)
  }

  /// Returns the changes since the last call.
  func takeChanges() -> (changed: [Node], removed: [NodeID]) {
    defer { (changed, removed) = ([], []) }
    // An entry that left and came back is listed twice.
    let listed = changed.filter { node in
      defer { node.isChanged = false }
      return node.isChanged && nodes[node.id] === node
    }
    return (listed.sorted { $0.id < $1.id }, removed)
  }

  func renumber(_ parent: Node, from index: Int) {
    if Defect.forgetsPositions.isSeeded, index > 0 { return }
    let children = parent.children
    for position in index..<max(index, children.count) {
      let child = children[position]
      guard child.position != position else { continue }
      child.position = position
      markChanged(child)
    }
  }

  // MARK: Flows

  /// Notes that a node holds a coordinator.
  func noteFlow(_ node: Node, _ kind: _CoordinatorKind, hasState: Bool) {
    flows[node.id] = node
    if hasState { statefulFlows[node.id] = node }
    if case .tabs = kind { tabFlows[node.id] = node }
  }

  /// Notes that a node no longer holds a coordinator.
  func forgetFlow(_ node: Node) {
    flows[node.id] = nil
    statefulFlows[node.id] = nil
    tabFlows[node.id] = nil
  }

  /// Returns the coordinator of a type with the newest node.
  func newest(_ type: ObjectIdentifier) -> (any Coordinator)? {
    flows.sorted { $0.key > $1.key }.lazy.compactMap(\.value.coordinator).first {
      ObjectIdentifier(Swift.type(of: $0)) == type
    }
  }

  // MARK: Visible nodes

  /// The visible modals, the lowest first.
  var visibleModals: [Node] {
    guard modalNodes > 0 else { return [] }
    var modals: [Node] = []
    var node: Node? = root
    while let current = node {
      if current.modalStyle != nil { modals.append(current) }
      let top = current.topChild
      // One modal may be on top of another in the same stack.
      if let top, current.modalCount > (top.modalStyle == nil ? 0 : 1) {
        for child in current.children.dropLast() where child.modalStyle != nil { modals.append(child) }
      }
      node = top
    }
    return modals
  }

  func isVisible(_ node: Node) -> Bool {
    node.ancestry.allSatisfy { node in
      guard let selection = node.parent?.selection else { return true }
      return selection === node
    }
  }

  /// Returns the pane of the user's last action in a layer, as long as the same screen is on top; nil for the top pane.
  func activePane(of layer: VisibleTree.Layer) -> Node? {
    guard let (pane, top) = lastActive, top == layer.top.id else { return nil }
    return layer.panes.first { $0.id == pane }
  }

  /// Notes the place of a user's action.
  func noteActive(_ id: NodeID) {
    let layer = visible.layers.last
    lastActive = nil
    if let layer, layer.panes.contains(where: { $0.id == id }) { lastActive = (id, layer.top.id) }
  }

  /// The entry that one step back removes; nil if there is none.
  var backEntry: Node? {
    var candidate: Node?
    for node in sequence(first: root, next: { $0.topChild }) where node.parent?.stack != nil && node.position > 0 {
      candidate = node
    }
    return candidate
  }

  /// Whether the user can go back.
  var canGoBack: Bool { backEntry.map { $0.modalStyle?.isDismissible ?? true } ?? false }

  /// The innermost visible stack.
  var visibleStack: Node? {
    var found: Node?
    for node in sequence(first: root, next: { $0.topChild }) where node.stack != nil { found = node }
    return found
  }

  /// The innermost visible node, where the user is.
  var topNode: Node { sequence(first: root) { $0.topChild }.reduce(root) { $1 } }

  /// Returns the node of a registered tab, anywhere in the tree.
  func registeredTab(_ id: ContributionID) -> Node? {
    for flow in tabFlows.values {
      if let tab = flow.children.first(where: { $0.registeredTab == id && !$0.isParked }) { return tab }
    }
    return nil
  }
}
