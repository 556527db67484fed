@_spi(FrontEnd) import GangwayProtocol

/// The visible part of a tree: layers of entries, each with its screen on top.
///
/// It is kept between updates, and ``refresh(_:)`` reads only the nodes that have changed since, with the nodes after
/// them. So the cost of a push does not depend on the depth of the stack.
@MainActor final class VisibleTree {
  struct Layer {
    let style: Presentation.Layer.Style
    let isDismissible: Bool
    /// The node of the layer's screen, or of the reason why there is none.
    var top: Node
    /// The nodes that are shown beside it if there is room, each the detail of the pane before it.
    var panes: [Node] = []

    /// All nodes of the layer, the one on top last.
    var screens: [Node] { panes + [top] }
  }

  /// The maximum number of columns.
  static let columns = 3

  private(set) var layers: [Layer] = []
  private(set) var path: [Node] = []
  private(set) var tabBars: [Node] = []
  /// The index of the first entry of the path that may look different since ``noteShown()``.
  private(set) var changedFrom = 0
  /// The flows and the entries of the path that may have a leave guard.
  var guarded = VisibleGuards()
  /// The nodes that a link to the place names: the selected tabs, and the entries above the first of each stack.
  var steps = VisibleSteps()
  /// The indices of the entries in the path whose inputs had no stored values yet when they were read.
  private var awaiting: [Int] = []
  /// The flows around the visible entries.
  private var flows: [FlowVisit] = []

  /// The layer or column that begins with the next node that has a screen.
  private struct Beginning {
    var layer: (style: Presentation.Layer.Style, isDismissible: Bool)?
    var isColumn = false
    /// Whether a link can name the entries. It cannot if a bar of tabs has none selected.
    var isNamed = true
  }

  /// The state of a visit before a child of a flow.
  private struct Mark {
    /// The child; nil for the state before everything.
    let child: Node?
    let layers: Int
    /// The last layer, the only one that later nodes of the path change.
    let last: Layer?
    let path: Int
    let tabBars: Int
    let flows: Int
    let steps: Int
  }

  /// The visit of a flow.
  private struct FlowVisit {
    let node: Node
    let beginning: Beginning
    /// Whether the flow shows only its selected child.
    var showsSelection = false
    /// Whether the flow has no child to show, so that it is an entry of the path itself.
    var isEmpty = false
    /// The state before each child; with a selection, before the selected one.
    var marks: [Mark] = []
  }

  /// The entries of the path with inputs that may wait for their stored values.
  var entriesAwaitingInputs: [Node] { awaiting.map { path[$0] } }

  /// Notes that the path is shown as it is now.
  func noteShown() { changedFrom = path.count }

  /// Notes that an entry of the path looks different now.
  func noteChange(at index: Int) { changedFrom = min(changedFrom, index) }

  /// Reads the changes of a tree.
  func refresh(_ root: Node) {
    if flows.isEmpty, path.isEmpty { return visit(root, Beginning(layer: (.base, false))) }
    guard root.changedFrom != .max else { return }
    if !flows.isEmpty, flows[0].node === root, refresh(flow: 0) != .again { return }
    truncate(to: Mark(child: nil, layers: 0, last: nil, path: 0, tabBars: 0, flows: 0, steps: 0))
    visit(root, Beginning(layer: (.base, false)))
  }

  private enum Refresh {
    case unchanged
    /// The changes in the flow were read.
    case changed
    /// The flow must be visited again.
    case again
  }

  /// Reads the changes in a flow.
  private func refresh(flow index: Int) -> Refresh {
    let node = flows[index].node
    let changed = node.changedFrom
    if changed == .max { return .unchanged }
    if changed < 0 || flows[index].isEmpty { return .again }
    if flows[index].showsSelection { return refreshSelection(of: index) }
    return refreshChildren(of: index, from: min(changed, flows[index].marks.count))
  }

  /// Reads the selected child of a flow.
  private func refreshSelection(of index: Int) -> Refresh {
    guard let child = flows[index].node.selection, let mark = flows[index].marks.first else { return .again }
    flows[index].node.noteRead()
    // Changes of hidden tabs are read when the tabs are shown.
    if child.changedFrom == .max { return .unchanged }
    let inside = refreshFlow(of: child, at: mark)
    guard inside == .again else { return inside }
    truncate(to: mark)
    visitSelection(child, of: index)
    return .changed
  }

  /// Reads the children of a flow from an index on.
  private func refreshChildren(of index: Int, from changed: Int) -> Refresh {
    let node = flows[index].node
    node.noteRead()
    var first = changed
    if first < flows[index].marks.count {
      // Later children may have changed, too, and follow the changed part of this one.
      if first + 1 < flows[index].marks.count { truncate(to: flows[index].marks[first + 1]) }
      if first < node.children.count, refreshFlow(of: node.children[first], at: flows[index].marks[first]) != .again {
        first += 1
      } else {
        truncate(to: flows[index].marks[first])
      }
      flows[index].marks.removeLast(max(0, flows[index].marks.count - first))
    }
    visitChildren(of: index, from: first)
    return .changed
  }

  /// Reads the changes in a child that was visited as a flow; other children must be visited again.
  private func refreshFlow(of child: Node, at mark: Mark) -> Refresh {
    // Another child may be at the same position now.
    guard child === mark.child, child.changedFrom >= 0, mark.flows < flows.count, flows[mark.flows].node === child
    else { return .again }
    return refresh(flow: mark.flows)
  }

  private func truncate(to mark: Mark) {
    layers.removeLast(layers.count - mark.layers)
    if let last = mark.last { layers[mark.layers - 1] = last }
    path.removeLast(path.count - mark.path)
    tabBars.removeLast(tabBars.count - mark.tabBars)
    flows.removeLast(flows.count - mark.flows)
    steps.truncate(to: mark.steps)
    guarded.truncate(toEntries: mark.path, flows: mark.flows)
    while let last = awaiting.last, last >= mark.path { awaiting.removeLast() }
    changedFrom = min(changedFrom, mark.path)
  }

  private func mark(before child: Node) -> Mark {
    Mark(
      child: child, layers: layers.count, last: layers.last, path: path.count, tabBars: tabBars.count,
      flows: flows.count,
      steps: steps.count)
  }

  private func visit(_ node: Node, _ beginning: Beginning) {
    var beginning = beginning
    if let modal = node.modalStyle {
      beginning.layer = (modal.kind == .fullScreen ? .fullScreen : .modal, modal.isDismissible)
      beginning.isColumn = false
    } else if node.isDetail, node.position > 0 {
      beginning.isColumn = true
    }
    if case .flow(let kind) = node.phase { return visit(node, kind, beginning) }
    node.noteRead()
    visitEntry(node, beginning)
  }

  private func visit(_ node: Node, _ kind: _CoordinatorKind, _ beginning: Beginning) {
    node.noteRead()
    let index = flows.count
    flows.append(FlowVisit(node: node, beginning: beginning))
    guarded.noteFlow(node, at: index)
    if case .tabs = kind { tabBars.append(node) }
    if let selection = node.selection {
      flows[index].showsSelection = true
      flows[index].marks = [mark(before: selection)]
      return visitSelection(selection, of: index)
    }
    visitChildren(of: index, from: 0)
  }

  private func visitSelection(_ selection: Node, of index: Int) {
    let (node, beginning) = (flows[index].node, flows[index].beginning)
    if case .flow(.tabs) = node.phase, beginning.isNamed { steps.append(selection) }
    visit(selection, beginning)
  }

  private func visitChildren(of index: Int, from first: Int) {
    let (node, beginning) = (flows[index].node, flows[index].beginning)
    let isStack = node.stack != nil
    var (start, later) = (beginning, Beginning())
    if case .flow(.tabs) = node.phase { start.isNamed = false }
    later.isNamed = start.isNamed
    for position in first..<max(first, node.children.count) {
      let child = node.children[position]
      flows[index].marks.append(mark(before: child))
      if child.isParked {
        child.noteRead()
        continue
      }
      if isStack, position > 0, later.isNamed { steps.append(child) }
      visit(child, position == 0 ? start : later)
    }
    flows[index].isEmpty = !node.children.contains { !$0.isParked }
    if flows[index].isEmpty { visitEntry(node, beginning) }
  }

  private func visitEntry(_ node: Node, _ beginning: Beginning) {
    if !node.awaitedInputs.isEmpty { awaiting.append(path.count) }
    guarded.noteEntry(node, at: path.count)
    path.append(node)
    if let (style, isDismissible) = beginning.layer {
      layers.append(Layer(style: style, isDismissible: isDismissible, top: node))
    } else if !layers.isEmpty {
      let last = layers.count - 1
      if beginning.isColumn {
        layers[last].panes = (layers[last].panes + [layers[last].top]).suffix(Self.columns - 1)
      }
      layers[last].top = node
    }
  }
}

/// The visible flows and screens that may have a leave guard.
///
/// Most types have none, and are asked only once. The others are asked each time, because a guard may depend on values
/// that nothing observes.
@MainActor struct VisibleGuards {
  /// Nodes in one order, each with its index.
  private struct Nodes {
    private var guarded: [(index: Int, node: Node)] = []
    private var unasked: [(index: Int, node: Node)] = []

    mutating func append(_ node: Node, at index: Int) { unasked.append((index, node)) }

    mutating func truncate(to count: Int) {
      while let last = unasked.last, last.index >= count { unasked.removeLast() }
      while let last = guarded.last, last.index >= count { guarded.removeLast() }
    }

    @MainActor mutating func isAnySet() -> Bool {
      if !unasked.isEmpty {
        guarded += unasked.filter { $0.node.mayHaveLeaveGuard }
        unasked = []
      }
      return guarded.reversed().contains { $0.node.leaveGuard != nil }
    }
  }

  private var flows = Nodes()
  private var entries = Nodes()

  /// Returns whether one of the nodes has a leave guard now.
  mutating func isAnySet() -> Bool { flows.isAnySet() || entries.isAnySet() }

  fileprivate mutating func noteFlow(_ node: Node, at index: Int) { flows.append(node, at: index) }

  fileprivate mutating func noteEntry(_ node: Node, at index: Int) {
    switch node.phase {
    case .screen, .hosted: entries.append(node, at: index)
    default: break
    }
  }

  fileprivate mutating func truncate(toEntries entryCount: Int, flows flowCount: Int) {
    entries.truncate(to: entryCount)
    flows.truncate(to: flowCount)
  }
}

/// The nodes that a link to the visible place names, with the plan up to each of them.
@MainActor struct VisibleSteps {
  private var nodes: [Node] = []
  /// The plans up to the first nodes, as far as they were needed.
  private var plans: [LinkPlan] = []

  fileprivate var count: Int { nodes.count }

  fileprivate mutating func append(_ node: Node) { nodes.append(node) }

  fileprivate mutating func truncate(to count: Int) {
    nodes.removeLast(nodes.count - count)
    plans.removeLast(max(0, plans.count - count))
  }

  /// The place as a plan that opens it from anywhere.
  mutating func plan() -> LinkPlan {
    var plan = plans.last ?? .root
    /// The number of nodes before the first whose stored route was not decoded. It may be decoded next time.
    var decoded: Int?
    for node in nodes[plans.count...] {
      if !plan.add(node), decoded == nil { decoded = plans.count }
      plans.append(plan)
    }
    if let decoded { plans.removeSubrange(decoded...) }
    return plan
  }
}

extension NodeTable {
  /// The visible part of the tree as it is now.
  var visible: VisibleTree {
    visibleTree.refresh(root)
    return visibleTree
  }
}
