/// A coordinator whose flow is a set of tabs, each with its own back stack.
@MainActor public protocol TabCoordinator: Coordinator {
  /// The type that names the tabs.
  associatedtype Tab: NavigationRoute

  /// The tabs in their order.
  ///
  /// The tabs may change. The tab bar follows at once if the coordinator is `@Observable`, otherwise with the next
  /// update.
  var tabs: [Tab] { get }

  /// The tab that is shown first; nil for the first of ``tabs``.
  var initialTab: Tab? { get }

  /// Returns the label and the destination of a tab.
  ///
  /// The session creates a tab's flow when the tab is first shown. It reads the item of an `@Observable` coordinator
  /// under observation tracking. Title, symbol, group and badge then follow the values that they depend on.
  func item(for tab: Tab) -> TabItem

  /// Returns the reaction to a user's tap on a tab. It does not run when code selects a tab.
  ///
  /// By default, a repeated tap pops the tab's stack to its root.
  ///
  /// - Parameters:
  ///   - tab: the tab that the user tapped.
  ///   - isRepeat: whether the tab was already shown.
  func didTap(_ tab: Tab, isRepeat: Bool) -> RepeatedTap

  /// Returns the guards that run before a tab is shown, after the registry's own guards.
  ///
  /// The default returns no guards.
  func guards(for tab: Tab) -> [NavigationGuard]

  /// Decides whether the stack of a tab that ``tabs`` no longer contains is kept or closed.
  ///
  /// By default, the stack is kept until the tab comes back.
  func onRemoval(of tab: Tab) -> TabRemoval
}

/// The label of a tab, for text that follows changing values.
public struct TabLabel: Hashable, Sendable {
  /// The title that the user reads; nil for the registered title.
  public var title: String?
  /// One or two characters before the title; nil for the registered symbol.
  public var symbol: String?
  /// A short text set apart from the title, such as a count; nil for none.
  public var badge: String?

  /// Creates a label.
  public init(title: String? = nil, symbol: String? = nil, badge: String? = nil) {
    self.title = title
    self.symbol = symbol
    self.badge = badge
  }

  /// Creates a label with a count as its badge; a count of 0 shows no badge.
  public init(badge count: Int) { self.init(badge: count == 0 ? nil : "\(count)") }
}

/// The decision about the stack of a removed tab.
public enum TabRemoval: Hashable, Sendable {
  /// The stack is stored, and comes back with the tab.
  case keepStack
  /// The tab's flows end, cancelled with the reason `tabRemoved`.
  case close
}

/// The reaction to a user's tap on the tab that is already shown.
public enum RepeatedTap: Hashable, Sendable {
  /// The tab's stack is popped to its first entry.
  case popToRoot
  /// Nothing happens.
  case stay
}

extension TabCoordinator {
  /// The kind of the coordinator: tabs.
  public var _kind: _CoordinatorKind { .tabs(self) }
  /// The default: nil, for the first tab.
  public var initialTab: Tab? { nil }
  /// Returns no guards.
  public func guards(for tab: Tab) -> [NavigationGuard] { [] }
  /// Keeps the stack of a removed tab.
  public func onRemoval(of tab: Tab) -> TabRemoval { .keepStack }
  /// Pops the stack of a tab that the user taps again.
  public func didTap(_ tab: Tab, isRepeat: Bool) -> RepeatedTap { .popToRoot }
}

extension TabCoordinator {
  /// The label and the destination of a tab of this coordinator.
  public typealias TabItem = TabItemOf<Self>
}

/// The label and the destination of a tab.
///
/// Within a tab coordinator, write `TabItem`.
@MainActor public struct TabItemOf<Owner: Coordinator> {
  let title: String
  let symbol: String?
  let group: String?
  let badge: String?
  let destination: DestinationOf<Owner>

  /// Creates a tab item.
  ///
  /// - Parameters:
  ///   - title: the title that the user reads.
  ///   - symbol: one or two characters before the title.
  ///   - group: the title of the tab's group; front ends set groups apart.
  ///   - badge: a short text set apart from the title, such as a count; nil for none.
  ///   - destination: the content of the tab; its presentation style is ignored.
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
