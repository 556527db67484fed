@_spi(FrontEnd) import GangwayProtocol
import Observation

/// The tabs that plugins registered, in the order of the host's configuration.
@MainActor final class TabTable {
  /// The counter of changes of the tabs, for observers.
  @Observable @MainActor final class Changes {
    var count = 0
  }

  private(set) var registered: [Registry.Tab] = []
  /// The host's configuration of the places of contributions.
  private(set) var placement = Placement()
  /// The tabs in their order, and the index of each; nil if they must be sorted again.
  ///
  /// Hundreds of plugins may be announced one after the other, and their tabs are sorted once.
  private var arranged: (tabs: [Registry.Tab], index: [ContributionID: Int])?
  private let changes = Changes()

  /// The tabs in their order; observation tracks changes.
  var observed: [Registry.Tab] {
    _ = changes.count
    return arrangement.tabs
  }

  private var arrangement: (tabs: [Registry.Tab], index: [ContributionID: Int]) {
    if let arranged { return arranged }
    let tabs = placement.arrange(registered)
    let index = Dictionary(tabs.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
    arranged = (tabs, index)
    return (tabs, index)
  }

  /// Returns the tab with an id.
  func tab(_ id: ContributionID) -> Registry.Tab? {
    let arrangement = arrangement
    return arrangement.index[id].map { arrangement.tabs[$0] }
  }

  /// Adds the tabs of a plugin.
  ///
  /// - Parameter replaced: the plugin whose placeholders they replace; nil if there are none.
  func add(_ tabs: [Registry.Tab], replacingPlaceholdersOf replaced: PluginID?) {
    if let replaced { registered.removeAll { $0.isStandIn && $0.plugin == replaced } }
    registered += tabs
    arranged = nil
    // The bars are updated, because a newly loaded plugin labels its tabs.
    changes.count += 1
  }

  /// Arranges tabs as the host's configuration says.
  func arrange(_ placement: Placement) {
    guard placement != self.placement else { return }
    self.placement = placement
    arranged = nil
  }
}
