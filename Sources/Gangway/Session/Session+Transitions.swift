@_spi(FrontEnd) import GangwayProtocol

/// The visible screens, with the facts that tell how the next change happened.
@MainActor struct VisibleScreens {
  let path: VisiblePath
  let layers: Int
  /// The node of each tab bar, with the position of its selected tab.
  let tabs: [(bar: NodeID, selection: Int)]
  let top: NodeID
  let location: Location
  /// The style of the entry on top; if a flow begins with the entry, the flow's style.
  let style: PresentationStyle

  init?(_ visible: VisibleTree, _ path: VisiblePath) {
    guard let node = visible.layers.last?.top else { return nil }
    self.path = path
    layers = visible.layers.count
    tabs = visible.tabBars.map { bar in (bar.id, bar.selection?.position ?? 0) }
    top = node.id
    location = Location(of: node)
    var entry = node
    while entry.position == 0, let parent = entry.parent, case .entry = parent.style { entry = parent }
    if case .entry(let style) = entry.style { self.style = style } else { style = .push }
  }

  /// Returns the operation since an earlier state, and whether it went back; nil if the same screen is on top.
  func operation(from before: VisibleScreens) -> (operation: Update.Transition.Operation, isBackward: Bool)? {
    guard top != before.top else { return nil }
    if layers != before.layers { return layers > before.layers ? (.present, false) : (.dismiss, true) }
    for (now, then) in zip(tabs, before.tabs) where now.bar == then.bar && now.selection != then.selection {
      return (.select, now.selection < then.selection)
    }
    let common = path.commonEntries(with: before.path)
    if common == before.path.count { return (.push, false) }
    if common == path.count { return (.pop, true) }
    return (.replace, false)
  }
}

extension Session {
  /// Returns the transition to what is visible now; nil at the start, or if the same screen is on top.
  func transition(to visible: VisibleTree) -> Update.Transition? {
    let now = VisibleScreens(visible, presentation.visiblePath)
    defer { lastVisible = now }
    guard let now, let before = lastVisible, let (operation, isBackward) = now.operation(from: before) else {
      return nil
    }
    let chosen = registry.transition(
      of: TransitionChange(
        operation: operation, from: before.location, to: now.location,
        style: isBackward ? before.style : now.style, isBackward: isBackward))
    return Update.Transition(
      operation, from: before.top, to: now.top, isBackward: isBackward, name: chosen?.name, fallback: chosen?.fallback,
      milliseconds: chosen?.duration.map { max(0, Int($0 / .milliseconds(1))) },
      element: pressed.flatMap { !isBackward && $0.node == before.top ? $0.element : nil })
  }
}
