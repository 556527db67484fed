import GangwayProtocol

/// The state of one session's navigation, changed by transactions alone.
@MainActor final class NavigationTree {
  let root: Node
  let registry: Registry
  let services: SessionServices
  var nextID: NodeID = 1

  /// Nodes whose record in the checkpoint is out of date.
  private(set) var changed: Set<NodeID> = []
  /// Nodes that went since the last checkpoint.
  private(set) var removed: [NodeID] = []
  private(set) var nodes: [NodeID: Node] = [:]
  private(set) var isCommitting = false
  /// What is to be run when the commit is done, for the entries that ended in it.
  private var endings: [() -> Void] = []
  /// Counts commits that changed something.
  private(set) var commits = 0

  /// Runs the handlers of an entry that ended; the session tracks them.
  var run: (_ plugin: String?, _ work: @escaping @MainActor () async throws -> Void) -> Void = { _, _ in }
  /// Told after every commit.
  var didCommit: () -> Void = {}
  /// Told of something a person should know.
  var report: (Update.Notice) -> Void = { _ in }
  /// Told before an entry from a checkpoint is made.
  var willRestore: (Node) -> Void = { _ in }
  /// Signals that something observed has changed; may be called on any thread.
  let signal: RefreshSignal
  let makeRoot: @MainActor () throws -> any Coordinator
  /// The nodes that hold a coordinator now.
  private(set) var flows: [NodeID: Node] = [:]

  init(
    registry: Registry, services: SessionServices, signal: RefreshSignal,
    root makeRoot: @escaping @MainActor () throws -> any Coordinator
  ) {
    self.registry = registry
    self.services = services
    self.signal = signal
    self.makeRoot = makeRoot
    root = Node(id: Checkpoint.rootNode, style: .root, route: nil, plugin: nil)
    root.title = "Root"
    nextID = root.id + 1
    adopt(root)
  }

  isolated deinit { abandon() }

  /// Runs a change of the tree: all of it happens, or nothing does.
  ///
  /// - Throws: what `body` throws; the tree is then what it was, the numbers of its nodes included.
  @discardableResult func commit<Result>(_ body: (inout Transaction) throws -> Result) throws -> Result {
    isCommitting = true
    defer { isCommitting = false }
    var transaction = Transaction(self)
    let next = nextID
    let result: Result
    do {
      result = try body(&transaction)
    } catch {
      transaction.rollBack()
      nextID = next
      throw error
    }
    guard !transaction.steps.isEmpty else { return result }
    commits += 1
    for step in transaction.steps {
      switch step {
      case .removed(let node, _, _, let outcome), .replaced(let node, _, let outcome): end(node, outcome)
      case .inserted, .selected: break
      }
    }
    didCommit()
    isCommitting = false
    let handlers = endings
    endings = []
    for ending in handlers { ending() }
    return result
  }

  /// Waits while a commit is under way: code that it runs may ask for a navigation, which then comes after it.
  func turn() async {
    while isCommitting { await Task.yield() }
  }

  // MARK: Nodes

  func makeNode(_ style: Node.Style, route: StoredRoute?, plugin: String?) -> Node {
    let node = Node(id: nextID, style: style, route: route, plugin: plugin)
    nextID += 1
    adopt(node)
    return node
  }

  func adopt(_ node: Node) {
    nodes[node.id] = node
    changed.insert(node.id)
  }

  /// Notes that a node holds a coordinator.
  ///
  /// - Throws: `coordinatorInUse` if another node does.
  func hold(_ coordinator: any Coordinator, in node: Node) throws {
    try Attachments.add(coordinator, to: node, of: self)
    node.coordinatorName = "\(type(of: coordinator))"
    node.content = .flow(coordinator, coordinator._kind)
    flows[node.id] = node
  }

  func markChanged(_ node: Node) { changed.insert(node.id) }

  func renumber(_ parent: Node, from index: Int) {
    for position in index..<max(index, parent.children.count) where parent.children[position].position != position {
      parent.children[position].position = position
      changed.insert(parent.children[position].id)
    }
  }

  /// Forgets a node that never became visible.
  func discard(_ node: Node) {
    for node in node.subtree {
      nodes[node.id] = nil
      changed.remove(node.id)
      release(node)
      node.parent = nil
    }
  }

  /// Ends an entry and all below it: their flows are released and whoever waits for them is told.
  private func end(_ top: Node, _ outcome: Completion.Outcome) {
    for node in top.subtree {
      nodes[node.id] = nil
      changed.remove(node.id)
      removed.append(node.id)
      let below: Completion.Outcome
      if node === top {
        below = outcome
      } else if case .cancelled = outcome {
        below = outcome
      } else {
        below = .cancelled(.popped)
      }
      resolve(node, below)
      release(node)
      node.parent = nil
    }
  }

  /// Notes whom to tell of an ending once the commit is done; the entry forgets them, so each is told once.
  private func resolve(_ node: Node, _ outcome: Completion.Outcome) {
    let completion = node.completion
    node.completion = Completion()
    let owner = node.parent?.plugin
    switch outcome {
    case .finished(let value):
      if let handler = completion.onFinish {
        endings.append { [run] in run(owner) { try await handler(value) } }
      } else if completion.lostAwaiter {
        report(
          .init(
            .information,
            "'\(node.title)' ended, but what waited for its result ended with the host before. Declare onFinish: at "
              + "its destination to keep it.", plugin: owner))
      }
    case .cancelled(let reason):
      if let handler = completion.onCancel { endings.append { [run] in run(owner) { try await handler(reason) } } }
    }
    if let awaiter = completion.awaiter { endings.append { awaiter(outcome) } }
    if let handler = completion.onDismiss { endings.append { [run] in run(owner) { try await handler() } } }
  }

  func release(_ node: Node) {
    if let coordinator = node.coordinator { Attachments.remove(coordinator) }
    flows[node.id] = nil
    node.screen?.stop()
    node.content = .dormant
  }

  /// Ends every entry, as when the session closes.
  func close() {
    end(root, .cancelled(.sessionEnded))
    root.children = []
    let handlers = endings
    endings = []
    for ending in handlers { ending() }
  }

  /// Forgets every entry without telling anybody.
  func abandon() {
    for node in root.subtree {
      release(node)
      node.parent = nil
    }
    root.children = []
  }

  /// Gives out what changed since the last time.
  func takeChanges() -> (changed: Set<NodeID>, removed: [NodeID]) {
    defer {
      changed = []
      removed = []
    }
    return (changed, removed)
  }
}

/// Which node holds which coordinator: what lets a router be found without storage in the coordinator.
@MainActor enum Attachments {
  private struct Attachment {
    /// Strong: the tree takes the attachment away when the node goes.
    let node: Node
    weak var tree: NavigationTree?
  }
  private static var table: [ObjectIdentifier: Attachment] = [:]

  static func add(_ coordinator: any Coordinator, to node: Node, of tree: NavigationTree) throws {
    if find(coordinator) != nil {
      throw NavigationError(
        .coordinatorInUse,
        "\(type(of: coordinator)) is shown already. A destination's builder makes a new coordinator each time.")
    }
    table[ObjectIdentifier(coordinator)] = Attachment(node: node, tree: tree)
  }

  static func remove(_ coordinator: any Coordinator) { table[ObjectIdentifier(coordinator)] = nil }

  static func find(_ coordinator: AnyObject) -> (node: Node, tree: NavigationTree)? {
    guard let attachment = table[ObjectIdentifier(coordinator)], let tree = attachment.tree,
      attachment.node.coordinator === coordinator
    else { return nil }
    return (attachment.node, tree)
  }
}
