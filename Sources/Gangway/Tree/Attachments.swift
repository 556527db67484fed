/// The table of which node holds which coordinator, so that a router needs no storage in the coordinator.
@MainActor enum Attachments {
  struct Attachment {
    /// A strong reference, because weak references cost more than everything else here.
    ///
    /// The tree removes the attachment when the node goes, and the session removes all attachments when it ends.
    let node: Node
    let navigation: Navigation
  }
  /// An attachment with its coordinator, which stays alive so that no other object gets its identity.
  private struct Entry {
    let coordinator: any Coordinator
    let attachment: Attachment
  }

  // Every call of a router looks here: see ``Node``.
  @exclusivity(unchecked) private static var table: [ObjectIdentifier: Entry] = [:]

  /// Notes which node holds a coordinator.
  ///
  /// - Throws: `coordinatorInUse` if another node does.
  static func add(_ coordinator: any Coordinator, to node: Node, of navigation: Navigation) throws {
    guard find(coordinator) == nil else {
      throw NavigationError(.coordinatorInUse(coordinator: "\(type(of: coordinator))"))
    }
    let attachment = Attachment(node: node, navigation: navigation)
    table[ObjectIdentifier(coordinator)] = Entry(coordinator: coordinator, attachment: attachment)
  }

  static func remove(_ coordinator: any Coordinator) { table[ObjectIdentifier(coordinator)] = nil }

  static func find(_ coordinator: AnyObject) -> Attachment? { table[ObjectIdentifier(coordinator)]?.attachment }
}
