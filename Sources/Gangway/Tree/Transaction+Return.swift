/// Returning to a named entry.
extension Transaction {
  /// Removes everything above the nearest entry with a name, and delivers a value to that entry.
  ///
  /// - Parameters:
  ///   - id: the name of the entry.
  ///   - value: the value for the entry, as JSON.
  ///   - origin: the entry that makes the request.
  func returnTo(_ id: ContributionID, _ value: String, from origin: Node) throws {
    var known: [ContributionID] = []
    guard let (entry, point) = returnPoint(id, below: origin, &known) else {
      throw NavigationError(
        .unknownReturnPoint(id: id, known: known.map(\.rawValue).joined(separator: ", ")))
    }
    let deliver: @MainActor () async throws -> Void
    do {
      deliver = try point.read(value)
    } catch {
      throw NavigationError(.resultMismatch(place: id, given: value, taking: point.type, why: StoredRoute.brief(error)))
    }
    target = .node(entry)
    try dismissModals(notContaining: entry, origin: origin)
    // The top entry goes first, as when the user goes back step by step.
    for node in Array(entry.ancestry).reversed() {
      guard let parent = node.parent, parent.stack != nil else { continue }
      try remove(from: node.position + 1, in: parent, .cancelled(.popped))
    }
    deliveries.append((entry.plugin ?? entry.parent?.plugin, deliver))
  }

  /// Returns the nearest entry with a name.
  ///
  /// The search goes through the stacks around a node, from the inside out, and through the flows below it.
  private func returnPoint(
    _ id: ContributionID, below origin: Node, _ known: inout [ContributionID]
  ) -> (Node, ReturnPoint)? {
    var seen: Node?
    for node in origin.ancestry {
      let there: [Node]
      if let parent = node.parent, parent.stack != nil {
        there = parent.children[..<node.position].reversed()
      } else {
        there = []
      }
      // The flow around the node may have the name, and so may the entries below.
      if let found = named(id, seen == nil ? [] : [node], isDeep: false, &known)
        ?? named(id, there, isDeep: true, &known)
      {
        return found
      }
      seen = node
    }
    return nil
  }

  private func named(
    _ id: ContributionID, _ nodes: [Node], isDeep: Bool, _ known: inout [ContributionID]
  ) -> (Node, ReturnPoint)? {
    for node in nodes {
      if isDeep, case .flow(let kind) = node.phase {
        let inside: [Node] =
          if case .tabs = kind { node.selection.map { [$0] } ?? [] } else { node.children.reversed() }
        if let found = named(id, inside, isDeep: true, &known) { return found }
      }
      guard case .entry = node.style, let point = try? maker.destination(of: node).returnPoint else { continue }
      if point.id == id { return (node, point) }
      if !known.contains(point.id) { known.append(point.id) }
    }
    return nil
  }
}
