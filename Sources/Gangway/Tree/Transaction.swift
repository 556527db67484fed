/// Changes of a tree that become visible together or not at all.
///
/// Each step is applied at once and its inverse kept; a failure anywhere undoes them in reverse order. A tree has one
/// such object, used for one commit after the other.
///
/// Properties on the way of every navigation are not checked for overlapping access at run time, which would cost a fifth
/// of it: all of this runs on the main actor, and no closure of an author's runs while one of them is being changed.
@MainActor final class Transaction {
  enum Step {
    case inserted(Node)
    case removed(Node, from: Node, at: Int, Completion.Outcome)
    case replaced(Node, by: Node, Completion.Outcome)
    case selected(in: Node, before: Node?, after: Node?)
    case parked(Node, Bool)
    /// The children of a node in the order they had.
    case ordered(Node, before: [Node])
  }

  /// What is being done, for guards, errors and history. Cheap to make: it is described only when somebody asks.
  enum Operation {
    case none
    case show(RouteValue)
    case root(RouteValue)
    case focus(RouteValue)
    case set(count: Int)
    case pop, popToRoot, finish, cancel, dismissFlow, back, dismiss, tabs, step
    case select(Node)

    @MainActor var description: String {
      switch self {
      case .none: "change"
      case .show(let route): "show \(route.description)"
      case .root(let route): "root \(route.description)"
      case .focus(let route): "focus \(route.description)"
      case .set(let count): "set \(count) routes"
      case .pop: "pop"
      case .popToRoot: "popToRoot"
      case .finish: "finish"
      case .cancel: "cancel"
      case .dismissFlow: "dismissFlow"
      case .back: "back"
      case .dismiss: "dismiss"
      case .tabs: "change tabs"
      case .step: "step through history"
      case .select(let tab): "select '\(tab.title)'"
      }
    }
  }

  /// Owns this transaction, and so outlives it.
  unowned(unsafe) let tree: NavigationTree
  @exclusivity(unchecked) private(set) var steps: [Step] = []
  @exclusivity(unchecked) private(set) var operation = Operation.none
  /// How many operations it has; more than one make a plan, whose errors name the one that failed.
  @exclusivity(unchecked) private(set) var operations = 0
  /// Where an operation leads, for leave guards; described when one asks.
  enum Target {
    case unknown
    case route(RouteValue, in: Node)
    case node(Node)
  }

  @exclusivity(unchecked) var target = Target.unknown
  @exclusivity(unchecked) var source = NavigationRequest.Source.code
  /// The questions of guards that were answered so that the plan may go on.
  @exclusivity(unchecked) var allowed: Set<String> = []
  /// The flow that ends by itself, whose own guards are not asked.
  @exclusivity(unchecked) var endingFlow: Node?
  /// Whether it steps through history, and so is no new part of it.
  @exclusivity(unchecked) var isHistoryStep = false
  /// Whether leave guards are asked.
  @exclusivity(unchecked) var asksGuards = true

  init(_ tree: NavigationTree) { self.tree = tree }

  func begin(_ source: NavigationRequest.Source) {
    if !steps.isEmpty { steps.removeAll(keepingCapacity: true) }
    if !allowed.isEmpty { allowed = [] }
    operations = 0
    self.source = source
    endingFlow = nil
    isHistoryStep = false
    asksGuards = !Defect.skipsLeaveGuards.isSeeded
  }

  /// Notes the operation that the next steps belong to.
  func perform(_ operation: Operation) {
    self.operation = operation
    operations += 1
  }

  func insert(_ node: Node, into parent: Node, at index: Int? = nil) {
    let index = index ?? parent.children.count
    node.parent = parent
    parent.children.insert(node, at: index)
    if node.modalStyle != nil { parent.modalCount += 1 }
    tree.renumber(parent, from: index)
    steps.append(.inserted(node))
  }

  /// Takes a node away, if its guards let it go.
  func remove(_ node: Node, _ outcome: Completion.Outcome) throws {
    guard let parent = node.parent else { return }
    if node.isRestored { tree.rouse(node) }
    if asksGuards { try tree.askLeaving(node, self) }
    let index = node.position
    parent.children.remove(at: index)
    if node.modalStyle != nil { parent.modalCount -= 1 }
    tree.renumber(parent, from: index)
    steps.append(.removed(node, from: parent, at: index, outcome))
  }

  /// Puts a node in the place of another; their siblings stay where they are.
  func replace(_ node: Node, by successor: Node, _ outcome: Completion.Outcome) throws {
    guard let parent = node.parent else { return }
    if asksGuards { try tree.askLeaving(node, self) }
    put(successor, at: node.position, of: parent)
    steps.append(.replaced(node, by: successor, outcome))
  }

  private func put(_ node: Node, at position: Int, of parent: Node) {
    if parent.children[position].modalStyle != nil { parent.modalCount -= 1 }
    if node.modalStyle != nil { parent.modalCount += 1 }
    node.parent = parent
    node.position = position
    parent.children[position] = node
    tree.markChanged(node)
  }

  /// Removes the children from an index on, the top one first.
  func remove(from index: Int, in parent: Node, _ outcome: Completion.Outcome) throws {
    while parent.children.count > index, let top = parent.children.last { try remove(top, outcome) }
  }

  func select(_ child: Node?, in parent: Node) {
    guard parent.selection !== child else { return }
    steps.append(.selected(in: parent, before: parent.selection, after: child))
    parent.selection = child
    tree.markChanged(parent)
  }

  /// Takes a tab off the bar, or puts it there again; its stack stays as it is.
  func park(_ tab: Node, _ isParked: Bool) {
    guard tab.isParked != isParked else { return }
    steps.append(.parked(tab, tab.isParked))
    tab.isParked = isParked
    tree.markChanged(tab)
  }

  /// Puts the children of a node in another order.
  func order(_ children: [Node], of parent: Node) {
    guard !parent.children.elementsEqual(children, by: { $0 === $1 }) else { return }
    steps.append(.ordered(parent, before: parent.children))
    parent.children = children
    tree.renumber(parent, from: 0)
  }

  func rollBack() {
    for step in steps.reversed() {
      switch step {
      case .inserted(let node):
        guard let parent = node.parent else { continue }
        parent.children.remove(at: node.position)
        if node.modalStyle != nil { parent.modalCount -= 1 }
        tree.renumber(parent, from: node.position)
        tree.discard(node)
      case .removed(let node, let parent, let index, _):
        parent.children.insert(node, at: index)
        if node.modalStyle != nil { parent.modalCount += 1 }
        tree.renumber(parent, from: index)
      case .replaced(let node, let successor, _):
        guard let parent = successor.parent else { continue }
        put(node, at: successor.position, of: parent)
        tree.discard(successor)
      case .selected(let parent, let before, _): parent.selection = before
      case .parked(let tab, let before): tab.isParked = before
      case .ordered(let parent, let before):
        parent.children = before
        tree.renumber(parent, from: 0)
      }
    }
    steps = []
  }
}
