/// The weak handle through which a screen or model navigates in a coordinator.
///
/// Every call checks that the coordinator is still shown; where it is not, it throws ``NavigationError`` with the
/// code `detached` and nothing happens. A model that should not know the coordinator depends on a protocol of its
/// own, to which an extension of `Router` conforms.
@MainActor public struct Router<C: Coordinator> {
  /// The coordinator, while it lives.
  public private(set) weak var coordinator: C?
  private weak var entryNode: Node?
  private let isBoundToEntry: Bool

  init(_ coordinator: C, entry: Node?) {
    self.coordinator = coordinator
    entryNode = entry
    isBoundToEntry = entry != nil
  }

  /// Whether the coordinator is part of a session now.
  public var isAttached: Bool { coordinator.map { Attachments.find($0) != nil } ?? false }

  /// The coordinator with its node and tree.
  ///
  /// - Throws: `detached`.
  func attached() throws -> (coordinator: C, node: Node, tree: NavigationTree) {
    guard let coordinator else {
      throw NavigationError(.detached, "The \(C.self) of this router is gone: its flow has ended.")
    }
    guard let (node, tree) = Attachments.find(coordinator) else {
      throw NavigationError(.detached, "This \(C.self) is not shown: not yet, or no longer.")
    }
    return (coordinator, node, tree)
  }

  /// Carries out a plan of operations on this coordinator: all of them happen, or none.
  ///
  /// Guards are asked before anything of what would be shown runs; where one has to be waited for, the operations are
  /// tried again from the start once it has answered. An error names the operation that failed.
  ///
  /// ```swift
  /// try await router.transaction { plan in
  ///   try plan.popToRoot()
  ///   try plan.show(.albums).show(.album(id), as: AlbumCoordinator.self).show(.track(7))
  /// }
  /// ```
  ///
  /// - Parameter body: the operations. It has no other effects, for it may run more than once.
  /// - Throws: `detached`; what an operation throws; what guards say. The tree is then what it was.
  @discardableResult public func transaction<Result>(_ body: (NavigationPlan<C>) throws -> Result) async throws
    -> Result
  {
    try await carryOut { try body($0) }
  }

  func carryOut<Result>(
    stored: () -> StoredIntent? = { nil }, _ body: (NavigationPlan<C>) throws -> Result
  ) async throws -> Result {
    let (coordinator, node, tree) = try attached()
    let attempt: (Transaction) throws -> Result = { transaction in
      let (coordinator, node, _) = try attached()
      return try body(NavigationPlan(coordinator, node, transaction, origin: origin))
    }
    guard tree.isFree else { return try await tree.carryOut(stored: stored, attempt) }
    // The way of nearly every navigation: nothing is under way, and no guard has to be waited for.
    do {
      return try tree.commit { try body(NavigationPlan(coordinator, node, $0, origin: origin)) }
    } catch let question as GuardQuestion {
      return try await tree.carryOut(Intent(), stored, attempt, asking: question)
    }
  }

  /// The entry whose screen holds this router; nil where it was not read within a builder, or the entry is gone.
  var origin: Node? {
    guard isBoundToEntry, let entryNode, let parent = entryNode.parent,
      parent.children.indices.contains(entryNode.position),
      parent.children[entryNode.position] === entryNode
    else { return nil }
    return entryNode
  }

  /// The entry whose screen holds this router.
  ///
  /// - Throws: `entryGone` if the router had one.
  func boundEntry() throws -> Node? {
    guard isBoundToEntry else { return nil }
    guard let origin else {
      throw NavigationError(.entryGone, "The screen that asks is no longer in the stack of \(C.self).")
    }
    return origin
  }

  /// Sends an action to this coordinator and, until one handles it, to those above it.
  ///
  /// An action that nobody handles is told to the person's log as unhandled.
  public func send(_ action: some CoordinatorAction) async throws {
    let (_, node, tree) = try attached()
    try await Self.deliver(action, from: node, tree)
  }

  /// Sends an action to the coordinators above this one.
  public func sendToParent(_ action: some CoordinatorAction) async throws {
    let (_, node, tree) = try attached()
    try await Self.deliver(action, from: node.parent, tree)
  }

  private static func deliver(_ action: some CoordinatorAction, from first: Node?, _ tree: NavigationTree) async throws
  {
    var node = first
    while let current = node {
      let next = current.parent
      if let coordinator = current.coordinator, try await coordinator.handle(action) == .handled { return }
      node = next
    }
    tree.report(
      .init(
        .failure, "Nobody handled the action \(action). Handle it in a coordinator above \(C.self).",
        plugin: first?.plugin))
  }

  /// The router of the nearest coordinator of a type, this one included.
  ///
  /// - Throws: `noAncestor` naming the types there are.
  public func ancestor<Ancestor: Coordinator>(_ type: Ancestor.Type) throws -> Router<Ancestor> {
    try attached().node.ancestor(type).0.router
  }

  /// The coordinator that contains this one; nil for the root, and for one that is not shown.
  public var parent: (any Coordinator)? {
    (try? attached())?.node.ancestry.dropFirst().lazy.compactMap(\.coordinator).first
  }

  /// The coordinators directly in this one that have been made, in the order of their entries or tabs.
  public var children: [any Coordinator] { (try? attached())?.node.children.compactMap(\.coordinator) ?? [] }

  /// Why a place of another feature cannot be shown; nil when it can.
  public func unavailability(of place: String) -> String? {
    guard let tree = try? attached().tree else { return "this screen is no longer shown" }
    return tree.registry.unavailability(of: place)
  }
}
