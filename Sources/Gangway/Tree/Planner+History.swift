/// Undo and redo of a session's commits.
extension Planner {
  var historyEntries: [HistoryEntry] {
    history.done.map { HistoryEntry($0, isUndone: false) }
      + history.undone.reversed().map { HistoryEntry($0, isUndone: true) }
  }

  /// Undoes the last commit with a commit of its own, for which guards run.
  func stepBack() async throws {
    let steps = try await carryOut(Intent(source: .person)) { transaction in
      guard let commit = history.last else { throw NavigationError(.nothingToUndo) }
      guard !commit.isFinal else { throw NavigationError(.finalCommit(operation: commit.label.description)) }
      return try transaction.invert(commit)
    }
    history.stepBack(steps)
  }

  /// Redoes the last undone commit.
  func stepForward() async throws {
    let steps = try await carryOut(Intent(source: .person)) { transaction in
      guard let commit = history.undone.last else { throw NavigationError(.nothingToRedo) }
      return try transaction.invert(commit)
    }
    history.stepForward(steps)
  }
}

extension Transaction {
  /// Undoes a commit by the inverse of each of its steps.
  ///
  /// - Returns: the steps of the undo, whose inverses redo the commit.
  fileprivate func invert(_ commit: History.Commit) throws -> [Step] {
    if case .tabs = commit.label { throw NavigationError(.tabsAreNotUndone) }
    label = .history
    isHistoryStep = true
    for step in commit.steps.reversed() {
      switch step {
      case .inserted(let node):
        try requirePresent(node)
        try remove(node, .cancelled(.undone))
      case .removed(let node, let parent, let index, _):
        try requirePresent(parent)
        try revive(node, in: parent)
        insert(node, into: parent, at: min(index, parent.children.count))
      case .replaced(let node, let successor, _):
        try requirePresent(successor)
        guard let parent = successor.parent else { continue }
        try revive(node, in: parent)
        try replace(successor, by: node, .cancelled(.undone))
      case .selected(let parent, let before, _):
        try requirePresent(parent)
        before.map(maker.activate)
        select(before, in: parent)
      case .parked(let tab, let before): park(tab, before)
      case .ordered(let parent, let before):
        // An unrecorded change may have added or removed an entry since. It would be lost, or come back.
        guard Set(before.map(\.id)) == Set(parent.children.map(\.id)) else {
          throw NavigationError(.undoneEntryGone(title: parent.title))
        }
        order(before, of: parent)
      case .rerouted(let node, let before):
        try requirePresent(node)
        reroute(node, before)
        // The guards of the restored route run. A refusal rolls back this step, too.
        if let parent = node.parent, let value = node.routeValue {
          try askEntering(value, in: parent, try maker.ownGuards(of: node, value, in: parent), plugin: node.plugin)
        }
        // The screen was made for the other payload.
        if node.screen != nil { maker.remake(node) }
      }
    }
    return steps
  }

  private func requirePresent(_ node: Node) throws {
    guard table.nodes[node.id] === node else { throw NavigationError(.undoneEntryGone(title: node.title)) }
  }

  /// Prepares a removed entry to return to the tree, like an entry from a checkpoint.
  private func revive(_ node: Node, in parent: Node) throws {
    if let route = node.routeValue {
      try askEntering(route, in: parent, try maker.ownGuards(of: node, route, in: parent), plugin: node.plugin)
    }
    wake(node, in: parent)
    maker.activate(node)
  }

  private func wake(_ node: Node, in parent: Node) {
    node.parent = parent
    node.phase = .waiting(.checkpoint)
    node.awaitStoredInputs()
    table.adopt(node)
    for child in node.children { wake(child, in: node) }
  }
}
