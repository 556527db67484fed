/// Which node holds which coordinator: what lets a router be found without storage in the coordinator.
@MainActor enum Attachments {
  struct Attachment {
    /// Strong, as weak references cost more than all the rest: the tree takes the attachment away when the node goes,
    /// and its session takes all of them away before it goes itself.
    let node: Node
    let navigation: Navigation
  }
  /// The coordinator is kept for as long as it is attached, so that its identity is nobody else's meanwhile.
  private struct Entry {
    let coordinator: any Coordinator
    let attachment: Attachment
  }

  // Looked up with every call of a router: see ``Node``.
  @exclusivity(unchecked) private static var table: [ObjectIdentifier: Entry] = [:]

  /// Notes which node holds a coordinator.
  ///
  /// - Throws: `coordinatorInUse` if another one does.
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
