/// The commits of a session, the newest last: what can be read, stepped back and forward.
///
/// What an entry that went had is kept as it is in a checkpoint; its coordinator is not. It lives as long as its host.
@MainActor final class History {
  struct Commit {
    let number: Int
    let source: NavigationRequest.Source
    let operation: Transaction.Operation
    let isPlan: Bool
    var steps: [Transaction.Step]
  }

  /// How many commits are kept.
  static let limit = 100

  @exclusivity(unchecked) private var ring: [Commit] = []
  @exclusivity(unchecked) private var first = 0
  @exclusivity(unchecked) private(set) var undone: [Commit] = []
  @exclusivity(unchecked) private var count = 0

  func append(_ transaction: Transaction) {
    count += 1
    if !undone.isEmpty { undone = [] }
    push(
      Commit(
        number: count, source: transaction.source, operation: transaction.operation,
        isPlan: transaction.operations > 1, steps: transaction.steps))
  }

  private func push(_ commit: consuming Commit) {
    if ring.count < Self.limit {
      ring.append(commit)
    } else {
      ring[first] = commit
      first = (first + 1) % Self.limit
    }
  }

  /// The commits that can be stepped back, the oldest first.
  var done: [Commit] { Array(ring[first...] + ring[..<first]) }

  var last: Commit? { ring.isEmpty ? nil : ring[(first + ring.count - 1) % ring.count] }

  /// Notes that the last commit was undone by these steps.
  func stepBack(_ steps: [Transaction.Step]) {
    var all = done
    guard var commit = all.popLast() else { return }
    (ring, first) = (all, 0)
    commit.steps = steps
    undone.append(commit)
  }

  /// Notes that the commit undone last was done again by these steps.
  func stepForward(_ steps: [Transaction.Step]) {
    guard var commit = undone.popLast() else { return }
    commit.steps = steps
    push(commit)
  }
}

/// A commit of a session, as its history tells it.
public struct HistoryEntry: Hashable, Sendable, CustomStringConvertible {
  /// Counts the session's commits from 1.
  public let number: Int
  /// Who wanted it.
  public let source: NavigationRequest.Source
  /// What was done, such as `show detail(1)`; of a plan, its last operation.
  public let operation: String
  /// Whether it was stepped back, and can be stepped forward to.
  public let isUndone: Bool

  /// The entry in a line.
  public var description: String {
    "\(number)  \(source.rawValue)  \(operation)" + (isUndone ? "  (undone)" : "")
  }

  @MainActor init(_ commit: History.Commit, isUndone: Bool) {
    number = commit.number
    source = commit.source
    operation = commit.operation.description + (commit.isPlan ? " (end of a plan)" : "")
    self.isUndone = isUndone
  }
}

/// Stepping through the commits of a session.
extension NavigationTree {
  var historyEntries: [HistoryEntry] {
    history.done.map { HistoryEntry($0, isUndone: false) }
      + history.undone.reversed().map { HistoryEntry($0, isUndone: true) }
  }

  /// Undoes the last commit, as a commit of its own that the guards are asked about.
  func stepBack() async throws {
    let steps = try await carryOut(Intent(source: .person)) { transaction in
      guard let commit = history.last else { throw NavigationError(.noHistory, "There is nothing to step back to.") }
      return try invert(commit, transaction)
    }
    history.stepBack(steps)
  }

  /// Does again what was undone last.
  func stepForward() async throws {
    let steps = try await carryOut(Intent(source: .person)) { transaction in
      guard let commit = history.undone.last else {
        throw NavigationError(.noHistory, "There is nothing to step forward to.")
      }
      return try invert(commit, transaction)
    }
    history.stepForward(steps)
  }

  private func invert(_ commit: History.Commit, _ transaction: Transaction) throws -> [Transaction.Step] {
    if case .tabs = commit.operation {
      throw NavigationError(
        .noHistory, "The tabs follow what their coordinator offers; a change of them is not stepped through.")
    }
    transaction.perform(.step)
    transaction.isHistoryStep = true
    for step in commit.steps.reversed() {
      switch step {
      case .inserted(let node):
        try requirePresent(node)
        try transaction.remove(node, .cancelled(.undone))
      case .removed(let node, let parent, let index, _):
        try requirePresent(parent)
        try revive(node, in: parent, transaction)
        transaction.insert(node, into: parent, at: min(index, parent.children.count))
      case .replaced(let node, let successor, _):
        try requirePresent(successor)
        guard let parent = successor.parent else { continue }
        try revive(node, in: parent, transaction)
        try transaction.replace(successor, by: node, .cancelled(.undone))
      case .selected(let parent, let before, _):
        try requirePresent(parent)
        before.map(activate)
        transaction.select(before, in: parent)
      case .parked(let tab, let before): transaction.park(tab, before)
      case .ordered(let parent, let before): transaction.order(before, of: parent)
      }
    }
    return transaction.steps
  }

  private func requirePresent(_ node: Node) throws {
    guard nodes[node.id] === node else {
      throw NavigationError(.noHistory, "'\(node.title)' is no longer there, so the commit cannot be undone.")
    }
  }

  /// Makes an entry that went ready to stand in the tree again, as one from a checkpoint is.
  private func revive(_ node: Node, in parent: Node, _ transaction: Transaction) throws {
    if let route = node.routeValue {
      try askEntering(route, in: parent, try ownGuards(of: node, route, in: parent), plugin: node.plugin, transaction)
    }
    wake(node, in: parent)
    activate(node)
  }

  private func wake(_ node: Node, in parent: Node) {
    node.parent = parent
    node.isRestored = true
    node.hasValuesToRestore = !node.values.isEmpty
    adopt(node)
    for child in node.children { wake(child, in: node) }
  }

  /// The guards that a route's coordinator, or the plugin that registered the place, declares for it.
  ///
  /// - Throws: ``LoadNeeded``.
  func ownGuards(of node: Node, _ route: RouteValue, in parent: Node) throws -> [NavigationGuard] {
    if node.registeredTab != nil, let plugin = node.plugin { _ = try registry.obtain(plugin) }
    if case .place(let place) = route { return try guards(of: place.id) }
    guard case .flow(_, let kind) = parent.content else { return [] }
    switch kind {
    case .stack(let stack): return try routeGuards(of: node, stack)
    case .tabs(let tabs): return tabGuards(node, tabs)
    case .wrapper: return []
    }
  }

  private func routeGuards<C: StackCoordinator>(of node: Node, _ coordinator: C) throws -> [NavigationGuard] {
    guard let route = try? resolvedRoute(node, as: C.Route.self) else { return [] }
    var guards = coordinator.guards(for: route)
    if case .place(let id, _) = coordinator.destination(for: route).target {
      guards += try self.guards(of: id)
    }
    return guards
  }
}
