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

  /// Removes the topmost entry, a modal first.
  func goBack() throws {
    guard let entry = backEntry else {
      throw NavigationError(.rootEntry, "There is nothing to go back to.")
    }
    try removeByHand(entry)
  }

  /// Removes the topmost modal.
  func dismissModal() throws {
    guard let modal = visibleModals.last else {
      throw NavigationError(.noParent, "Nothing is open that could be dismissed.")
    }
    try removeByHand(modal)
  }

  private func removeByHand(_ entry: Node) throws {
    if let style = entry.modalStyle, !style.isDismissible {
      throw NavigationError(.modalNotDismissible, "'\(entry.title)' must be answered; it cannot be dismissed.")
    }
    try commit { try remove(entry, .cancelled(.back), &$0) }
  }

  /// Shows a tab; what it holds is made when it is first shown.
  func select(_ tab: Node, origin: Node?, _ transaction: inout Transaction) throws {
    guard let parent = tab.parent, case .tab = tab.style else {
      throw NavigationError(.unknownTab, "'\(tab.title)' is no tab.")
    }
    if isVisible(parent) { try dismissModals(notContaining: parent, origin: origin, &transaction) }
    guard parent.selection !== tab else { return }
    activate(tab)
    transaction.select(tab, in: parent)
  }

  func isVisible(_ node: Node) -> Bool {
    node.ancestry.allSatisfy { node in
      guard let selection = node.parent?.selection else { return true }
      return selection === node
    }
  }

  /// A person's tap on a tab: selects it, or pops the stack of the one already shown.
  func tap(_ tab: Node) throws {
    guard let parent = tab.parent, case .flow(_, .tabs(let coordinator)) = parent.content else {
      throw NavigationError(.unknownTab, "'\(tab.title)' is no tab.")
    }
    let isRepeat = parent.selection === tab && visibleModals.allSatisfy { $0.contains(parent) }
    try commit { transaction in
      try select(tab, origin: nil, &transaction)
      let answer = didTap(coordinator, tab, isRepeat)
      if isRepeat, answer == .popToRoot, tab.stack != nil {
        transaction.remove(from: 1, in: tab, .cancelled(.popped))
      }
    }
  }

  private func didTap<C: TabCoordinator>(_ coordinator: C, _ tab: Node, _ isRepeat: Bool) -> RepeatedTap {
    guard let route = try? resolvedRoute(tab, as: C.Tab.self) else { return .stay }
    return coordinator.didTap(route, isRepeat: isRepeat)
  }
}
