/// The weak handle through which a screen or model navigates in a coordinator.
///
/// Every call checks that the coordinator is still shown; where it is not, it throws ``NavigationError`` with the
/// code `detached` and nothing happens. A model that should not know the coordinator depends on a protocol of its
/// own, to which an extension of `Router` conforms.
///
/// There are two: a coordinator's own, `coordinator.router`, and that of an entry, which is handed to the builder of its
/// screen: `.screen { router in … }`. ``pop()`` and ``dismiss()`` of the latter are about the entry, and from the entry's end
/// on each of its calls throws `entryGone`: what a screen began does not navigate when the person has left it.
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

  /// Whether the coordinator, and the entry that the router was made for, are part of a session now.
  public var isAttached: Bool { (try? attached()) != nil }

  /// The coordinator with its node and the navigation it is part of.
  ///
  /// - Throws: `detached`, `entryGone`.
  func attached() throws -> (coordinator: C, node: Node, navigation: Navigation) {
    guard let coordinator else { throw NavigationError(.routerGone(coordinator: "\(C.self)")) }
    guard let attachment = Attachments.find(coordinator) else {
      throw NavigationError(.routerNotShown(coordinator: "\(C.self)"))
    }
    if isBoundToEntry, origin == nil { throw NavigationError(.entryGone(coordinator: "\(C.self)")) }
    return (coordinator, attachment.node, attachment.navigation)
  }

  /// Carries out a plan of operations on this coordinator: all of them happen, or none.
  ///
  /// The closure says what is to be done and has no effects; it runs once. Then guards are asked before anything of what
  /// would be shown runs. An error names the operation that failed.
  ///
  /// ```swift
  /// try await router.transaction { plan in
  ///   try plan.popToRoot()
  ///   try plan.show(.albums).show(.album(id), as: AlbumCoordinator.self).show(.track(7))
  /// }
  /// ```
  ///
  /// - Parameter body: the operations.
  /// - Throws: `detached`; what an operation throws; what guards say. The tree is then what it was.
  public func transaction(_ body: (NavigationPlan<C>) throws -> Void) async throws {
    let draft = PlanDraft(own: try attached().node.id, origin: origin?.id)
    do {
      defer { draft.close() }
      try body(NavigationPlan(draft: draft, flow: .own, find: { try attached().node }))
    }
    try await carryOut(stored: { _ in draft.stored }) { transaction, _, node in
      try draft.carryOut(transaction, own: node, origin: origin)
    }
  }

  /// Carries out operations on this coordinator through the one loop of plans.
  ///
  /// - Parameter stored: the operations as data, given the node of the flow; nil where they cannot be stored.
  func carryOut<Result>(
    stored: (Node) -> StoredPlan?, _ body: (Transaction, C, Node) throws -> Result
  ) async throws -> Result {
    let found = try attached()
    let planner = found.navigation.planner
    // Tried at once, it is where it was found; once it had to wait, it may be anywhere, or gone.
    var isThere = planner.isFree
    return try await planner.carryOut {
      (try? attached()).flatMap { stored($0.node) }
    } _: { transaction in
      if isThere {
        isThere = false
        return try body(transaction, found.coordinator, found.node)
      }
      let (coordinator, node, _) = try attached()
      return try body(transaction, coordinator, node)
    }
  }

  /// The entry whose screen holds this router; nil where it is the coordinator's own, or the entry is gone.
  var origin: Node? {
    guard isBoundToEntry, let entryNode, let parent = entryNode.parent,
      parent.children.indices.contains(entryNode.position),
      parent.children[entryNode.position] === entryNode
    else { return nil }
    return entryNode
  }

  /// The entry whose screen holds this router; nil where it is the coordinator's own.
  ///
  /// - Throws: `entryGone` if the router had one.
  func boundEntry() throws -> Node? {
    guard isBoundToEntry else { return nil }
    guard let origin else { throw NavigationError(.entryGone(coordinator: "\(C.self)")) }
    return origin
  }

  /// Dismisses the modal that this router's entry or flow stands in, with everything above it; where it stands in none,
  /// the topmost modal that its flow presents.
  ///
  /// What was pushed is removed by ``pop()``; the flow as a whole is ended by `finish`, `cancel` or `dismissFlow`.
  ///
  /// - Throws: `detached`, `entryGone`; `noParent` where there is no modal; what a leave guard says.
  public func dismiss() async throws {
    try await carryOut { node in
      var step = StoredStep(.dismiss, entry: origin?.id)
      step.flow = node.id
      return StoredPlan(.code, step)
    } _: { transaction, _, node in
      try transaction.dismiss(from: node, entry: try boundEntry())
    }
  }

  /// Dismisses all modals that stand over this coordinator's flow. Where there are none it does nothing.
  ///
  /// - Throws: `detached`, `entryGone`; `modalNotDismissible`; what a leave guard says.
  public func dismissModals() async throws {
    try await carryOut { node in
      var step = StoredStep(.dismissModals)
      step.flow = node.id
      return StoredPlan(.code, step)
    } _: { transaction, _, node in
      try transaction.dismissModals(over: node)
    }
  }

  // MARK: Others

  /// Sends an action to this coordinator and, until one handles it, to those above it.
  ///
  /// An action that nobody handles is told to the person's log as unhandled.
  ///
  /// - Throws: `detached`; what the coordinator that handles it throws.
  public func send(_ action: some CoordinatorAction) async throws {
    let (_, node, navigation) = try attached()
    try await Self.deliver(action, from: node, navigation)
  }

  /// Sends an action to the coordinators above this one.
  ///
  /// - Throws: as ``send(_:)``.
  public func sendToParent(_ action: some CoordinatorAction) async throws {
    let (_, node, navigation) = try attached()
    try await Self.deliver(action, from: node.parent, navigation)
  }

  private static func deliver(
    _ action: some CoordinatorAction, from first: Node?, _ navigation: Navigation
  ) async throws {
    var node = first
    while let current = node {
      let next = current.parent
      if let coordinator = current.coordinator, try await coordinator.handle(action) == .handled { return }
      node = next
    }
    navigation.hooks.report(
      .init(
        .failure, "Nothing happened: no feature takes what was asked for.", plugin: first?.plugin,
        detail: "Nobody handled the action \(action). Handle it in a coordinator above \(C.self)."))
  }

  /// Tells the person of something that was done, in passing: "Saved.". It is read aloud politely, and stands until they go on.
  ///
  /// What is wrong is thrown, or stands on the screen as a ``Banner``.
  ///
  /// - Parameters:
  ///   - text: what was done, as a sentence.
  ///   - undo: undoes it, on the main actor; front ends offer that beside what is told, and in the list of the last 50 messages. It is run
  ///     once at the most. It is there as long as the host: not after a crash.
  public func tell(_ text: String, undo: (@MainActor () async throws -> Void)? = nil) {
    guard let (node, navigation) = try? (attached().node, attached().navigation) else { return }
    navigation.tell(text, from: node, undo: undo)
  }

  /// The router of the nearest coordinator of a type, this one included.
  ///
  /// - Throws: `detached`; `noAncestor` naming the types there are.
  public func ancestor<Ancestor: Coordinator>(_ type: Ancestor.Type) throws -> Router<Ancestor> {
    try attached().node.ancestor(type).0.router
  }

  /// The coordinator that contains this one; nil for the root, and for one that is not shown.
  public var parent: (any Coordinator)? {
    (try? attached())?.node.ancestry.dropFirst().lazy.compactMap(\.coordinator).first
  }

  /// The coordinators directly in this one that have been made, in the order of their entries or tabs.
  public var children: [any Coordinator] { (try? attached())?.node.children.compactMap(\.coordinator) ?? [] }

  /// Says that a place of another feature is likely to be shown soon: its plugin is loaded now, beside what the person does,
  /// so that they do not wait for it then. What cannot be had is told when the place is shown.
  public func preload(_ place: ContributionID) { (try? attached())?.navigation.registry.preload(place.plugin) }

  /// Why a place of another feature cannot be shown; nil when it can.
  public func unavailability(of place: ContributionID) -> String? {
    guard let registry = try? attached().navigation.registry else { return "this screen is no longer shown" }
    return registry.unavailability(of: place)
  }
}
