@_spi(FrontEnd) import GangwayProtocol

/// The URLs in the presentations of a session, kept until the tree or the links change.
@MainActor final class ShownURLs {
  /// The number of entries at the end of the path whose URLs are kept up to date, and created if several entries
  /// arrive at once.
  static let freshEntries = 16

  private unowned let navigation: Navigation
  private var place: (key: Key, url: String?)?
  private var tabs: [NodeID: String?] = [:]
  /// The version of the links that the URLs of tabs and entries come from.
  private var version = -1
  /// The plan to the last asked node, because all rows of a screen ask for one.
  private var last: (node: Node, changes: Int, plan: LinkPlan)?

  /// The values that the URL of the user's place depends on.
  private struct Key: Equatable {
    let changes: Int
    let links: Int
  }

  private var links: Links { navigation.registry.links }

  init(_ navigation: Navigation) { self.navigation = navigation }

  /// Returns the URL of the user's place, or of the top screen if the place as a whole has no URL.
  ///
  /// - Parameter isFirst: whether the session shows its first screen.
  func ofPlace(isFirst: Bool) -> String? {
    let key = Key(changes: navigation.hooks.changes, links: links.version)
    if let place, place.key == key { return place.url }
    // Reading the patterns of hundreds of plugins would delay the first screen.
    if links.areManyUnread, isFirst { return nil }
    let url = links.createsURLs ? links.address(of: navigation.currentPlan) : nil
    place = (key, url)
    return url
  }

  /// Notes the present links.
  ///
  /// - Returns: whether the URLs of tabs and entries must be created again, because the links have changed.
  func noteLinks() -> Bool {
    guard !links.areManyUnread, version != links.version else { return false }
    version = links.version
    tabs = [:]
    return true
  }

  /// Returns the URL of a tab, as it is when it is first shown.
  func ofTab(_ tab: Node) -> String? {
    guard version == links.version else { return nil }
    if let url = tabs[tab.id] { return url }
    // Tabs may come and go.
    if tabs.count > 20_000 { tabs = [:] }
    let url = links.createsURLs ? links.url(for: navigation.plan(to: tab)) : nil
    tabs[tab.id] = url
    return url
  }

  /// Returns the URLs of the entries of a path that may look different.
  ///
  /// - Parameters:
  ///   - visible: the visible tree.
  ///   - before: the path that was shown before.
  ///   - url: the URL of the last entry.
  func ofEntries(_ visible: VisibleTree, after before: VisiblePath, _ url: String?) -> [String?] {
    let first = visible.changedFrom
    let known = before.items(from: first)
    return visible.path.indices[first...].map { index in
      if index == visible.path.count - 1 { return url }
      let isFresh = index >= visible.path.count - Self.freshEntries
      if known.indices.contains(index - first), known[index - first].node == visible.path[index].id {
        let shown = known[index - first].url
        if shown != nil || !isFresh { return shown }
      }
      guard isFresh, version == links.version, links.createsURLs else { return nil }
      return links.address(of: navigation.plan(to: visible.path[index]))
    }
  }

  /// Returns the URL of a route that is shown after a node: an entry, or a flow with its entries.
  ///
  /// The caller's observation tracks the links.
  func ofRoute(_ route: some NavigationRoute, after node: Node) -> String? {
    defer { links.observe() }
    guard !links.areManyUnread, links.createsURLs else { return nil }
    let changes = navigation.hooks.changes
    let plan: LinkPlan
    if let last, last.node === node, last.changes == changes {
      plan = last.plan
    } else {
      plan = navigation.plan(toTopOf: node)
      last = (node, changes, plan)
    }
    return links.address(of: plan.adding(.route(route)))
  }
}
