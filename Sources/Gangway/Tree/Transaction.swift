/// Changes of a tree that become visible together or not at all.
///
/// Each step is applied at once and its inverse kept; a failure anywhere undoes them in reverse order.
@MainActor struct Transaction {
  enum Step {
    case inserted(Node)
    case removed(Node, from: Node, at: Int, Completion.Outcome)
    case replaced(Node, by: Node, Completion.Outcome)
    case selected(in: Node, before: Node?)
  }

  let tree: NavigationTree
  private(set) var steps: [Step] = []

  init(_ tree: NavigationTree) { self.tree = tree }

  mutating func insert(_ node: Node, into parent: Node, at index: Int? = nil) {
    let index = index ?? parent.children.count
    node.parent = parent
    parent.children.insert(node, at: index)
    tree.renumber(parent, from: index)
    steps.append(.inserted(node))
  }

  mutating func remove(_ node: Node, _ outcome: Completion.Outcome) {
    guard let parent = node.parent else { return }
    let index = node.position
    parent.children.remove(at: index)
    tree.renumber(parent, from: index)
    steps.append(.removed(node, from: parent, at: index, outcome))
  }

  /// Puts a node in the place of another; their siblings stay where they are.
  mutating func replace(_ node: Node, by successor: Node, _ outcome: Completion.Outcome) {
    guard let parent = node.parent else { return }
    put(successor, at: node.position, of: parent)
    steps.append(.replaced(node, by: successor, outcome))
  }

  private func put(_ node: Node, at position: Int, of parent: Node) {
    node.parent = parent
    node.position = position
    parent.children[position] = node
  }

  /// Removes the children from an index on, the top one first.
  mutating func remove(from index: Int, in parent: Node, _ outcome: Completion.Outcome) {
    while parent.children.count > index, let top = parent.children.last { remove(top, outcome) }
  }

  mutating func select(_ child: Node, in parent: Node) {
    steps.append(.selected(in: parent, before: parent.selection))
    parent.selection = child
    tree.markChanged(parent)
  }

  func rollBack() {
    for step in steps.reversed() {
      switch step {
      case .inserted(let node):
        guard let parent = node.parent else { continue }
        parent.children.remove(at: node.position)
        tree.renumber(parent, from: node.position)
        tree.discard(node)
      case .removed(let node, let parent, let index, _):
        parent.children.insert(node, at: index)
        tree.renumber(parent, from: index)
      case .replaced(let node, let successor, _):
        guard let parent = successor.parent else { continue }
        put(node, at: successor.position, of: parent)
        tree.discard(successor)
      case .selected(let parent, let before):
        parent.selection = before
      }
    }
  }
}
