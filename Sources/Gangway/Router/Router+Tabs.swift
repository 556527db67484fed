/// Navigation among tabs.
extension Router where C: TabCoordinator {
  /// Shows a tab, with its stack unchanged.
  ///
  /// The tab may be new: if the coordinator's state has just changed, the bar follows first.
  ///
  /// - Throws: `detached`, `unknownTab`, which names the tabs that exist, `modalNotDismissible`; errors of guards.
  @discardableResult public func select(_ tab: C.Tab) async throws -> Self {
    try await selected(tab) { _ in }
    return self
  }

  /// Shows a tab and returns the router of its flow, so that calls can be chained.
  ///
  /// - Throws: `unexpectedDestination` if the tab holds another flow; otherwise as ``select(_:)``.
  public func select<Child: Coordinator>(_ tab: C.Tab, as child: Child.Type) async throws -> Router<Child> {
    try await selected(tab) { node in
      guard let child = node.coordinator as? Child else {
        throw NavigationError(.unexpectedTab(tab: "\(tab)", wanted: "\(Child.self)"))
      }
      return child.router
    }
  }

  /// The selected tab.
  ///
  /// A screen whose body reads this follows the selection.
  public var selection: C.Tab? {
    guard let attachment = try? attached() else { return nil }
    attachment.navigation.hooks.treeReaders.noteRead()
    guard case .route(let route) = attachment.node.selection?.routeValue else { return nil }
    return route as? C.Tab
  }

  /// Returns the router of a tab's flow; nil if the tab does not exist, was never shown, or holds something else.
  public func child<Child: Coordinator>(in tab: C.Tab, as child: Child.Type) -> Router<Child>? {
    ((try? attached())?.node.tab(tab)?.coordinator as? Child)?.router
  }

  private func selected<Result>(_ tab: C.Tab, _ result: (Node) throws -> Result) async throws -> Result {
    try attached().navigation.planner.updateTabs()
    return try await carryOut(.select(tab: .tab(.route(tab)))) { node in
      guard let node else { throw NavigationError(.notATab(title: "\(tab)")) }
      return try result(node)
    }
  }
}
