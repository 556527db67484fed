@_spi(FrontEnd) import GangwayProtocol

/// Creation of tabs, and their labels.
extension ContentMaker {
  func startTabs<C: TabCoordinator>(_ coordinator: C, _ node: Node) {
    let stored = node.children
    var byTab: [C.Tab: Node] = [:]
    for child in stored {
      guard let tab = try? child.resolvedRoute(as: C.Tab.self), byTab[tab] == nil else { continue }
      byTab[tab] = child
    }
    let tabs = coordinator.tabs
    let offered = tabs.map { tab in
      byTab.removeValue(forKey: tab) ?? table.makeNode(.tab, route: StoredRoute(.route(tab)), plugin: nil)
    }
    let ids = Set(offered.map(\.id))
    let parked = stored.filter { !ids.contains($0.id) }
    for node in parked { node.isParked = true }
    node.setChildren(offered + parked)
    for child in node.children { child.parent = node }
    table.renumber(node, from: 0)
    for (child, tab) in zip(offered, tabs) { describe(child, coordinator.item(for: tab)) }
    let initial = coordinator.initialTab.flatMap { node.tab($0) }
    if node.selection == nil || node.selection?.isParked == true { node.selection = initial ?? offered.first }
    node.readTabs.invalidate()
    if let selection = node.selection {
      if case .waiting(.new) = selection.phase, !isPlanned(), isGuarded(selection, coordinator) {
        selection.phase = .waiting(.file)
      }
      activate(selection)
    }
  }

  /// Copies a coordinator's description of a tab to its node.
  func describe<Owner>(_ node: Node, _ item: TabItemOf<Owner>) {
    let label = label(of: item)
    let keepsLast = label == nil && isLabelAwaited(item)
    let title = label?.title ?? (keepsLast && node.hasStoredTitle ? node.title : item.title)
    let facts = Node.TabFacts(
      symbol: label?.symbol ?? item.symbol, badge: label.map(\.badge) ?? (keepsLast ? node.tab.badge : item.badge),
      group: item.group)
    if node.title != title || node.tab != facts { table.markChanged(node) }
    if node.title != title { node.title = title }
    node.tab = facts
    node.hasStoredTitle = node.hasStoredTitle || label != nil
    if case .registered(let id) = item.destination.erased.target { (node.plugin, node.registeredTab) = (id.plugin, id) }
  }

  /// Returns whether a tab without a label may get one later: its plugin is not loaded, or does not know the label yet.
  private func isLabelAwaited<Owner>(_ item: TabItemOf<Owner>) -> Bool {
    guard case .registered(let id) = item.destination.erased.target, let tab = registry.tab(id) else { return false }
    return tab.isStandIn || tab.label != nil
  }

  /// Returns the label that a plugin gives to its registered tab; nil if there is none, or none yet.
  private func label<Owner>(of item: TabItemOf<Owner>) -> TabLabel? {
    guard case .registered(let id) = item.destination.erased.target, let label = registry.tab(id)?.label else {
      return nil
    }
    let reads = UnloadedReads.count
    let made = label(services.context(for: id.plugin))
    let isLoaded = UnloadedReads.count == reads
    if made == nil, isLoaded, let badge = labelBadges[id] {
      labelMistakes[id] =
        "the label of the tab \(id) is nil again, so the badge '\(badge)' stays. To remove the badge, "
        + "return TabLabel(badge: nil)"
    }
    labelBadges[id] = made?.badge
    if made != nil, !isLoaded {
      labelMistakes[id] =
        "the tab \(id) had a label before its data was loaded, which erases the last badge. Return nil in 'label:' "
        + "until the data is loaded"
    }
    return made
  }
}
