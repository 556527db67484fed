/// The table of which node holds which coordinator, so that a router needs no storage in the coordinator.
@MainActor enum Attachments {
  /// The node of a coordinator, and its navigation.
  ///
  /// It is an object, because copies of a struct would retain each of its references. Retaining a coordinator is slow,
  /// because routers refer to it weakly.
  final class Attachment {
    /// Stays alive, so that no other object gets its identity.
    private let coordinator: any Coordinator
    /// A strong reference, because weak references cost more than everything else here.
    ///
    /// The tree removes the attachment when the node goes, and the session removes all attachments when it ends.
    let node: Node
    let navigation: Navigation

    fileprivate init(_ coordinator: any Coordinator, _ node: Node, _ navigation: Navigation) {
      self.coordinator = coordinator
      self.node = node
      self.navigation = navigation
    }
  }

  // Every call of a router looks here: see ``Node``.
  @exclusivity(unchecked) private static var table: [ObjectIdentifier: Attachment] = [:]

  /// Notes which node holds a coordinator.
  ///
  /// - Throws: `coordinatorInUse` if another node does.
  static func add(_ coordinator: any Coordinator, to node: Node, of navigation: Navigation) throws {
    guard find(ObjectIdentifier(coordinator)) == nil else {
      throw NavigationError(.coordinatorInUse(coordinator: "\(type(of: coordinator))"))
    }
    table[ObjectIdentifier(coordinator)] = Attachment(coordinator, node, navigation)
  }

  static func remove(_ coordinator: any Coordinator) { table[ObjectIdentifier(coordinator)] = nil }

  static func find(_ coordinator: ObjectIdentifier) -> Attachment? { table[coordinator] }
}
