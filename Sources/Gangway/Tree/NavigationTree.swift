import GangwayProtocol

/// The state of one session's navigation, changed by transactions alone.
@MainActor final class NavigationTree {
  let root: Node
  let registry: Registry
  let services: SessionServices
  @exclusivity(unchecked) var nextID: NodeID = 1

  /// Nodes whose record in the checkpoint is out of date.
  @exclusivity(unchecked) private(set) var changed: Set<NodeID> = []
  /// Nodes that went since the last checkpoint.
  @exclusivity(unchecked) private(set) var removed: [NodeID] = []
  @exclusivity(unchecked) private(set) var nodes: [NodeID: Node] = [:]
  @exclusivity(unchecked) private(set) var isCommitting = false
  /// The plan that waits for a guard.
  @exclusivity(unchecked) var waitingPlan: WaitingPlan?
  /// Navigations that wait until no other is under way, in their order.
  @exclusivity(unchecked) private var turns: [(TrackedWork?, CheckedContinuation<Void, Never>)] = []
  private lazy var transaction = Transaction(self)
  /// What was committed, to be stepped through.
  let history = History()
  /// Plugins that entries wait for.
  var awaitedLoads: Set<String> = []
  /// What a plan that is under way waits for, for the person to read.
  var activity: String?
  /// Entries from a checkpoint that wait for their guards.
  var unadmitted: [Node] = []
  /// What is to be run when the commit is done, for the entries that ended in it.
  @exclusivity(unchecked) private var endings: [() -> Void] = []
  /// Counts commits that changed something.
  @exclusivity(unchecked) var commits = 0

  /// Runs the handlers of an entry that ended; the session tracks them.
  var run: (_ plugin: String?, _ work: @escaping @MainActor () async throws -> Void) -> Void = { _, _ in }
  /// Told after every commit.
  var didCommit: () -> Void = {}
  /// Told of something a person should know.
  var report: (Update.Notice) -> Void = { _ in }
  /// Told before an entry from a checkpoint is made.
  var willRestore: (Node) -> Void = { _ in }
  /// The coordinators that went, where a test asks for them.
  @exclusivity(unchecked) var departures: [Departure]?
  /// How many nodes are modals: without any, none is looked for.
  @exclusivity(unchecked) private(set) var modalNodes = 0
  /// The nodes whose result somebody waits for.
  @exclusivity(unchecked) var awaited: Set<NodeID> = []
  /// Told when an entry from a checkpoint waits for its guards.
  var isHeldBack: () -> Void = {}
  /// Signals that something observed has changed; may be called on any thread.
  let signal: RefreshSignal
  let makeRoot: @MainActor () throws -> any Coordinator
  /// The nodes that hold a coordinator now.
  @exclusivity(unchecked) private(set) var flows: [NodeID: Node] = [:]
  /// Those of them whose coordinator has a state to be stored, and those that hold tabs.
  private(set) var statefulFlows: [NodeID: Node] = [:]
  private(set) var tabFlows: [NodeID: Node] = [:]

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
    services.newestCoordinator = { [weak self] type in
      self?.flows.sorted { $0.key > $1.key }.lazy.compactMap(\.value.coordinator).first {
        ObjectIdentifier(Swift.type(of: $0)) == type
      }
    }
  }

  /// Runs a change of the tree: all of it happens, or nothing does.
  ///
  /// - Parameters:
  ///   - source: who wants it.
  ///   - allowed: the questions of guards that were answered already.
  /// - Throws: what `body` throws; the tree is then what it was, the numbers of its nodes included. An error of a plan
  ///   of several operations names the one that failed.
  @discardableResult func commit<Result>(
    _ source: NavigationRequest.Source = .code, allowed: Set<String> = [], _ body: (Transaction) throws -> Result
  ) throws -> Result {
    isCommitting = true
    let transaction = self.transaction
    transaction.begin(source)
    if !allowed.isEmpty { transaction.allowed = allowed }
    let next = nextID
    let result: Result
    do {
      result = try body(transaction)
    } catch {
      if !Defect.keepsChangesOfFailedPlans.isSeeded { transaction.rollBack() }
      nextID = next
      isCommitting = false
      wakeTurns()
      throw Self.naming(error, transaction)
    }
    guard !transaction.steps.isEmpty else {
      isCommitting = false
      wakeTurns()
      return result
    }
    commits += 1
    if !transaction.isHistoryStep { history.append(transaction) }
    for step in transaction.steps {
      switch step {
      case .removed(let node, _, _, let outcome), .replaced(let node, _, let outcome): end(node, outcome)
      case .inserted, .selected, .parked, .ordered: break
      }
    }
    didCommit()
    isCommitting = false
    if !endings.isEmpty { runEndings() }
    wakeTurns()
    return result
  }

  private func runEndings() {
    let handlers = endings
    endings = []
    for ending in handlers { ending() }
    if Defect.tellsEndingsTwice.isSeeded { for ending in handlers { ending() } }
  }

  /// Says which operation of a plan failed.
  private static func naming(_ error: any Error, _ transaction: Transaction) -> any Error {
    guard transaction.operations > 1, !(error is GuardQuestion), !(error is LoadNeeded) else { return error }
    let place = "Step \(transaction.operations) of the plan, \(transaction.operation.description), failed"
    guard let error = error as? NavigationError else { return NavigationError(.makingFailed, "\(place): \(error)") }
    return NavigationError(error.code, "\(place): \(error.message)")
  }

  // MARK: Turns

  /// Waits until the commit or the plan that is under way ends.
  func waitForTurn() async {
    let work = TrackedWork.current
    work?.beginWait()
    await withCheckedContinuation { turns.append((work, $0)) }
  }

  func wakeTurns() {
    guard !turns.isEmpty else { return }
    let waiting = turns
    turns = []
    for (work, continuation) in waiting {
      work?.endWait()
      continuation.resume()
    }
  }

  // MARK: Nodes

  func makeNode(_ style: Node.Style, route: StoredRoute?, plugin: String?) -> Node {
    let node = Node(id: nextID, style: style, route: route, plugin: plugin)
    nextID += 1
    adopt(node)
    return node
  }

  func adopt(_ node: Node) {
    if nodes.updateValue(node, forKey: node.id) == nil, node.modalStyle != nil { modalNodes += 1 }
    changed.insert(node.id)
  }

  private func forget(_ node: Node) {
    if nodes.removeValue(forKey: node.id) != nil, node.modalStyle != nil { modalNodes -= 1 }
    changed.remove(node.id)
  }

  /// The coordinator of a type whose node is the newest.
  func newest<C: Coordinator>(_ type: C.Type) -> C? {
    flows.sorted { $0.key > $1.key }.lazy.compactMap { $0.value.coordinator as? C }.first
  }

  /// Notes that a node holds a coordinator.
  ///
  /// - Throws: `coordinatorInUse` if another node does.
  func hold(_ coordinator: any Coordinator, in node: Node) throws {
    try Attachments.add(coordinator, to: node, of: self)
    node.coordinatorName = "\(type(of: coordinator))"
    let kind = coordinator._kind
    node.content = .flow(coordinator, kind)
    flows[node.id] = node
    if Self.hasState(coordinator) { statefulFlows[node.id] = node }
    if case .tabs = kind { tabFlows[node.id] = node }
  }

  private static func hasState<C: Coordinator>(_ coordinator: C) -> Bool { C.State.self != NoState.self }

  func markChanged(_ node: Node) { changed.insert(node.id) }

  func renumber(_ parent: Node, from index: Int) {
    if Defect.forgetsPositions.isSeeded, index > 0 { return }
    for position in index..<max(index, parent.children.count) where parent.children[position].position != position {
      parent.children[position].position = position
      changed.insert(parent.children[position].id)
    }
  }

  /// Forgets a node that never became visible.
  func discard(_ node: Node) {
    for node in node.subtree {
      forget(node)
      awaited.remove(node.id)
      release(node)
      node.parent = nil
    }
  }

  /// Ends an entry and all below it: their flows are released and whoever waits for them is told.
  private func end(_ top: Node, _ outcome: Completion.Outcome) {
    if top.children.isEmpty { return endAlone(top, outcome) }
    let below: Completion.Outcome
    if case .cancelled = outcome { below = outcome } else { below = .cancelled(.popped) }
    for node in top.subtree { endAlone(node, node === top ? outcome : below) }
  }

  private func endAlone(_ node: Node, _ outcome: Completion.Outcome) {
    if !Defect.keepsOrphans.isSeeded { forget(node) }
    removed.append(node.id)
    resolve(node, outcome)
    if departures != nil, let coordinator = node.coordinator { departures?.append(Departure(coordinator)) }
    release(node)
    node.parent = nil
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
      } else if let parked = completion.parkedIntent, completion.awaiter == nil {
        endings.append { [run, weak self] in run(owner) { try await self?.resume(parked) } }
      } else if completion.lostAwaiter {
        report(
          .init(
            .information,
            "'\(node.title)' ended, but what waited for its result ended with the host before. Declare onFinish: at "
              + "its destination to keep it.", plugin: owner))
      }
    case .cancelled(let reason):
      if let handler = completion.onCancel { endings.append { [run] in run(owner) { try await handler(reason) } } }
    case .failed(let error):
      if let handler = completion.onCancel { endings.append { [run] in run(owner) { try await handler(.failed) } } }
      // Whoever waits for the result gets the error itself.
      if completion.awaiter == nil {
        report(.init(.failure, "'\(node.title)' failed: \(error)", plugin: node.plugin))
      }
    }
    if let awaiter = completion.awaiter {
      awaited.remove(node.id)
      endings.append { awaiter(outcome) }
    }
    if let handler = completion.onDismiss { endings.append { [run] in run(owner) { try await handler() } } }
  }

  func release(_ node: Node) {
    if let coordinator = node.coordinator { Attachments.remove(coordinator) }
    if case .flow = node.content {
      flows[node.id] = nil
      statefulFlows[node.id] = nil
      tabFlows[node.id] = nil
    }
    node.screen?.stop()
    node.content = .dormant
  }

  /// Ends every entry, as when the session closes.
  func close() {
    _ = abandonWaitingPlan(NavigationError(.superseded, "The session ended."))
    end(root, .cancelled(.sessionEnded))
    root.children = []
    runEndings()
  }

  /// Forgets every entry without telling anybody.
  func abandon() {
    _ = abandonWaitingPlan(NavigationError(.superseded, "The session ended."))
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
