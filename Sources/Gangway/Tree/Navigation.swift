@_spi(FrontEnd) import GangwayProtocol

/// The navigation of one session, split among four owners.
///
/// The table holds the nodes, the maker creates their content, the planner changes the tree, and the removal runs
/// handlers.
@MainActor final class Navigation {
  let table = NodeTable()
  let hooks = NavigationHooks()
  let registry: Registry
  let services: SessionServices
  let removal: EntryRemoval
  let maker: ContentMaker
  let planner: Planner
  /// The URLs that presentations contain.
  private(set) lazy var urls = ShownURLs(self)

  init(
    registry: Registry, services: SessionServices, signal: RefreshSignal,
    root: AnyDestination
  ) {
    self.registry = registry
    self.services = services
    removal = EntryRemoval(table, hooks)
    maker = ContentMaker(
      table: table, registry: registry, services: services, removal: removal, hooks: hooks, signal: signal,
      root: root)
    planner = Planner(table: table, maker: maker, removal: removal, hooks: hooks)
    maker.navigation = self
    services.newestCoordinator = { [table] in table.newest($0) }
  }

  /// Ends every entry, as when the session closes.
  func close() {
    planner.abandonWaitingPlan(.sessionClosed)
    maker.unadmitted = []
    planner.endWaitForAdmission()
    removal.end(table.root, .cancelled(.sessionEnded))
    table.root.setChildren([])
    removal.tell()
  }

  /// Forgets every entry without running a handler.
  func abandon() {
    planner.abandonWaitingPlan(.sessionClosed)
    maker.unadmitted = []
    planner.endWaitForAdmission()
    maker.navigation = nil
    planner.disconnect()
    for node in table.root.subtree {
      removal.release(node)
      node.parent = nil
    }
    table.root.setChildren([])
  }
}
