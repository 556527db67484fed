@_spi(FrontEnd) @testable import Gangway
@_spi(FrontEnd) import GangwayProtocol

/// The conditions after every step.
extension ModelRun {
  func settle() async throws {
    guard await session.idle() else { throw ModelFailure("the session stays busy") }
  }

  func checkInvariants() throws {
    try checkNodes()
    try checkCoordinators()
    try checkEndings()
    try checkVisible()
    let checkpoint = session.checkpoint
    if checkpoint != folded { throw ModelFailure("the changes of the updates do not fold to the checkpoint") }
    try checkRestoration(checkpoint)
  }

  private func checkNodes() throws {
    let reachable = table.root.subtree
    let ids = Set(reachable.map(\.id))
    if ids.count != reachable.count { throw ModelFailure("two nodes have one number") }
    if ids != Set(table.nodes.ids) {
      throw ModelFailure(
        "the table of nodes and the tree differ by \(ids.symmetricDifference(table.nodes.ids).sorted())")
    }
    if table.modalNodes != reachable.count(where: { $0.modalStyle != nil }) {
      throw ModelFailure("the tree says it has \(table.modalNodes) modals")
    }
    for node in reachable {
      for (index, child) in node.children.enumerated() {
        if child.parent !== node { throw ModelFailure("node \(child.id) does not know its parent") }
        if child.position != index { throw ModelFailure("node \(child.id) is at \(index), and says \(child.position)") }
      }
      if node.modalCount != node.children.count(where: { $0.modalStyle != nil }) {
        throw ModelFailure("node \(node.id) says it has \(node.modalCount) modals")
      }
      if let selection = node.selection, !node.children.contains(where: { $0 === selection }) {
        throw ModelFailure("node \(node.id) shows a tab that it does not have")
      }
      if case .flow(.tabs) = node.phase, node.selection == nil, node.children.contains(where: { !$0.isParked }) {
        throw ModelFailure("node \(node.id) has tabs and shows none")
      }
      if node.id >= table.nextID { throw ModelFailure("node \(node.id) has a number that is given out again") }
    }
  }

  /// Checks that what was read of the tree step by step is what a reading of the whole tree finds.
  private func checkVisible() throws {
    let (kept, whole) = (table.visible, VisibleTree())
    whole.refresh(table.root)
    func facts(_ visible: VisibleTree) -> [String] {
      let layers = visible.layers.map { "\($0.style) \($0.isDismissible) \($0.screens.map(\.id))" }
      return layers + [
        "\(visible.path.map(\.id)) \(visible.tabBars.map(\.id))", "\(visible.steps.plan())",
        "\(visible.guarded.isAnySet())",
      ]
    }
    if facts(kept) != facts(whole) { throw ModelFailure("\(facts(kept)) was kept, and the tree is \(facts(whole))") }
    let path = table.root.shownPath
    if kept.path.map(\.id) != path.map(\.id) { throw ModelFailure("the path is not \(path.map(\.id))") }
    let isGuarded =
      path.contains { $0.leaveGuard != nil }
      || table.flows.values.contains { flow in
        flow.leaveGuard != nil && path.contains(where: flow.contains)
      }
    if kept.guarded.isAnySet() != isGuarded { throw ModelFailure("a visible screen has a leave guard: \(isGuarded)") }
  }

  private func checkCoordinators() throws {
    app.made.removeAll { $0.coordinator == nil }
    let shown = Set(table.flows.values.compactMap { $0.coordinator.map { ObjectIdentifier($0) } })
    for coordinator in app.made.compactMap(\.coordinator) where !shown.contains(ObjectIdentifier(coordinator)) {
      throw ModelFailure("\(type(of: coordinator)) is alive, and no node holds it")
    }
    for (id, node) in table.flows where table.nodes[id] !== node { throw ModelFailure("the flow \(id) has no node") }
  }

  private func checkEndings() throws {
    for (node, box) in awaited {
      // An undo may bring an entry back. Its result was delivered once, and is not delivered again.
      if table.nodes[node] == nil { box.hasEnded = true }
      let wanted = box.hasEnded ? 1 : 0
      if box.outcomes != wanted {
        throw ModelFailure("the result of node \(node) was told \(box.outcomes) times, not \(wanted)")
      }
    }
    for (number, var question) in questions {
      // The handler hears of every end, also of another one after an undo.
      let isThere = table.nodes[question.node] != nil
      if question.isThere, !isThere { question.endings += 1 }
      question.isThere = isThere
      questions[number] = question
      let told = app.endings[number] ?? 0
      if told != question.endings {
        throw ModelFailure("the end of question \(number) was told \(told) times, not \(question.endings)")
      }
    }
  }

  private func checkRestoration(_ checkpoint: Checkpoint) throws {
    app.isComparing = true
    let twin = Self.makeSession(registry, folder, app, names)
    twin.runsTasks = false
    defer {
      twin.abandon()
      app.isComparing = false
    }
    _ = try twin.start(from: checkpoint)
    if twin.checkpoint != checkpoint { throw ModelFailure("what is restored differs from what was stored") }
    if twin.presentation.path.map(\.title) != session.presentation.path.map(\.title) {
      throw ModelFailure(
        "the screen restored is \(twin.presentation.path.map(\.title)), not \(session.presentation.path.map(\.title))")
    }
    try checkBack(twin)
  }

  /// Checks that repeated steps back reach the root, unless a question must be answered first.
  private func checkBack(_ twin: Session) throws {
    guard !app.isLocked else { return }
    let endings = app.endings
    defer { app.endings = endings }
    var steps = twin.navigation.table.nodes.count
    var event: EventID = 0
    while twin.presentation.canGoBack {
      if steps == 0 { throw ModelFailure("back does not reach the root") }
      steps -= 1
      event += 1
      let update = twin.handle(Event(id: event, revision: twin.presentation.revision, action: .back))
      if let refusal = update.notices.first(where: { $0.kind == .refusal }) {
        throw ModelFailure("back was offered, and refused: \(refusal.text)")
      }
    }
    if let entry = twin.navigation.table.backEntry, entry.modalStyle?.isDismissible != false {
      throw ModelFailure("back is not offered at \(entry.title)")
    }
  }
}

extension Node {
  /// The entries that are visible in the node, from the first to the top.
  fileprivate var shownPath: [Node] {
    guard case .flow = phase else { return [self] }
    let shown = selection.map { [$0] } ?? children.filter { !$0.isParked }
    return shown.isEmpty ? [self] : shown.flatMap(\.shownPath)
  }
}
