/// A coordinator whose node is gone: it should be, too.
struct Departure {
  weak var coordinator: (any Coordinator)?
  let name: String
  init(_ coordinator: any Coordinator) {
    self.coordinator = coordinator
    name = "\(type(of: coordinator))"
  }
}

/// Which node holds which coordinator: what lets a router be found without storage in the coordinator.
@MainActor enum Attachments {
  private struct Attachment {
    /// Strong, as weak references cost more than all the rest: the tree takes the attachment away when the node goes,
    /// and its session takes all of them away before it goes itself.
    let node: Node
    let tree: NavigationTree
  }
  @exclusivity(unchecked) private static var table: [ObjectIdentifier: Attachment] = [:]

  static func add(_ coordinator: any Coordinator, to node: Node, of tree: NavigationTree) throws {
    if find(coordinator) != nil {
      throw NavigationError(
        .coordinatorInUse,
        "\(type(of: coordinator)) is shown already. A destination's builder makes a new coordinator each time.")
    }
    table[ObjectIdentifier(coordinator)] = Attachment(node: node, tree: tree)
  }

  static func remove(_ coordinator: any Coordinator) { table[ObjectIdentifier(coordinator)] = nil }

  static func find(_ coordinator: AnyObject) -> (node: Node, tree: NavigationTree)? {
    guard let attachment = table[ObjectIdentifier(coordinator)], attachment.node.coordinator === coordinator else {
      return nil
    }
    return (attachment.node, attachment.tree)
  }
}
