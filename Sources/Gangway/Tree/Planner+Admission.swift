import GangwayProtocol

/// Putting what a stored state holds before the guards: it was written by another run, or another hand. And what they let in,
/// when what they read has changed.
extension Planner {
  /// Asks guards again about the entries that they let in. What one would not let in now leaves the screen, is asked about
  /// as what comes from a file is, and comes back when it is let in.
  ///
  /// A guard without a limit to its time asks the person, who has answered.
  ///
  /// - Parameter names: the guards' names.
  func askAgain(_ names: Set<String>) async {
    await askAgain(table.root.subtree.reversed(), counts: { _ in true }) { guarding, _ in names.contains(guarding.name)
    }
  }

  /// Asks the guards of entries that came back after a crash, once they are seen: from then on what the guards read is followed.
  ///
  /// What needs something to be done first is held back until it was, for what guards read may be one event ahead of what was
  /// restored. A refusal is none: the entry was let in before, and would be lost.
  func followRestored() async {
    let nodes = maker.unfollowed
    maker.unfollowed = []
    let watch = hooks.guardWatch
    await askAgain(nodes) { answer in
      if case .verdict(.redirect) = answer { true } else { false }
    } _: { guarding, target in
      !watch.isFollowing(guarding.name, target)
    }
  }

  private func askAgain(
    _ nodes: [Node], counts: (WaitingPlan.Answer) -> Bool, _ isMeant: (NavigationGuard, _ target: String) -> Bool
  ) async {
    var doubted: [Node] = []
    for node in nodes where table.nodes[node.id] === node && !node.standsOnUnadmitted {
      guard node.mayBeDoubted || node.isRefused, let answer = await answer(about: node, isMeant) else { continue }
      if case .verdict(.allow) = answer {
        maker.reconsider(node)
      } else if node.mayBeDoubted, counts(answer) {
        doubted.append(node)
      }
    }
    let there = doubted.filter { table.nodes[$0.id] === $0 && $0.mayBeDoubted }
    guard !there.isEmpty else { return }
    for node in there {
      // What stands on it goes with it, and is made again with it.
      let above = node.style == .tab ? [] : node.parent?.children.dropFirst(node.position + 1) ?? []
      for above in above where above.mayBeDoubted {
        maker.unmake(above, above.isUnadmitted ? .file : .checkpoint)
      }
      maker.unmake(node, .file)
    }
    hooks.noteChange()
  }

  /// What guards say of an entry now: the first of those that do not let it in; nil where none is meant.
  private func answer(
    about node: Node, _ isMeant: (NavigationGuard, _ target: String) -> Bool
  ) async -> WaitingPlan.Answer? {
    let application = (try? maker.applicationGuards()) ?? []
    let guards = application + ((try? maker.admissionGuards(of: node)) ?? [])
    var last: WaitingPlan.Answer?
    for each in guards where each.timeout != nil && isMeant(each, Location(of: node).description) {
      let request = NavigationRequest(source: .restoration, target: Location(of: node), leaving: nil)
      let question = GuardQuestion(guard: each, request: request, key: "", anchor: nil)
      let answer = await WaitingPlan(serial: 0, isRestoration: true).ask(question, hooks.guardWatch)
      last = answer
      guard case .verdict(.allow) = answer else { break }
    }
    return last
  }

  /// Asks the guards of entries that wait for them; the lowest first, for those above stand on them.
  func admitRestored() async throws {
    isAdmitting = true
    defer {
      isAdmitting = false
      endWaitForAdmission()
    }
    while let node = maker.unadmitted.min(by: { ($0.depth, $0.position) < ($1.depth, $1.position) }) {
      maker.unadmitted.removeAll { $0 === node }
      guard table.nodes[node.id] === node, node.parent != nil, case .asking = node.phase else { continue }
      // The person went elsewhere meanwhile: it is asked about when it is seen again.
      guard table.isVisible(node) else {
        node.phase = .waiting(.file)
        table.markChanged(node)
        continue
      }
      do {
        try await carryOut(Intent(source: .restoration)) { transaction in
          guard let parent = node.parent else { return }
          guard let route = node.routeValue else {
            return try transaction.askEntering(maker.admissionGuards(of: node), made: node)
          }
          try transaction.askEntering(
            route, in: parent, try maker.admissionGuards(of: node), plugin: node.plugin)
        }
        node.phase = .waiting(.checkpoint)
        table.markChanged(node)
        maker.activate(node)
        hooks.noteChange()
      } catch let error as NavigationError where error.code == .superseded {
        // The person went elsewhere meanwhile: that says nothing of the entry, which is asked about again.
        maker.unadmitted.append(node)
      } catch let error as NavigationError {
        // A tab that is seen first has its entries asked about in its place: over its stack there is room.
        if case .redirectNowhere = error.problem, node.style == .tab, maker.makeHeldBack(node) { continue }
        try await refuse(node, error)
      }
    }
  }

  /// Whether guards are being asked about entries from a file, or are about to be.
  var hasUnadmitted: Bool { isAdmitting || !maker.unadmitted.isEmpty }

  /// Waits until the guards of entries have answered.
  func admissionEnd() async {
    guard hasUnadmitted else { return }
    // They may have led to a sign-in, and wait for the person.
    let work = TrackedWork.current
    work?.beginWait()
    await withCheckedContinuation { admissionWaiters.append((work, $0)) }
  }

  /// Lets those go on who wait for the answers of guards.
  func endWaitForAdmission() {
    let waiters = admissionWaiters
    admissionWaiters = []
    for waiter in waiters {
      waiter.work?.endWait()
      waiter.resume.resume()
    }
  }

  /// Takes away what a guard refused; where a stack or bar cannot do without it, the reason stands in its place.
  private func refuse(_ node: Node, _ error: NavigationError) async throws {
    node.phase = .failed(Node.Failure(reason: error.personMessage, isRefused: true), .file)
    hooks.noteChange()
    guard let parent = node.parent, parent.stack != nil, node.position > 0 else { return }
    hooks.report(
      .init(.information, "'\(node.title)' was not shown again: \(error.personMessage)", plugin: node.plugin))
    try await carryOut(Intent(source: .restoration)) {
      try $0.remove(from: node.position, in: parent, .cancelled(.refused))
    }
  }
}
