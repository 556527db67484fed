@_spi(FrontEnd) import GangwayProtocol

/// The URLs in the presentations of a session, kept until the tree or the links change.
@MainActor final class ShownURLs {
  /// The number of entries at the end of the path whose URLs are kept up to date.
  static let freshEntries = 16
  /// The longest path whose entries below the last get new URLs.
  private static let longestPath = 256

  private unowned let navigation: Navigation
  /// The URL of the user's place, and whether it opens all screens of the place.
  private var place: (key: Key, url: String?, isWhole: Bool)?
  private var tabs: [NodeID: String?] = [:]
  /// The version of the links that the URLs of tabs and entries come from.
  private var version = -1
  /// The plan to the last asked node, and the URLs of routes after it, because all rows of a screen ask for one.
  private var last: (node: Node, key: Key, plan: LinkPlan?, urls: [AnyHashable: String?])?
  /// The most routes whose URLs are kept.
  private static let mostRoutes = 2_000

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
    guard links.createsURLs else {
      place = (key, nil, false)
      return nil
    }
    let plan = navigation.currentPlan
    let whole = links.url(for: plan)
    let url = whole ?? links.screenURL(for: plan)
    place = (key, url, whole != nil)
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
    let url = links.createsURLs ? navigation.plan(to: tab).flatMap { links.url(for: $0) } : nil
    tabs[tab.id] = url
    return url
  }

  /// Returns the URLs of the entries of a path that may look different.
  ///
  /// Such a URL opens the entry with all screens below it, so that these stay when the user opens it.
  ///
  /// - Parameters:
  ///   - visible: the visible tree.
  ///   - before: the path that was shown before.
  func ofEntries(_ visible: VisibleTree, after before: VisiblePath) -> [String?] {
    let (first, last) = (visible.changedFrom, visible.path.count - 1)
    var known: [VisiblePath.Item]?
    return visible.path.indices[first...].map { index in
      if index == last { return place.flatMap { $0.isWhole ? $0.url : nil } }
      // The plan to an entry has a step for each entry below it.
      guard index > last - Self.freshEntries, last < Self.longestPath else {
        let items = known ?? before.items(from: first)
        known = items
        return items.indices.contains(index - first) && items[index - first].node == visible.path[index].id
          ? items[index - first].url : nil
      }
      guard version == links.version, links.createsURLs else { return nil }
      return navigation.plan(to: visible.path[index]).flatMap { links.url(for: $0) }
    }
  }

  /// Returns the URL of a route that is shown after a node: an entry, or a flow with its entries.
  ///
  /// The caller's observation tracks the links.
  func ofRoute(_ route: some NavigationRoute, after node: Node) -> String? {
    defer { links.observe() }
    guard !links.areManyUnread, links.createsURLs else { return nil }
    let key = Key(changes: navigation.hooks.changes, links: links.version)
    if last?.node !== node || last?.key != key || last.map({ $0.urls.count > Self.mostRoutes }) == true {
      last = (node, key, navigation.plan(toTopOf: node), [:])
    }
    let known = AnyHashable(route)
    if let url = last?.urls[known] { return url }
    let url = (last?.plan?.adding(.route(route))).flatMap { links.address(of: $0) }
    last?.urls.updateValue(url, forKey: known)
    return url
  }
}
