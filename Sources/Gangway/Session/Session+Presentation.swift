@_spi(FrontEnd) import GangwayProtocol

extension Session {
  /// Returns the presentation of everything visible, without its number.
  func makePresentation(_ visible: VisibleTree) -> Presentation {
    // It reads the tree, so it comes first.
    let url = navigation.urls.ofPlace(isFirst: presentation.revision == 0)
    if navigation.urls.noteLinks() { visible.noteChange(at: max(0, visible.path.count - ShownURLs.freshEntries)) }
    let path = makePath(visible)
    visible.noteShown()
    return Presentation(
      revision: 0,
      tabBars: visible.tabBars.map { bar in
        bar.children.filter { !$0.isParked }.map { tab in
          Presentation.Tab(
            node: tab.id, title: bounded(tab.title, "title", of: tab),
            symbol: tab.tab.symbol.map { bounded($0, "symbol", of: tab) },
            group: tab.tab.group.map { bounded($0, "group", of: tab) },
            badge: tab.tab.badge.map { bounded($0, "badge", of: tab) }, isSelected: bar.selection === tab,
            url: navigation.urls.ofTab(tab))
        }
      },
      path: path,
      canGoBack: navigation.table.canGoBack || navigation.planner.activity != nil
        || visible.layers.last?.top.screen?.back != nil,
      layers: visible.layers.map(makeLayer), activity: navigation.planner.activity,
      url: url, asksBeforeLeaving: visible.guarded.isAnySet() || hasUnsavedForm(visible))
  }

  /// Returns the visible path.
  private func makePath(_ visible: VisibleTree) -> VisiblePath {
    let entries = visible.path[visible.changedFrom...]
    for node in entries { updateTitle(node) }
    let urls = navigation.urls.ofEntries(visible, after: presentation.visiblePath)
    return presentation.visiblePath.replacing(
      from: visible.changedFrom,
      with: zip(entries, urls).map { node, url in
        .init(node: node.id, title: bounded(node.title, "title", of: node), url: url)
      })
  }

  /// Whether leaving a visible screen would lose changes in a form.
  private func hasUnsavedForm(_ visible: VisibleTree) -> Bool {
    visible.layers.contains { $0.screens.contains { $0.screen?.unsaved.isAny == true } }
  }

  /// Reads the titles of new entries, and those that have become stale.
  func refreshTitles(_ visible: VisibleTree) {
    let first = signal.takeStaleTitles() ? 0 : visible.changedFrom
    for index in first..<visible.path.count where visible.path[index].screen?.refreshTitle() == true {
      visible.noteChange(at: index)
    }
  }

  private func makeLayer(_ layer: VisibleTree.Layer) -> Presentation.Layer {
    let panes = layer.panes.map { node in
      Presentation.Pane(
        node: node.id, title: bounded(node.title, "title", of: node), elements: elements(of: node), focus: node.focus,
        scroll: node.scroll)
    }
    return Presentation.Layer(
      node: layer.top.id, style: layer.style, title: bounded(layer.top.title, "title", of: layer.top),
      isDismissible: layer.isDismissible,
      elements: elements(of: layer.top), focus: layer.top.focus, scroll: layer.top.scroll,
      appearance: appearance(of: layer.top), panes: panes.isEmpty ? nil : panes,
      activePane: navigation.table.activePane(of: layer)?.id)
  }

  /// Returns the appearance of the top entry's route; nil leaves it to the front end.
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

  /// The longest title, in Unicode scalars.
  ///
  /// Front ends show a title on one line, and every checkpoint has it.
  private static let maximumTitle = 500

  /// Returns an author's text for a bar or the path, cut to the maximum length.
  ///
  /// - Parameters:
  ///   - text: the text.
  ///   - what: the name of the text in the message to the author.
  ///   - node: the node that the text is about.
  private func bounded(_ text: String, _ what: String, of node: Node) -> String {
    // A scalar has at most four bytes, and most have one.
    guard text.utf8.count > Self.maximumTitle, text.unicodeScalars.count > Self.maximumTitle else { return text }
    func first(_ count: Int) -> String { String(String.UnicodeScalarView(text.unicodeScalars.prefix(count))) }
    let problem =
      "The \(what) '\(first(40))…' has \(text.unicodeScalars.count) characters; its first "
      + "\(Self.maximumTitle - 1) characters are shown. Shorten it, and show the rest on the screen."
    if reportedProblems.insert("\(node.id) \(what) is too long").inserted {
      notices.append(.init(.failure, problem, plugin: node.plugin))
    }
    return first(Self.maximumTitle - 1) + "…"
  }

  private func updateTitle(_ node: Node) {
    // A node without content keeps its stored title.
    if case .waiting = node.phase { return }
    let own: String? = if case .hosted(let flow) = node.phase { flow.title } else { node.screen?.title }
    let title = bounded(own ?? node.route?.fallbackTitle ?? node.title, "title", of: node)
    // A tab that shows a screen keeps the tab's title.
    guard node.style != .tab, node.title != title else { return }
    node.title = title
    navigation.table.markChanged(node)
  }
}

extension Navigation {
  /// Returns a node and its descendants for developers.
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
