/// The tabs that a link may open, by the names under which their plugin registered them.
///
/// The link opens the tab that the user is in. If the user is in none of these tabs, the link opens the first one.
public struct LinkTabs: ExpressibleByStringLiteral, ExpressibleByArrayLiteral, Hashable, Sendable {
  let names: [String]

  /// Names the tabs, the preferred tab first.
  public init(_ names: [String]) { self.names = names }
  /// Names one tab.
  public init(stringLiteral name: String) { names = [name] }
  /// Names the tabs, the preferred tab first.
  public init(arrayLiteral names: String...) { self.names = names }
}

/// The tabs of a link, which are found after its plugin has registered everything.
@MainActor final class LinkHome {
  var tabs: [ContributionID]
  init(_ tabs: [ContributionID]) { self.tabs = tabs }

  /// The beginning of the link's plans.
  var beginning: LinkPlan { LinkPlan(anyTabOf: tabs) }
}
