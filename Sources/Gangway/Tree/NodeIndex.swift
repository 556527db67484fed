@_spi(FrontEnd) import GangwayProtocol

/// Nodes by their ids.
///
/// The keys are bare numbers, because the hash value of a number takes less time than that of an id.
@MainActor struct NodeIndex {
  private var nodes: [Int: Node] = [:]

  subscript(id: NodeID) -> Node? { nodes[id.rawValue] }

  var values: some Collection<Node> { nodes.values }
  var ids: some Collection<NodeID> { nodes.keys.lazy.map { NodeID(rawValue: $0) } }
  var count: Int { nodes.count }

  /// Adds a node, or replaces the node with the same id.
  ///
  /// - Returns: whether there was none with this id.
  mutating func add(_ node: Node) -> Bool { nodes.updateValue(node, forKey: node.id.rawValue) == nil }

  /// Removes the node with an id.
  ///
  /// - Returns: whether there was one.
  mutating func remove(_ id: NodeID) -> Bool { nodes.removeValue(forKey: id.rawValue) != nil }
}
