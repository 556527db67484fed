/// The tabs that a link may lead to, by the names under which their plugin registered them. Of several it leads to the one
/// that the person is in, and to the first where they are in none.
public struct LinkTabs: ExpressibleByStringLiteral, ExpressibleByArrayLiteral, Hashable, Sendable {
  let names: [String]

  /// Names the tabs, the one that is preferred first.
  public init(_ names: [String]) { self.names = names }
  /// Names one tab.
  public init(stringLiteral name: String) { names = [name] }
  /// Names the tabs, the one that is preferred first.
  public init(arrayLiteral names: String...) { self.names = names }
}

/// The tabs of a link, found when its plugin has registered all it has.
@MainActor final class LinkHome {
  var tabs: [ContributionID]
  init(_ tabs: [ContributionID]) { self.tabs = tabs }

  /// Where its plans begin.
  var beginning: LinkPlan { LinkPlan(anyTabOf: tabs) }
}
