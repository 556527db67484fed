/// A coordinator whose flow is a set of tabs, each with a back stack of its own.
@MainActor public protocol TabCoordinator: Coordinator {
  /// Names a tab.
  associatedtype Tab: NavigationRoute

  /// The tabs in their order. May change: the bar follows, at once where the coordinator is `@Observable`, otherwise
  /// with the next update.
  var tabs: [Tab] { get }

  /// The tab shown first; nil stands for the first one.
  var initialTab: Tab? { get }

  /// What a tab is called and where it leads. A tab's flow is made when it is first shown.
  ///
  /// Read under observation tracking where the coordinator is `@Observable`: title, symbol, group and badge follow what they
  /// were made from.
  func item(for tab: Tab) -> TabItem

  /// Called after the person tapped a tab, never when code selects one.
  ///
  /// - Parameters:
  ///   - tab: the tab.
  ///   - isRepeat: whether it was the tab already shown. By default its stack is then popped to its root.
  func didTap(_ tab: Tab, isRepeat: Bool) -> RepeatedTap

  /// Who is asked before a tab is shown, after the registry's own guards. By default nobody.
  func guards(for tab: Tab) -> [NavigationGuard]

  /// What becomes of the stack of a tab that ``tabs`` no longer has. By default it is kept for when the tab comes back.
  func onRemoval(of tab: Tab) -> TabRemoval
}

/// What stands on a tab, where that follows values that change.
public struct TabLabel: Hashable, Sendable {
  /// What the person reads; nil stands for the title it was registered with.
  public var title: String?
  /// A character or two to stand before the title; nil stands for the symbol it was registered with.
  public var symbol: String?
  /// A short text set apart from the title, such as a count; nil for none.
  public var badge: String?

  /// Makes what stands on a tab.
  public init(title: String? = nil, symbol: String? = nil, badge: String? = nil) {
    self.title = title
    self.symbol = symbol
    self.badge = badge
  }

  /// Makes what stands on a tab with a count, of which 0 is not shown.
  public init(badge count: Int) { self.init(badge: count == 0 ? nil : "\(count)") }
}

/// What becomes of the stack of a tab that goes.
public struct TabRemoval: Hashable, Sendable {
  enum Kind: Hashable, Sendable { case keepStack, close }
  let kind: Kind

  /// It is stored, and comes back with the tab.
  public static let keepStack = TabRemoval(kind: .keepStack)
  /// Its flows end, cancelled with the reason `tabRemoved`.
  public static let close = TabRemoval(kind: .close)
}

/// What happens when a person taps the tab already shown.
public struct RepeatedTap: Hashable, Sendable {
  enum Kind: Hashable, Sendable { case popToRoot, stay }
  let kind: Kind

  /// Its stack is popped to its first entry.
  public static let popToRoot = RepeatedTap(kind: .popToRoot)
  /// Nothing.
  public static let stay = RepeatedTap(kind: .stay)
}

extension TabCoordinator {
  /// Which of the three kinds it is.
  public var _kind: _CoordinatorKind { .tabs(self) }
  /// The first tab.
  public var initialTab: Tab? { nil }
  /// Nobody is asked.
  public func guards(for tab: Tab) -> [NavigationGuard] { [] }
  /// It is kept.
  public func onRemoval(of tab: Tab) -> TabRemoval { .keepStack }
  /// Pops the stack of a tab that is tapped again.
  public func didTap(_ tab: Tab, isRepeat: Bool) -> RepeatedTap { .popToRoot }
}

extension TabCoordinator {
  /// What a tab of this coordinator is called and where it leads.
  public typealias TabItem = TabItemOf<Self>
}

/// What a tab is called and where it leads. Within a tab coordinator it is written `TabItem`.
@MainActor public struct TabItemOf<Owner: Coordinator> {
  let title: String
  let symbol: String?
  let group: String?
  let badge: String?
  let destination: DestinationOf<Owner>

  /// Makes a tab.
  ///
  /// - Parameters:
  ///   - title: what the person reads.
  ///   - symbol: a character or two to stand before the title.
  ///   - group: the title of the group it stands in; front ends set groups apart.
  ///   - badge: a short text set apart from the title, such as a count; nil for none.
  ///   - destination: where it leads; its style is ignored.
  public init(
    title: String, symbol: String? = nil, group: String? = nil, badge: String? = nil, destination: DestinationOf<Owner>
  ) {
    self.title = title
    self.symbol = symbol
    self.group = group
    self.badge = badge
    self.destination = destination
  }
}
