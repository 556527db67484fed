import Observation

/// The root of a session, unless an application supplies its own root. It has a tab for each registered tab.
@MainActor @Observable public final class RootCoordinator: TabCoordinator {
  /// A registered tab, by its id.
  public struct Tab: NavigationRoute, CustomStringConvertible {
    /// The tab's id, `plugin.name`.
    public let id: ContributionID
    /// Creates a route to the tab with an id.
    public init(id: ContributionID) { self.id = id }
    /// The id.
    public var description: String { id.rawValue }
    /// Encodes the id of the tab.
    public func encode(to encoder: any Encoder) throws { try id.encode(to: encoder) }
    /// Decodes the id of the tab.
    public init(from decoder: any Decoder) throws { id = try ContributionID(from: decoder) }
  }

  /// The differences from the registered tabs.
  public struct State: Codable, Hashable, Sendable {
    /// The ids of tabs that were added to the bar, sorted so that equal states have equal text.
    public var shown: [ContributionID] = []
    /// The ids of tabs that were removed from the bar, sorted.
    public var hidden: [ContributionID] = []
  }

  /// The tabs that were added to the bar or removed from it at run time.
  public var state = State()
  @ObservationIgnored private let registry: Registry
  @ObservationIgnored private var removals: [ContributionID: TabRemoval] = [:]

  /// Creates a root with the tabs of a registry.
  public init(_ registry: Registry) { self.registry = registry }

  /// The tabs on the bar, in their order.
  public var tabs: [Tab] {
    let state = state
    return registry.tabs.filter {
      $0.isShown ? !state.hidden.contains($0.id) : state.shown.contains($0.id)
    }.map { Tab(id: $0.id) }
  }

  /// The tab that the host's configuration starts with.
  public var initialTab: Tab? {
    registry.placement.start.flatMap { $0.contains(":") ? nil : Tab(id: ContributionID($0)) }
  }

  /// Returns the item that a plugin registered under the tab's id.
  public func item(for tab: Tab) -> TabItem {
    guard let registered = registry.tab(tab.id) else {
      return TabItem(
        title: tab.id.rawValue, destination: .unavailable("This tab needs a feature that is not installed."))
    }
    return TabItem(
      title: registered.title, symbol: registered.symbol, group: registered.group,
      destination: registered.destination())
  }

  /// Returns the choice that the plugin made when it removed the tab.
  public func onRemoval(of tab: Tab) -> TabRemoval { removals[tab.id] ?? .keepStack }

  func setTab(_ id: ContributionID, isShown: Bool, _ removal: TabRemoval) {
    removals[id] = removal
    var next = state
    next.shown.removeAll { $0 == id }
    next.hidden.removeAll { $0 == id }
    if isShown { next.shown.append(id) } else { next.hidden.append(id) }
    next.shown.sort()
    next.hidden.sort()
    if next != state { state = next }
  }
}
