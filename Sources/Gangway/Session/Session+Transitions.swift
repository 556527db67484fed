import GangwayProtocol

/// What a person sees, as far as it says how the next sight came about.
@MainActor struct Sight {
  let path: [NodeID]
  let layers: Int
  /// The node of each tab bar, with the place of the tab that is shown.
  let tabs: [(bar: NodeID, selection: Int)]
  let top: NodeID
  let location: Location
  /// The style of the entry on top: where a flow begins with it, the flow's.
  let style: PresentationStyle

  init?(_ visible: VisibleTree) {
    guard let node = visible.layers.last?.top else { return nil }
    path = visible.path.map(\.id)
    layers = visible.layers.count
    tabs = visible.tabBars.map { bar in (bar.id, bar.selection?.position ?? 0) }
    top = node.id
    location = Location(of: node)
    var entry = node
    while entry.position == 0, let parent = entry.parent, case .entry = parent.style { entry = parent }
    if case .entry(let style) = entry.style { self.style = style } else { style = .push }
  }

  /// What led from an earlier sight to this one, and whether that was the way back; nil where the same is on top.
  func operation(from before: Sight) -> (operation: Update.Transition.Operation, isBackward: Bool)? {
    guard top != before.top else { return nil }
    if layers != before.layers { return layers > before.layers ? (.present, false) : (.dismiss, true) }
    for (now, then) in zip(tabs, before.tabs) where now.bar == then.bar && now.selection != then.selection {
      return (.select, now.selection < then.selection)
    }
    if path.starts(with: before.path) { return (.push, false) }
    if before.path.starts(with: path) { return (.pop, true) }
    return (.replace, false)
  }
}

extension Session {
  /// How what is seen came to be what it is; nil where the same is on top as before, and at the start.
  func transition(to visible: VisibleTree) -> Update.Transition? {
    let now = Sight(visible)
    defer { sight = now }
    guard let now, let before = sight, let (operation, isBackward) = now.operation(from: before) else { return nil }
    let chosen = registry.transition(
      of: TransitionChange(
        operation: .init(rawValue: operation.rawValue), from: before.location, to: now.location,
        style: isBackward ? before.style : now.style, isBackward: isBackward))
    return Update.Transition(
      operation, from: before.top, to: now.top, isBackward: isBackward, name: chosen?.name, fallback: chosen?.fallback,
      milliseconds: chosen?.duration.map { max(0, Int($0 / .milliseconds(1))) },
      element: pressed.flatMap { !isBackward && $0.node == before.top ? $0.element : nil })
  }
}
