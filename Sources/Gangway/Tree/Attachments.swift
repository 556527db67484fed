/// The table of which node holds which coordinator, so that a router needs no storage in the coordinator.
@MainActor enum Attachments {
  /// The node of a coordinator, and its navigation.
  ///
  /// It is an object, because copies of a struct would retain each of its references.
  final class Attachment {
    /// Stays alive, so that no other object gets its identity.
    fileprivate let coordinator: any Coordinator
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

  /// The way from a router to its coordinator.
  ///
  /// All routers of a coordinator that is in the tree share one. A weak reference makes each use of the coordinator
  /// slower, so there is one only while the coordinator has no node.
  @MainActor final class Link {
    /// The attachment of the coordinator, from the beginning to the end of its flow.
    fileprivate(set) var attachment: Attachment?
    private weak var unattached: (any Coordinator)?
    /// The link of a later flow of the same coordinator.
    private var next: Link?

    fileprivate init(unattached coordinator: any Coordinator) { unattached = coordinator }

    fileprivate init(_ attachment: Attachment) { self.attachment = attachment }

    /// The coordinator, as long as it lives.
    var coordinator: (any Coordinator)? { attachment?.coordinator ?? unattached }

    /// The present attachment of the coordinator; nil if it is not in a tree.
    var current: Attachment? {
      if let attachment { return attachment }
      if let attachment = next?.attachment { return attachment }
      next = unattached.flatMap { Attachments.table[ObjectIdentifier($0)] }
      return next?.attachment
    }

    fileprivate func end() {
      unattached = attachment?.coordinator
      attachment = nil
    }
  }

  private static var table: [ObjectIdentifier: Link] = [:]

  /// Notes which node holds a coordinator.
  ///
  /// - Throws: `coordinatorInUse` if another node does.
  static func add(_ coordinator: any Coordinator, to node: Node, of navigation: Navigation) throws {
    guard find(ObjectIdentifier(coordinator)) == nil else {
      throw NavigationError(.coordinatorInUse(coordinator: "\(type(of: coordinator))"))
    }
    table[ObjectIdentifier(coordinator)] = Link(Attachment(coordinator, node, navigation))
  }

  static func remove(_ coordinator: any Coordinator) { table.removeValue(forKey: ObjectIdentifier(coordinator))?.end() }

  static func find(_ coordinator: ObjectIdentifier) -> Attachment? { table[coordinator]?.attachment }

  /// Returns the link of a new router.
  static func link(to coordinator: any Coordinator) -> Link {
    table[ObjectIdentifier(coordinator)] ?? Link(unattached: coordinator)
  }
}
