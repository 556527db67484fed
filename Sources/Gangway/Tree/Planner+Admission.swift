import GangwayProtocol

/// Putting what a stored state holds before the guards: it was written by another run, or another hand.
extension Planner {
  /// Asks the guards of entries that wait for them; the lowest first, for those above stand on them.
  func admitRestored() async throws {
    while let node = maker.unadmitted.min(by: { ($0.depth, $0.position) < ($1.depth, $1.position) }) {
      maker.unadmitted.removeAll { $0 === node }
      guard table.nodes[node.id] === node, node.parent != nil, case .asking = node.phase else { continue }
      do {
        try await carryOut(Intent(source: .restoration)) { transaction in
          guard let parent = node.parent else { return }
          guard let route = node.routeValue else {
            return try transaction.askEntering(maker.admissionGuards(of: node), made: node)
          }
          try transaction.askEntering(
            route, in: parent, try maker.admissionGuards(of: node), plugin: node.plugin)
        }
        node.phase = .waiting(.checkpoint)
        table.markChanged(node)
        maker.activate(node)
        hooks.noteChange()
      } catch let error as NavigationError where error.code == .superseded {
        // The person went elsewhere meanwhile: that says nothing of the entry, which is asked about again.
        maker.unadmitted.append(node)
      } catch let error as NavigationError {
        try await refuse(node, error)
      }
    }
  }

  /// Takes away what a guard refused; where a stack or bar cannot do without it, the reason stands in its place.
  private func refuse(_ node: Node, _ error: NavigationError) async throws {
    node.phase = .failed(Node.Failure(reason: error.personMessage), .file)
    hooks.noteChange()
    guard let parent = node.parent, parent.stack != nil, node.position > 0 else { return }
    hooks.report(
      .init(.information, "'\(node.title)' was not shown again: \(error.personMessage)", plugin: node.plugin))
    try await carryOut(Intent(source: .restoration)) {
      try $0.remove(from: node.position, in: parent, .cancelled(.refused))
    }
  }
}
