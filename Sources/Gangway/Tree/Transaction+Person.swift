@_spi(FrontEnd) import GangwayProtocol

/// Actions of the user from outside any flow: back, dismiss, tabs.
extension Transaction {
  /// Removes the topmost entry, a modal first.
  func goBack() throws {
    guard let entry = table.backEntry else { throw NavigationError(.nothingToGoBackTo) }
    try removeByHand(entry)
  }

  /// Removes everything above an entry of the path, the top entry first, as when the user goes back step by step.
  func goBack(to id: NodeID) throws {
    guard let entry = table.visible.path.first(where: { $0.id == id }) else {
      throw NavigationError(.nothingToGoBackTo)
    }
    for modal in table.visibleModals.reversed() where !modal.contains(entry) && !modal.isBelow(entry) {
      try removeByHand(modal)
    }
    target = .node(entry)
    for node in Array(entry.ancestry).reversed() {
      guard let parent = node.parent, parent.stack != nil else { continue }
      try remove(from: node.position + 1, in: parent, .cancelled(.back))
    }
  }

  /// Removes the topmost modal.
  func dismissTopModal() throws {
    guard let modal = table.visibleModals.last else { throw NavigationError(.nothingToDismiss) }
    try removeByHand(modal)
  }

  private func removeByHand(_ entry: Node) throws {
    if let style = entry.modalStyle, !style.isDismissible, !Defect.dismissesWhatMustBeAnswered.isSeeded {
      throw NavigationError(.modalMustBeAnswered(title: entry.title))
    }
    try removeEntry(entry, .cancelled(.back))
  }

  /// Shows a tab.
  ///
  /// Its content is made when the tab is first shown.
  func select(_ tab: Node, origin: Node?) throws {
    guard let parent = tab.parent, case .tab = tab.style, case .flow(.tabs(let coordinator)) = parent.phase else {
      throw NavigationError(.notATab(title: tab.title))
    }
    target = .node(tab)
    if table.isVisible(parent) { try dismissModals(notContaining: parent, origin: origin) }
    guard parent.selection !== tab else { return }
    if let route = tab.routeValue {
      try askEntering(route, in: parent, try maker.tabGuards(tab, coordinator), plugin: tab.plugin)
    }
    maker.activate(tab)
    select(tab, in: parent)
  }

  /// Handles a user's tap on a tab: selects the tab, or pops the stack of the selected one.
  ///
  /// - Parameters:
  ///   - tab: the tab.
  ///   - answer: the coordinator's answer to this tap. The coordinator is called once, however often the plan is tried.
  func tap(_ tab: Node, _ answer: TapAnswer) throws {
    guard let parent = tab.parent, case .flow(.tabs(let coordinator)) = parent.phase else {
      throw NavigationError(.tabGone(title: tab.title))
    }
    let isRepeat = parent.selection === tab && table.visibleModals.allSatisfy { $0.contains(parent) }
    try select(tab, origin: nil)
    let said = answer.value ?? didTap(coordinator, tab, isRepeat)
    answer.value = said
    if isRepeat, said == .popToRoot, tab.stack != nil { try remove(from: 1, in: tab, .cancelled(.popped)) }
  }

  private func didTap<C: TabCoordinator>(_ coordinator: C, _ tab: Node, _ isRepeat: Bool) -> RepeatedTap {
    guard let route = try? tab.resolvedRoute(as: C.Tab.self) else { return .stay }
    return coordinator.didTap(route, isRepeat: isRepeat)
  }
}
