@_spi(FrontEnd) import GangwayProtocol

/// The admission of entries by guards: of stored entries, which another run or another hand wrote, and of admitted
/// entries whose guards' values have changed.
extension Planner {
  /// Runs guards again for the entries that they admitted.
  ///
  /// An entry that a guard now refuses leaves the screen. Its guards then run as for an entry from a file, and it
  /// returns when they admit it. A guard without a timeout does not run again: it asks the user, who has answered.
  ///
  /// - Parameter names: the guards' names.
  func askAgain(_ names: Set<String>) async {
    await askAgain(table.root.subtree.reversed(), counts: { _ in true }) { guarding, _ in names.contains(guarding.name)
    }
  }

  /// Runs the guards of entries that a crash recovery restored, once the entries are visible, to follow the guards'
  /// values.
  ///
  /// A redirect holds its entry back until the redirect is done, because the guards' values may be one event ahead of
  /// the restored state. A refusal does not count: the entry was admitted before, and would be lost.
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
      // The entries above go with it, and are made again with it.
      let above = node.style == .tab ? [] : node.parent?.children.dropFirst(node.position + 1) ?? []
      for above in above where above.mayBeDoubted {
        maker.unmake(above, above.isUnadmitted ? .file : .checkpoint)
      }
      maker.unmake(node, .file)
    }
    hooks.noteChange()
  }

  /// Returns the guards' answer about an entry: the first refusal, or else the last answer; nil if no guard is meant.
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

  /// Runs the guards of entries that wait for them.
  ///
  /// The lowest entry is first, because the others are on top of it.
  func admitRestored() async throws {
    isAdmitting = true
    defer {
      isAdmitting = false
      endWaitForAdmission()
    }
    while let node = maker.unadmitted.min(by: { ($0.depth, $0.position) < ($1.depth, $1.position) }) {
      maker.unadmitted.removeAll { $0 === node }
      guard table.nodes[node.id] === node, node.parent != nil, case .asking = node.phase else { continue }
      // The user went elsewhere in the meantime. The guards run when the entry is visible again.
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
        // A navigation that waited for the same sign-in may have removed the entry.
        guard table.nodes[node.id] === node, node.parent != nil else { continue }
        node.phase = .waiting(.checkpoint)
        table.markChanged(node)
        maker.activate(node)
        hooks.noteChange()
      } catch let error as NavigationError where error.code == .superseded {
        // The user went elsewhere in the meantime. That is no answer about the entry, so its guards run again.
        maker.unadmitted.append(node)
      } catch let error as NavigationError {
        // For a tab that is shown first, the guards of its entries run instead: a redirect has room over its stack.
        if case .redirectNowhere = error.problem, node.style == .tab, maker.makeHeldBack(node) { continue }
        guard table.nodes[node.id] === node, node.parent != nil else { continue }
        if case .redirectCancelled(_, _, _, _, true) = error.problem {
          cancelledAdmission = (Set(node.ancestry.map(\.id)).union(cancelledAdmission?.nodes ?? []), error)
        }
        await end(node, error)
      } catch {
        // The flow of a redirect failed.
        let why = NavigationError.personMessage(of: error)
        await end(node, NavigationError(.guardFailed(name: node.title, why: why)))
      }
    }
  }

  /// Whether guards run for entries from a file, or are about to.
  var hasUnadmitted: Bool { isAdmitting || !maker.unadmitted.isEmpty }

  /// Waits until the guards of entries have answered.
  func admissionEnd() async {
    guard hasUnadmitted else { return }
    // The guards may have redirected to a sign-in, and wait for the user.
    let work = TrackedWork.current
    work?.beginWait()
    await withCheckedContinuation { admissionWaiters.append((work, $0)) }
  }

  /// Resumes the work that waits for the guards' answers.
  func endWaitForAdmission() {
    let waiters = admissionWaiters
    admissionWaiters = []
    for waiter in waiters {
      waiter.work?.endWait()
      waiter.resume.resume()
    }
  }

  /// Discards the changes that are kept in an entry and in entries around it, and removes those entries.
  ///
  /// If the stack or bar needs the first of them, it stays without the changes.
  func discardKept(_ node: Node) async throws {
    let kept = maker.keptEntries(with: node)
    guard let first = kept.first, let parent = first.parent else { return }
    for entry in kept { for each in entry.subtree { table.noteUnsaved(each, false) } }
    let isNeeded = first.position == 0 || parent.stack == nil
    if isNeeded { maker.forgetInputs(of: first) }
    if isNeeded, kept.count == 1 { return }
    try await carryOut(Intent(source: .person)) {
      try $0.remove(from: first.position + (isNeeded ? 1 : 0), in: parent, .cancelled(.refused))
    }
  }

  /// Refuses an entry. A failure to remove the entry does not keep the guards of others from running.
  private func end(_ node: Node, _ error: NavigationError) async {
    do {
      try await refuse(node, error)
    } catch {
      hooks.report(
        .init(.failure, NavigationError.personMessage(of: error), plugin: node.plugin, detail: "\(error)"))
    }
  }

  /// Removes an entry that a guard refused.
  ///
  /// If its stack or bar needs the entry, or if changes in it are not saved, the entry shows the reason instead.
  private func refuse(_ node: Node, _ error: NavigationError) async throws {
    var failure = Node.Failure(reason: error.personMessage, isRefused: true)
    if case .deniedSilently(let name) = error.problem { failure.silentGuard = name }
    if maker.hasUnsavedChanges(from: node) { return maker.keep(node, failure) }
    node.phase = .failed(failure, .file)
    hooks.noteChange()
    guard let parent = node.parent, parent.stack != nil, node.position > 0 else { return }
    if !error.problem.isSilent {
      hooks.report(
        .init(.information, "'\(node.title)' could not be shown again: \(error.personMessage)", plugin: node.plugin))
    }
    try await carryOut(Intent(source: .restoration)) {
      try $0.remove(from: node.position, in: parent, .cancelled(.refused))
    }
  }
}
