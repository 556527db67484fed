/// Navigating among tabs.
extension Router where C: TabCoordinator {
  /// Shows a tab, its stack as it was left.
  ///
  /// - Throws: `detached`, `unknownTab` naming those there are, `modalNotDismissible`.
  public func select(_ tab: C.Tab) async throws { _ = try await selected(tab) }

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
    guard case .route(let route) = (try? attached())?.node.selection?.route?.value else { return nil }
    return route as? C.Tab
  }

  private func selected(_ tab: C.Tab) async throws -> Node {
    let (_, node, tree) = try await ready()
    let match = node.children.first { child in
      !child.isParked && child.route.map { tab.isEqual(toAny: $0.value) } == true
    }
    guard let match else {
      let names = node.children.map { "'\($0.title)'" }.joined(separator: ", ")
      throw NavigationError(.unknownTab, "\(C.self) has no tab \(tab). It has \(names).")
    }
    let origin = self.origin
    try tree.commit { try tree.select(match, origin: origin, &$0) }
    return match
  }
}
