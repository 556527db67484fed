@_spi(FrontEnd) import GangwayProtocol

/// The weak handle that a screen or model navigates with in a coordinator.
///
/// Every call checks that the coordinator is still shown. If it is not, the call throws ``NavigationError`` with the
/// code `detached`, and nothing happens. A model that should not know the coordinator can depend on a protocol of its
/// own, to which an extension of `Router` conforms.
///
/// There are two kinds of routers. A coordinator has its own, `coordinator.router`. The builder of a screen gets the
/// router of the screen's entry: `.screen { router in … }`. ``pop()`` and ``dismiss()`` of an entry's router act on
/// that entry. Once the entry has ended, all calls of its router throw `entryGone`. So a screen cannot navigate after
/// the user has left it.
@MainActor public struct Router<C: Coordinator> {
  private let link: Attachments.Link
  /// The entry that the router was made for.
  ///
  /// The reference is strong, because a weak one would make each use of the entry slower. An entry that has gone holds
  /// no content.
  private let entry: Node?

  init(_ coordinator: C, entry: Node?) {
    link = Attachments.link(to: coordinator)
    self.entry = entry
  }

  /// The coordinator, as long as it lives.
  public var coordinator: C? { link.coordinator as? C }

  /// Whether the coordinator, and the entry that the router was made for, are part of a session now.
  public var isAttached: Bool { (try? attached()) != nil }

  /// Returns the node of the coordinator and its navigation.
  ///
  /// - Throws: `detached`, `entryGone`.
  func attached() throws -> Attachments.Attachment {
    guard let attachment = link.current else {
      let isGone = link.coordinator == nil
      throw NavigationError(isGone ? .routerGone(coordinator: "\(C.self)") : .routerNotShown(coordinator: "\(C.self)"))
    }
    if entry != nil, origin == nil { throw NavigationError(.entryGone(coordinator: "\(C.self)")) }
    return attachment
  }

  /// Carries out a plan of operations on this coordinator, all together or not at all.
  ///
  /// The closure records the operations, has no effects, and runs once. Then guards run before any code of the targets.
  /// An error names the failed operation.
  ///
  /// ```swift
  /// try await router.transaction { plan in
  ///   try plan.popToRoot()
  ///   try plan.show(.albums).show(.album(id), as: AlbumCoordinator.self).show(.track(7))
  /// }
  /// ```
  ///
  /// - Parameter body: records the operations.
  /// - Throws: `detached`; errors of operations and guards. The tree is then unchanged.
  public func transaction(_ body: (NavigationPlan<C>) throws -> Void) async throws {
    let draft = PlanDraft(own: try attached().node.id, origin: origin?.id)
    do {
      defer { draft.close() }
      try body(NavigationPlan(draft: draft, result: nil, find: { try attached().node }))
    }
    let plan = draft.plan
    if plan.selectsTabs { try attached().navigation.planner.updateTabs() }
    let body: (Transaction, Node) throws -> Void = { transaction, node in
      try transaction.apply(plan, own: node, origin: origin, checks: draft.checks)
    }
    if case .waits(let obstacle) = try tryAtOnce(body) {
      try await carryOut(after: obstacle, stored: { _ in plan }, body)
    }
  }

  /// Carries out a step on this coordinator.
  ///
  /// - Parameters:
  ///   - step: the step.
  ///   - context: the effects of the step that live only as long as this host.
  ///   - result: returns the result for the entry that the step shows or finds.
  func carryOut<Result>(
    _ step: NavigationStep, _ context: StepContext = StepContext(), _ result: (Node?) throws -> Result
  ) async throws -> Result {
    switch try tryAtOnce(step, context, result) {
    case .done(let result): return result
    case .waits(let obstacle): return try await carryOut(step, context, after: obstacle, result)
    }
  }

  /// Tries a step without a wait; the most frequent methods call it themselves.
  @inline(__always) func tryAtOnce<Result>(
    _ step: NavigationStep, _ context: StepContext = StepContext(), _ result: (Node?) throws -> Result
  ) throws -> Planner.FirstTry<Result> {
    try tryAtOnce { try result(try $0.apply(step, at: $1, from: origin, context)) }
  }

  /// Carries out a step after its first try.
  func carryOut<Result>(
    _ step: NavigationStep, _ context: StepContext = StepContext(), after obstacle: Obstacle?,
    _ result: (Node?) throws -> Result
  ) async throws -> Result {
    try await carryOut(after: obstacle) {
      StoredPlan([.init(step: step)], flow: $0.id, origin: origin?.id)
    } _: { transaction, node in
      try result(try transaction.apply(step, at: node, from: origin, context))
    }
  }

  /// Carries out a step that has no result.
  func carryOut(_ step: NavigationStep) async throws { try await carryOut(step) { _ in } }

  /// Tries operations on this coordinator without a wait.
  @inline(__always) func tryAtOnce<Result>(
    _ body: (Transaction, Node) throws -> Result
  ) throws -> Planner.FirstTry<Result> {
    let found = try attached()
    return try found.navigation.planner.tryAtOnce { try body($0, found.node) }
  }

  /// Carries out operations on this coordinator after their first try, through the loop of the planner.
  ///
  /// - Parameters:
  ///   - obstacle: the obstacle of the first try; nil if it had to wait for its turn.
  ///   - stored: returns the operations as data for the node of the flow; nil if they cannot be stored.
  ///   - body: makes the changes.
  private func carryOut<Result>(
    after obstacle: Obstacle?, stored: (Node) -> StoredPlan?, _ body: (Transaction, Node) throws -> Result
  ) async throws -> Result {
    try await attached().navigation.planner.carryOut(after: obstacle) {
      (try? attached()).flatMap { stored($0.node) }
    } _: {
      // After a wait, the node may have moved or be gone.
      try body($0, try attached().node)
    }
  }

  /// The entry whose screen holds this router; nil for a coordinator's own router, or if the entry is gone.
  var origin: Node? {
    guard let entry, let parent = entry.parent, parent.children.indices.contains(entry.position),
      parent.children[entry.position] === entry
    else { return nil }
    return entry
  }

  /// Dismisses the modal around this router's entry or flow, with everything above it.
  ///
  /// If there is no such modal, this dismisses the topmost modal that the flow presents. Use ``pop()`` to remove a
  /// pushed entry, and `finish`, `cancel` or `dismissFlow` to end the whole flow.
  ///
  /// - Throws: `detached`, `entryGone`; `noParent` if there is no modal; errors of leave guards.
  public func dismiss() async throws { try await carryOut(.dismiss) }

  /// Dismisses all modals over this coordinator's flow; does nothing if there are none.
  ///
  /// - Throws: `detached`, `entryGone`; `modalNotDismissible`; errors of leave guards.
  public func dismissModals() async throws { try await carryOut(.dismissModals) }

  // MARK: Other coordinators

  /// Sends an action to this coordinator and then to its ancestors, until one handles the action.
  ///
  /// If no coordinator handles the action, the user gets a notification.
  ///
  /// - Throws: `detached`; the error of the coordinator that handles the action.
  public func send(_ action: some CoordinatorAction) async throws {
    let found = try attached()
    try await Self.deliver(action, from: found.node, found.navigation)
  }

  /// Sends an action to the ancestors of this coordinator.
  ///
  /// - Throws: as ``send(_:)``.
  public func sendToParent(_ action: some CoordinatorAction) async throws {
    let found = try attached()
    try await Self.deliver(action, from: found.node.parent, found.navigation)
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
        .failure, "Nothing happened: no feature handles this action.", plugin: first?.plugin,
        detail: "No coordinator handled the action \(action). Handle it in a coordinator above \(C.self)."))
  }

  /// Shows the user a short notification about something done, such as "Saved.".
  ///
  /// Screen readers announce it politely, and it stays until the user continues. For problems, throw an error, or show
  /// a ``Banner`` on the screen. The router of an ended entry still shows messages, such as the result of long work.
  /// If the coordinator has ended, there is no message.
  ///
  /// - Parameters:
  ///   - text: a sentence about what was done.
  ///   - undo: undoes it, on the main actor. Front ends offer it beside the notification, and in the list of the last
  ///     50 messages. It runs at most once. It lives as long as the host, so it is lost in a crash.
  public func tell(_ text: String, undo: (@MainActor () async throws -> Void)? = nil) {
    guard let found = link.current else { return }
    found.navigation.tell(text, from: found.node, undo: undo)
  }

  /// Offers the user a file to save, for example after long work. For a button, use ``Download``.
  ///
  /// If the coordinator has ended, the file is offered nowhere.
  ///
  /// - Parameters:
  ///   - name: the name of the file for the user, such as `report.pdf`.
  ///   - type: the media type, such as `application/pdf`; nil if it is not known.
  ///   - bytes: the content.
  /// - Throws: an error that the user can read if the file cannot be written to the folder for temporary files.
  public func offerFile(name: String, type: String? = nil, bytes: [UInt8]) throws {
    guard let found = link.current else { return }
    found.navigation.offer(try OfferedFile.bytes(name: name, type: type, bytes).handOver(), from: found.node)
  }

  /// Returns the router of the nearest coordinator of a type, this one included.
  ///
  /// - Throws: `detached`; `noAncestor`, which names the types that exist.
  public func ancestor<Ancestor: Coordinator>(_ type: Ancestor.Type) throws -> Router<Ancestor> {
    try attached().node.ancestor(type).0.router
  }

  /// The coordinator that contains this one; nil for the root, and for a coordinator that is not shown.
  public var parent: (any Coordinator)? {
    (try? attached())?.node.ancestry.dropFirst().lazy.compactMap(\.coordinator).first
  }

  /// The coordinators directly in this one that already exist, in the order of their entries or tabs.
  public var children: [any Coordinator] { (try? attached())?.node.children.compactMap(\.coordinator) ?? [] }

  /// Loads the plugin of another feature's place in the background, because the place is likely to be shown soon.
  ///
  /// If the plugin cannot load, the user sees the reason when the place is shown.
  public func preload(_ place: ContributionID) { (try? attached())?.navigation.registry.preload(place.plugin) }

  /// Returns the reason why a place of another feature cannot be shown, in words for the user; nil if it can.
  ///
  /// It is meant for ``Content/disabled(because:)``.
  public func unavailability(of place: ContributionID) -> String? {
    guard let registry = try? attached().navigation.registry else { return "This screen is no longer open." }
    return registry.unavailability(of: place).map { _ in registry.absenceForUsers(of: place.plugin) }
  }
}
