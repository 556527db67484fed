/// Which node holds which coordinator: what lets a router be found without storage in the coordinator.
@MainActor enum Attachments {
  struct Attachment {
    /// Strong, as weak references cost more than all the rest: the tree takes the attachment away when the node goes,
    /// and its session takes all of them away before it goes itself.
    let node: Node
    let navigation: Navigation
  }
  // Looked up with every call of a router: see ``Node``.
  @exclusivity(unchecked) private static var table: [ObjectIdentifier: Attachment] = [:]

  /// Notes which node holds a coordinator.
  ///
  /// - Throws: `coordinatorInUse` if another one does.
  static func add(_ coordinator: any Coordinator, to node: Node, of navigation: Navigation) throws {
    guard find(coordinator) == nil else {
      throw NavigationError(.coordinatorInUse(coordinator: "\(type(of: coordinator))"))
    }
    table[ObjectIdentifier(coordinator)] = Attachment(node: node, navigation: navigation)
  }

  static func remove(_ coordinator: any Coordinator) { table[ObjectIdentifier(coordinator)] = nil }

  static func find(_ coordinator: AnyObject) -> Attachment? {
    guard let attachment = table[ObjectIdentifier(coordinator)], attachment.node.coordinator === coordinator else {
      return nil
    }
    return attachment
  }
}
