import GangwayProtocol

extension Session {
  /// The presentation of what is visible, without its number.
  func makePresentation(_ visible: VisibleTree) -> Presentation {
    for node in visible.path { updateTitle(node) }
    return Presentation(
      revision: 0,
      tabBars: visible.tabBars.map { bar in
        bar.children.filter { !$0.isParked }.map { tab in
          Presentation.Tab(
            node: tab.id, title: tab.title, symbol: tab.symbol, group: tab.group, badge: tab.badge,
            isSelected: bar.selection === tab)
        }
      },
      path: visible.path.map { Presentation.PathItem(node: $0.id, title: $0.title) },
      canGoBack: navigation.table.canGoBack || navigation.planner.activity != nil
        || visible.layers.last?.top.screen?.back != nil,
      layers: visible.layers.map(makeLayer), activity: navigation.planner.activity)
  }

  private func makeLayer(_ layer: VisibleTree.Layer) -> Presentation.Layer {
    let panes = layer.panes.map { node in
      Presentation.Pane(
        node: node.id, title: node.title, elements: elements(of: node), focus: node.focus, scroll: node.scroll)
    }
    return Presentation.Layer(
      node: layer.top.id, style: layer.style, title: layer.top.title, isDismissible: layer.isDismissible,
      elements: elements(of: layer.top), focus: layer.top.focus, scroll: layer.top.scroll,
      appearance: appearance(of: layer.top), panes: panes.isEmpty ? nil : panes,
      activePane: navigation.table.activePane(of: layer)?.id)
  }

  /// What the top entry's route says of its surroundings; nil where it leaves them to the front end.
  private func appearance(of node: Node) -> Presentation.Appearance? {
    for node in node.ancestry {
      guard case .route(let route) = node.routeValue else { continue }
      let appearance = route.appearance
      if appearance == .standard { return nil }
      return Presentation.Appearance(
        hidesBar: appearance.hidesBar, hidesBackButton: appearance.hidesBackButton, tint: appearance.tint)
    }
    return nil
  }

  private func updateTitle(_ node: Node) {
    // What is not made keeps the title it was stored with.
    if case .waiting = node.phase { return }
    let title = node.screen?.title ?? node.route?.fallbackTitle ?? node.title
    // A tab that shows a screen keeps the tab's title.
    guard node.style != .tab, node.title != title else { return }
    node.title = title
    navigation.table.markChanged(node)
  }

  private func elements(of node: Node) -> [Element] {
    func problem(_ text: String) -> Element { Element(id: "problem", kind: .text, label: text, role: .problem) }
    switch node.phase {
    case .screen(let screen): return screen.elements
    case .failed(let failure, _):
      return failure.isStored
        ? [problem(failure.reason), Element(id: Stand.startOver.rawValue, kind: .button, label: "Start over")]
        : [problem(failure.reason)]
    case .asking:
      return [
        Element(
          id: "gangway.asking", kind: .text, label: "Whether '\(node.title)' may be shown is being asked.",
          role: .problem)
      ]
    case .loading(let plugin, _):
      return [
        Element(id: "gangway.progress", kind: .progress, label: "Loading \(plugin)…"),
        Element(id: Stand.cancel.rawValue, kind: .button, label: "Cancel", role: .cancel),
      ]
    case .absent(let plugin, let reason, _):
      return [
        problem("The plugin \(plugin) is not there: \(reason)"),
        Element(id: Stand.retry.rawValue, kind: .button, label: "Try again"),
      ]
    case .flow(_, .tabs): return [problem("No feature contributes a tab.")]
    case .waiting, .flow: return [problem("There is nothing here.")]
    }
  }
}

/// What a person can do where a flow cannot be shown, by the ids of the elements.
enum Stand: ElementID {
  case retry = "gangway.retry"
  case cancel = "gangway.cancel"
  case startOver = "gangway.start-over"
}

extension Navigation {
  /// A node and those below it, as a developer sees them.
  func describe(_ node: Node) -> TreeNode {
    let style =
      switch node.style {
      case .root: "root"
      case .tab: "tab"
      case .entry(let style): style.kind.rawValue
      }
    return TreeNode(
      id: node.id, style: style, title: node.title, route: node.route?.description, coordinator: node.coordinatorName,
      plugin: node.plugin, children: node.children.map(describe))
  }
}
