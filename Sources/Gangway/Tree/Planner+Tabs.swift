@_spi(FrontEnd) import GangwayProtocol

/// Updates to the tabs that coordinators offer while a session runs.
extension Planner {
  /// Updates the bars to the tabs that their coordinators offer now, each in one commit.
  ///
  /// - Parameter run: carries out work that has to wait for a guard.
  func updateTabs(_ run: (@escaping @MainActor () async throws -> Void) -> Void) {
    for node in table.tabFlows.values.sorted(by: { $0.id < $1.id }) {
      guard case .flow(.tabs(let coordinator)) = node.phase else { continue }
      updateTabs(coordinator, node, run)
    }
  }

  /// Updates the bars before a plan names a tab, because code may have changed the tabs a moment ago.
  ///
  /// A change that has to wait for a guard takes its turn before the plan.
  func updateTabs() {
    // A guard cannot navigate, and its plan changes no bar.
    guard WaitingPlan.asking == nil else { return }
    updateTabs { [hooks] change in hooks.run(nil, change) }
  }

  private func updateTabs<C: TabCoordinator>(
    _ coordinator: C, _ node: Node, _ run: (@escaping @MainActor () async throws -> Void) -> Void
  ) {
    guard !C._tracksState || node.readTabs.isStale else { return }
    let shown = node.children.filter { !$0.isParked }
    let wanted = node.readTabs.read {
      let wanted = coordinator.tabs
      // The labels of the tabs are followed, too.
      for (child, tab) in zip(shown, wanted) where child.routeValue.map({ tab.isEqual(toAny: $0) }) == true {
        maker.describe(child, coordinator.item(for: tab))
      }
      return wanted
    } onChange: { [signal = maker.signal] in
      signal.raise()
    }
    let isCurrent =
      shown.count == wanted.count
      && zip(shown, wanted).allSatisfy { child, tab in child.routeValue.map { tab.isEqual(toAny: $0) } ?? false }
    guard !isCurrent else { return }
    run { [weak self, weak node] in
      guard let self, let node else { return }
      try await changeTabs(of: node, coordinator)
    }
  }

  /// Adds tabs to a bar and removes others.
  ///
  /// If the selected tab goes, the next tab that its guards admit replaces it.
  private func changeTabs<C: TabCoordinator>(of node: Node, _ coordinator: C) async throws {
    var refused: Set<NodeID> = []
    while table.flows[node.id] === node {
      var candidate: Node?
      do {
        return try await carryOut { transaction in
          candidate = nil
          transaction.label = .tabs
          // The coordinator has decided, so leave guards do not run.
          transaction.asksGuards = false
          transaction.arrange(coordinator, node)
          // Everything in the tab that goes, modals too, is hidden before the next tab is shown.
          if let selection = node.selection, selection.isParked { transaction.select(nil, in: node) }
          try transaction.close(coordinator, node)
          let offered = node.children.filter { !$0.isParked }
          if let selection = node.selection, offered.contains(where: { $0 === selection }) { return }
          candidate = offered.first { !refused.contains($0.id) }
          guard let next = candidate else { return transaction.select(nil, in: node) }
          try transaction.select(next, origin: nil)
        }
      } catch let error as NavigationError where error.code == .superseded {
        // The user went elsewhere in the meantime. The bar must follow all the same, and no tab was refused.
        continue
      } catch let error as NavigationError {
        guard let candidate else { throw error }
        refused.insert(candidate.id)
      }
    }
  }
}

extension Transaction {
  /// Puts the offered tabs on the bar, in their order, and parks the tabs that are no longer offered.
  fileprivate func arrange<C: TabCoordinator>(_ coordinator: C, _ node: Node) {
    var byTab: [C.Tab: Node] = [:]
    for child in node.children {
      guard let tab = try? child.resolvedRoute(as: C.Tab.self), byTab[tab] == nil else { continue }
      byTab[tab] = child
    }
    var offered: [Node] = []
    for tab in coordinator.tabs {
      let child: Node
      if let there = byTab.removeValue(forKey: tab) {
        park(there, false)
        child = there
      } else {
        child = table.makeNode(.tab, route: StoredRoute(.route(tab)), plugin: nil)
        insert(child, into: node)
      }
      offered.append(child)
      maker.describe(child, coordinator.item(for: tab))
    }
    let ids = Set(offered.map(\.id))
    let rest = node.children.filter { !ids.contains($0.id) }
    for child in rest { park(child, true) }
    order(offered + rest, of: node)
  }

  /// Ends the flows of removed tabs, unless their coordinator keeps them.
  fileprivate func close<C: TabCoordinator>(_ coordinator: C, _ node: Node) throws {
    for child in node.children where child.isParked {
      guard let tab = try? child.resolvedRoute(as: C.Tab.self), coordinator.onRemoval(of: tab) == .close else {
        continue
      }
      try remove(child, .cancelled(.tabRemoved))
    }
  }
}
