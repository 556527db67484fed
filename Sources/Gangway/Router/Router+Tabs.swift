/// Navigating among tabs.
extension Router where C: TabCoordinator {
  /// Shows a tab, its stack as it was left.
  ///
  /// - Throws: `detached`, `unknownTab` naming those there are, `modalNotDismissible`, what guards say.
  @discardableResult public func select(_ tab: C.Tab) async throws -> Self {
    _ = try await selected(tab)
    return self
  }

  /// Shows a tab and returns the router of its flow, so that calls can be chained.
  ///
  /// - Throws: `unexpectedDestination` if the tab holds another flow; otherwise as ``select(_:)``.
  public func select<Child: Coordinator>(_ tab: C.Tab, as child: Child.Type) async throws -> Router<Child> {
    guard let child = try await selected(tab).coordinator as? Child else {
      throw NavigationError(.unexpectedDestination, "The tab \(tab) does not hold a \(Child.self).")
    }
    return child.router
  }

  /// The tab shown now.
  public var selection: C.Tab? {
    guard case .route(let route) = (try? attached())?.node.selection?.routeValue else { return nil }
    return route as? C.Tab
  }

  /// The router of a tab's flow; nil where the tab is not there, was not shown yet, or holds something else.
  public func child<Child: Coordinator>(in tab: C.Tab, as child: Child.Type) -> Router<Child>? {
    ((try? attached())?.node.tab(tab)?.coordinator as? Child)?.router
  }

  private func selected(_ tab: C.Tab) async throws -> Node {
    try await carryOut {
      (try? attached())?.node.tab(tab).map { StoredIntent(tab: $0) }
    } _: { plan in
      try plan.selectedNode(tab)
    }
  }
}
