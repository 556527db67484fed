/// The top of a session unless an application supplies its own: a tab for each that plugins registered.
@MainActor public final class RootCoordinator: TabCoordinator {
  /// A registered tab, by its id.
  public struct Tab: NavigationRoute, CustomStringConvertible {
    /// The tab's id, `plugin.name`.
    public let id: String
    /// Names a tab by its id.
    public init(id: String) { self.id = id }
    /// The id.
    public var description: String { id }
    /// Writes the id alone.
    public func encode(to encoder: any Encoder) throws { try id.encode(to: encoder) }
    /// Reads the id alone.
    public init(from decoder: any Decoder) throws { id = try String(from: decoder) }
  }

  private let registry: Registry

  /// Makes a root of what the registry holds.
  public init(_ registry: Registry) { self.registry = registry }

  /// The registered tabs in their declared order.
  public var tabs: [Tab] { registry.tabs.map { Tab(id: $0.id) } }

  /// What a plugin registered under the tab's id.
  public func item(for tab: Tab) -> TabItem {
    guard let registered = registry.tabs.first(where: { $0.id == tab.id }) else {
      return TabItem(title: tab.id, destination: .unavailable("No plugin offers the tab \(tab.id)."))
    }
    return TabItem(title: registered.title, symbol: registered.symbol, destination: registered.destination)
  }
}
