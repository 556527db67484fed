import GangwayProtocol

/// Putting what a stored state holds before the guards: it was written by another run, or another hand.
extension NavigationTree {
  /// Keeps an entry from being made until its guards have answered; false where nobody is to be asked.
  func holdBack(_ node: Node) -> Bool {
    guard let parent = node.parent, let route = node.routeValue else {
      node.isAdmitted = true
      markChanged(node)
      return false
    }
    // What is not there is asked about when it is.
    if let plugin = node.plugin, registry.absence(of: plugin) != nil { return false }
    let isAsked: Bool
    do {
      let own = try ownGuards(of: node, route, in: parent)
      isAsked = !own.isEmpty || !registry.guards.isEmpty || !registry.unloadedGuards.isEmpty
    } catch {
      isAsked = true
    }
    guard isAsked else {
      node.isAdmitted = true
      markChanged(node)
      return false
    }
    node.content = .placeholder("Whether '\(node.title)' may be shown is being asked.")
    unadmitted.append(node)
    isHeldBack()
    return true
  }

  /// Asks the guards of entries that wait for them; the lowest first, for those above stand on them.
  func admitRestored() async throws {
    while let node = unadmitted.min(by: { ($0.depth, $0.position) < ($1.depth, $1.position) }) {
      unadmitted.removeAll { $0 === node }
      guard nodes[node.id] === node, node.parent != nil, case .placeholder = node.content else { continue }
      do {
        try await carryOut(Intent(source: .restoration)) { transaction in
          guard let parent = node.parent, let route = node.routeValue else { return }
          try askEntering(
            route, in: parent, try ownGuards(of: node, route, in: parent), plugin: node.plugin, transaction)
        }
        node.isAdmitted = true
        markChanged(node)
        node.content = .dormant
        activate(node)
        commits += 1
        didCommit()
      } catch let error as NavigationError where error.code == .superseded {
        // The person went elsewhere meanwhile: that says nothing of the entry, which is asked about again.
        unadmitted.append(node)
      } catch let error as NavigationError {
        try await refuse(node, error)
      }
    }
  }

  /// Takes away what a guard refused; where a stack or bar cannot do without it, the reason stands in its place.
  private func refuse(_ node: Node, _ error: NavigationError) async throws {
    node.content = .placeholder(error.message)
    commits += 1
    didCommit()
    guard let parent = node.parent, parent.stack != nil, node.position > 0 else { return }
    report(.init(.information, "'\(node.title)' was not shown again: \(error.message)", plugin: node.plugin))
    try await carryOut(Intent(source: .restoration)) { transaction in
      try transaction.remove(from: node.position, in: parent, .cancelled(.refused))
    }
  }
}
