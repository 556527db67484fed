import GangwayProtocol

/// What a person does from outside any flow: back, dismiss, tabs.
extension NavigationTree {
  /// The entry that one step back removes; nil where there is none.
  var backEntry: Node? {
    var candidate: Node?
    for node in sequence(first: root, next: { $0.topChild }) where node.parent?.stack != nil && node.position > 0 {
      candidate = node
    }
    return candidate
  }

  /// Whether a person's step back would be granted.
  var canGoBack: Bool { backEntry.map { $0.modalStyle?.isDismissible ?? true } ?? false }

  /// Removes the topmost entry, a modal first; a plan that waits for a guard is given up instead.
  func goBack() async throws {
    let reason = NavigationError(.cancelledByPerson, "The person went back while a guard was being asked.")
    if waitingPlan?.isRestoration == false, abandonWaitingPlan(reason) { return }
    try await carryOut(Intent(source: .person)) { transaction in
      guard let entry = backEntry else { throw NavigationError(.rootEntry, "There is nothing to go back to.") }
      transaction.perform(.back)
      try removeByHand(entry, transaction)
    }
  }

  /// Removes the topmost modal.
  func dismissModal() async throws {
    try await carryOut(Intent(source: .person)) { transaction in
      guard let modal = visibleModals.last else {
        throw NavigationError(.noParent, "Nothing is open that could be dismissed.")
      }
      transaction.perform(.dismiss)
      try removeByHand(modal, transaction)
    }
  }

  private func removeByHand(_ entry: Node, _ transaction: Transaction) throws {
    if let style = entry.modalStyle, !style.isDismissible, !Defect.dismissesWhatMustBeAnswered.isSeeded {
      throw NavigationError(.modalNotDismissible, "'\(entry.title)' must be answered; it cannot be dismissed.")
    }
    try remove(entry, .cancelled(.back), transaction)
  }

  /// Shows a tab; what it holds is made when it is first shown.
  func select(_ tab: Node, origin: Node?, _ transaction: Transaction) throws {
    guard let parent = tab.parent, case .tab = tab.style, case .flow(_, .tabs(let coordinator)) = parent.content else {
      throw NavigationError(.unknownTab, "'\(tab.title)' is no tab.")
    }
    transaction.target = .node(tab)
    if isVisible(parent) { try dismissModals(notContaining: parent, origin: origin, transaction) }
    guard parent.selection !== tab else { return }
    // The plugin's guards are asked, so it is here first; where it cannot be had, its tab says so.
    if tab.registeredTab != nil, let plugin = tab.plugin { _ = try registry.obtain(plugin) }
    if let route = tab.routeValue {
      try askEntering(route, in: parent, tabGuards(tab, coordinator), plugin: tab.plugin, transaction)
    }
    activate(tab)
    transaction.select(tab, in: parent)
  }

  func tabGuards<C: TabCoordinator>(_ tab: Node, _ coordinator: C) -> [NavigationGuard] {
    guard let route = try? resolvedRoute(tab, as: C.Tab.self) else { return [] }
    return coordinator.guards(for: route)
  }

  func isVisible(_ node: Node) -> Bool {
    node.ancestry.allSatisfy { node in
      guard let selection = node.parent?.selection else { return true }
      return selection === node
    }
  }

  /// A person's tap on a tab: selects it, or pops the stack of the one already shown.
  func tap(_ tab: Node) async throws {
    try await carryOut(Intent(source: .person), stored: { StoredIntent(tab: tab) }) { transaction in
      guard let parent = tab.parent, case .flow(_, .tabs(let coordinator)) = parent.content else {
        throw NavigationError(.unknownTab, "'\(tab.title)' is no tab any more.")
      }
      let isRepeat = parent.selection === tab && visibleModals.allSatisfy { $0.contains(parent) }
      transaction.perform(.select(tab))
      try select(tab, origin: nil, transaction)
      let answer = didTap(coordinator, tab, isRepeat)
      if isRepeat, answer == .popToRoot, tab.stack != nil {
        try transaction.remove(from: 1, in: tab, .cancelled(.popped))
      }
    }
  }

  private func didTap<C: TabCoordinator>(_ coordinator: C, _ tab: Node, _ isRepeat: Bool) -> RepeatedTap {
    guard let route = try? resolvedRoute(tab, as: C.Tab.self) else { return .stay }
    return coordinator.didTap(route, isRepeat: isRepeat)
  }
}
