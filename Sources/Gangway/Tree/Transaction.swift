@_spi(FrontEnd) import GangwayProtocol

/// Changes of a tree that become visible together or not at all.
///
/// Each step is applied at once, and its inverse is kept. A failure undoes the steps in reverse order. A planner has
/// one transaction, and uses it for one commit after the other.
@MainActor final class Transaction {
  enum Step {
    case inserted(Node)
    case removed(Node, from: Node, at: Int, Completion.Outcome)
    case replaced(Node, by: Node, Completion.Outcome)
    case selected(in: Node, before: Node?, after: Node?)
    case parked(Node, Bool)
    /// The children of a node, with their former order.
    case ordered(Node, before: [Node])
    /// A new payload for an entry that stays.
    case rerouted(Node, before: StoredRoute?)
  }

  /// The target of an operation, for leave guards.
  ///
  /// It is described only when a leave guard runs.
  enum Target {
    case unknown
    case route(RouteValue, in: Node)
    case node(Node)
  }

  typealias Delivery = (plugin: PluginID?, run: @MainActor () async throws -> Void)

  let table: NodeTable
  let maker: ContentMaker
  let removal: EntryRemoval
  // On the path of every navigation, and not checked for overlapping access: see ``Node``.
  @exclusivity(unchecked) private(set) var steps: [Step] = []
  @exclusivity(unchecked) var label = CommitLabel.tabs
  /// The number of operations.
  ///
  /// Several make a plan, whose errors name the failed one.
  @exclusivity(unchecked) private(set) var operations = 0
  @exclusivity(unchecked) var target = Target.unknown
  @exclusivity(unchecked) private(set) var source = NavigationRequest.Source.code
  /// The guard questions that were answered with permission.
  @exclusivity(unchecked) private(set) var allowed: Set<String> = []
  /// The flow that ends itself, whose own guards do not run.
  @exclusivity(unchecked) var endingFlow: Node?
  /// Whether this undoes or redoes a commit, and adds none to the history.
  @exclusivity(unchecked) var isHistoryStep = false
  /// Whether the commit cannot be undone: its plan was marked as final, or a flow ended with a value.
  @exclusivity(unchecked) var isFinal = false
  /// The handlers to run after the commit, each with its plugin.
  @exclusivity(unchecked) var deliveries: [Delivery] = []
  /// Whether a step removes an entry.
  @exclusivity(unchecked) private var removesEntries = false
  /// Whether leave guards run.
  @exclusivity(unchecked) var asksGuards = true

  init(table: NodeTable, maker: ContentMaker, removal: EntryRemoval) {
    self.table = table
    self.maker = maker
    self.removal = removal
  }

  func begin(_ source: NavigationRequest.Source, allowed: Set<String>) {
    if !steps.isEmpty { steps = [] }
    if !allowed.isEmpty || !self.allowed.isEmpty { self.allowed = allowed }
    operations = 0
    target = .unknown
    self.source = source
    endingFlow = nil
    isHistoryStep = false
    isFinal = false
    if !deliveries.isEmpty { deliveries = [] }
    removesEntries = false
    asksGuards = !Defect.skipsLeaveGuards.isSeeded
  }

  /// Notes the operation that the next changes belong to.
  func perform(_ step: consuming NavigationStep) {
    step.forgetFeatureValues()
    label = .step(step)
    operations += 1
  }

  // MARK: Steps

  func insert(_ node: Node, into parent: Node, at index: Int? = nil) {
    let index = index ?? parent.children.count
    node.parent = parent
    parent.insertChild(node, at: index)
    if node.modalStyle != nil { parent.modalCount += 1 }
    table.renumber(parent, from: index)
    steps.append(.inserted(node))
  }

  /// Removes a node, if its leave guards allow it.
  func remove(_ node: Node, _ outcome: Completion.Outcome) throws {
    guard let parent = node.parent else { return }
    if node.isStored { maker.rouse(node) }
    if asksGuards { try askLeaving(node) }
    if case .finished = outcome { isFinal = true }
    let index = node.position
    parent.removeChild(at: index)
    if node.modalStyle != nil { parent.modalCount -= 1 }
    table.renumber(parent, from: index)
    steps.append(.removed(node, from: parent, at: index, outcome))
    removesEntries = true
  }

  /// Replaces a node with another; their siblings keep their positions.
  func replace(_ node: Node, by successor: Node, _ outcome: Completion.Outcome) throws {
    guard let parent = node.parent else { return }
    if asksGuards { try askLeaving(node) }
    put(successor, at: node.position, of: parent)
    steps.append(.replaced(node, by: successor, outcome))
    removesEntries = true
  }

  private func put(_ node: Node, at position: Int, of parent: Node) {
    if parent.children[position].modalStyle != nil { parent.modalCount -= 1 }
    if node.modalStyle != nil { parent.modalCount += 1 }
    node.parent = parent
    node.position = position
    parent.replaceChild(at: position, with: node)
    table.markChanged(node)
  }

  /// Removes the children from an index on, the top one first.
  func remove(from index: Int, in parent: Node, _ outcome: Completion.Outcome) throws {
    while parent.children.count > index, let top = parent.children.last { try remove(top, outcome) }
  }

  func select(_ child: Node?, in parent: Node) {
    guard parent.selection !== child else { return }
    steps.append(.selected(in: parent, before: parent.selection, after: child))
    parent.selection = child
    table.markChanged(parent)
  }

  /// Removes a tab from the bar, or puts it back; its stack stays unchanged.
  func park(_ tab: Node, _ isParked: Bool) {
    guard tab.isParked != isParked else { return }
    steps.append(.parked(tab, tab.isParked))
    tab.isParked = isParked
    table.markChanged(tab)
  }

  /// Puts the children of a node in another order.
  func order(_ children: [Node], of parent: Node) {
    guard !parent.children.elementsEqual(children, by: { $0 === $1 }) else { return }
    steps.append(.ordered(parent, before: parent.children))
    parent.setChildren(children)
    table.renumber(parent, from: 0)
  }

  /// Gives an entry another route; its content stays unchanged.
  func reroute(_ node: Node, _ route: StoredRoute?) {
    steps.append(.rerouted(node, before: node.route))
    node.route = route
    node.noteChange()
    table.markChanged(node)
  }

  // MARK: End

  /// Ends the entries that this transaction removed.
  func finish() {
    guard removesEntries else { return }
    // A loop over the elements would copy each of them.
    for index in steps.indices {
      switch steps[index] {
      case .removed(let node, _, _, let outcome), .replaced(let node, _, let outcome): removal.end(node, outcome)
      case .inserted, .selected, .parked, .ordered, .rerouted: break
      }
    }
  }

  /// Moves the only step to the history, and keeps the space for the next one.
  func takeOnlyStep() -> Step { steps.removeLast() }

  /// Moves the steps to the history.
  func takeSteps() -> [Step] {
    let taken = steps
    steps = []
    // The next plan is likely to be as long.
    steps.reserveCapacity(min(taken.count, 32))
    return taken
  }

  /// Undoes every step, the last one first.
  func rollBack() {
    for step in steps.reversed() {
      switch step {
      case .inserted(let node):
        guard let parent = node.parent else { continue }
        parent.removeChild(at: node.position)
        if node.modalStyle != nil { parent.modalCount -= 1 }
        table.renumber(parent, from: node.position)
        removal.discard(node)
      case .removed(let node, let parent, let index, _):
        parent.insertChild(node, at: index)
        if node.modalStyle != nil { parent.modalCount += 1 }
        table.renumber(parent, from: index)
      case .replaced(let node, let successor, _):
        guard let parent = successor.parent else { continue }
        put(node, at: successor.position, of: parent)
        removal.discard(successor)
      case .selected(let parent, let before, _): parent.selection = before
      case .parked(let tab, let before): tab.isParked = before
      case .ordered(let parent, let before):
        parent.setChildren(before)
        table.renumber(parent, from: 0)
      case .rerouted(let node, let before):
        node.route = before
        node.noteChange()
      }
    }
    steps = []
  }
}

/// The name of a commit, for errors and history; its description is made on demand.
enum CommitLabel {
  /// The last step of the plan.
  case step(NavigationStep)
  /// The tabs that a coordinator offers have changed.
  case tabs
  /// An undo or a redo.
  case history

  @MainActor var description: String {
    switch self {
    case .step(let step): step.description
    case .tabs: "change tabs"
    case .history: "step through history"
    }
  }
}
