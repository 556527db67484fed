@_spi(FrontEnd) import GangwayProtocol

/// Redirects, and the navigations that continue after them.
extension Planner {
  /// Shows a flow over everything and waits until the flow ends with a value.
  func redirect(
    to place: Place, because question: GuardQuestion, _ intent: inout Intent, _ stored: StoredPlan?
  ) async throws {
    let target = question.request.target.description
    let name = question.guard.name
    try note(place, because: question, &intent)
    guard let anchor = redirectAnchor(question.anchor) else {
      throw NavigationError(.redirectNowhere(name: name, place: place.id))
    }
    let waiting = Waiting<Completion.Outcome>()
    let shown: Node
    if let there = join(place, intent, stored?.text, waiting) {
      shown = there
    } else {
      shown = try await show(place, over: anchor, because: name, intent, stored?.text, waiting)
    }
    let title = shown.title
    switch await waiting.value() {
    case .finished:
      // A guard may need the same flow again, such as a sign-in without a second factor.
      intent.chain.removeLast()
    case .failed(let error): throw error
    case .cancelled(let reason):
      throw NavigationError(
        .redirectCancelled(
          target: target, place: place.id, title: title, reason: reason.rawValue, isChosen: reason.isChosenByPerson))
    }
  }

  /// Waits for a flow that is on the screen already, such as a sign-in; returns its entry, or nil if there is none.
  private func join(
    _ place: Place, _ intent: Intent, _ parked: String?, _ waiting: Waiting<Completion.Outcome>
  ) -> Node? {
    guard let there = shownRedirect(to: place) else { return nil }
    if intent.source == .restoration {
      // An earlier host showed the flow, or another entry or navigation that waits for the same flow.
      removal.follow(there) { waiting.resolve($0) }
      return there
    }
    guard there.route?.place?.payload == place.payload else { return nil }
    let before = there.completion.awaiter
    // The user no longer wants an earlier navigation that redirected to the same flow. A task of an author still waits.
    let isUnwanted = there.completion.isRedirect
    (there.completion.isRedirect, there.completion.parkedPlan) = (true, parked)
    table.markChanged(there)
    removal.await(there) {
      if !isUnwanted { before?($0) }
      waiting.resolve($0)
    }
    if isUnwanted { before?(.failed(NavigationError(.superseded))) }
    return there
  }

  /// Shows the flow of a redirect; returns its entry.
  private func show(
    _ place: Place, over anchor: Node, because name: String, _ intent: Intent, _ parked: String?,
    _ waiting: Waiting<Completion.Outcome>
  ) async throws -> Node {
    var nested = Intent(source: intent.source)
    nested.chain = intent.chain
    let isEntry = intent.source == .restoration
    var context = StepContext(parkedPlan: parked)
    if !isEntry { context.awaiter = { waiting.resolve($0) } }
    let entry = try await carryOut(nested) { [removal] transaction in
      let entry = try transaction.apply(
        .show(target: .place(place), style: StoredStyle(.modal)), at: anchor, context)
      // A handler of a modal that this closes may already remove the entry after the commit.
      entry?.completion.isRedirect = !isEntry
      if isEntry, let entry { removal.follow(entry) { waiting.resolve($0) } }
      return entry
    }
    guard let entry else { throw NavigationError(.redirectNowhere(name: name, place: place.id)) }
    return entry
  }

  /// Notes a redirect in the chain of a plan.
  ///
  /// - Throws: `redirectCycle` if the redirect closes a circle, or if it is one of too many.
  private func note(_ place: Place, because question: GuardQuestion, _ intent: inout Intent) throws {
    if intent.chain.isEmpty { intent.chain = [question.request.target.description] }
    if intent.redirects.action != hooks.userActions { intent.redirects = (0, hooks.userActions) }
    intent.redirects.count += 1
    let isEndless = intent.redirects.count > Intent.maximumRedirects
    guard !isEndless, !intent.chain.contains(place.id.rawValue) else {
      let last = Array(repeating: place.id.rawValue, count: isEndless ? 2 : 1)
      let circle = (intent.chain + last).joined(separator: " → ")
      throw NavigationError(.redirectCycle(name: question.guard.name, circle: circle))
    }
    intent.chain.append(place.id.rawValue)
  }

  /// Returns the modal that shows a place already.
  private func shownRedirect(to place: Place) -> Node? { table.visibleModals.last { $0.route?.place?.id == place.id } }

  /// Returns the stack over which a redirect is shown: the one that would show the target, if it is visible.
  private func redirectAnchor(_ wanted: Node?) -> Node? {
    if let wanted, wanted.stack != nil, table.nodes[wanted.id] === wanted, table.isVisible(wanted) { return wanted }
    return table.visibleStack
  }

  /// Continues a navigation that a redirect held up in an earlier host.
  ///
  /// - Parameter text: the plan as JSON text.
  func resume(_ text: String) async throws {
    let plan = try StoredValue.decode(StoredPlan.self, from: text)
    if let url = plan.url {
      // The user has opened another link since the restart.
      guard openCount == 0 else { return }
      return try await open(url, Intent(source: .link))
    }
    try await carryOut(plan)
  }

  private func carryOut(_ plan: StoredPlan) async throws {
    let answer = TapAnswer()
    if plan.selectsTabs { updateTabs() }
    try await carryOut(Intent(source: plan.source), stored: { plan }) {
      try $0.apply(plan, tapAnswer: answer)
    }
  }

  /// Opens a URL.
  ///
  /// All steps of its plan are one transaction.
  func open(_ url: String, _ intent: Intent) async throws {
    var isAskedAgain = false
    openCount += 1
    let own = openCount
    while true {
      let link: ResolvedLink
      do { link = try await resolve(url, intent) } catch {
        // A link that opens nothing takes the place of no other.
        if own == openCount { openCount -= 1 }
        throw error
      }
      updateTabs()
      do {
        return try await carryOut(intent, stored: { StoredPlan(url: url) }) { try $0.open(link.plan) }
      } catch let error as NavigationError {
        // If guards run for an entry from a file, their answer decides whether the entry is there.
        guard case .linkThrough(_, _, _, let node) = error.problem else { throw error }
        cancelledAdmission = nil
        if !hasUnadmitted {
          // Guards may now admit an entry that they refused before. One more try is enough to know.
          let refused = table.nodes.values.filter(\.isRefused)
          guard let first = refused.first else { throw error }
          guard !isAskedAgain else {
            if case .failed(let failure, _) = first.phase, let name = failure.silentGuard {
              throw NavigationError(.deniedSilently(name: name))
            }
            throw NavigationError(.denied(reason: first.problem ?? ""))
          }
          isAskedAgain = true
          for node in refused { maker.reconsider(node) }
        }
        await admissionEnd()
        // The user opened another link meanwhile.
        guard own == openCount else { throw NavigationError(.superseded) }
        // The user who cancelled the sign-in of this entry does not want another one at once.
        if let cancelled = cancelledAdmission, cancelled.nodes.contains(node) { throw cancelled.error }
      }
    }
  }

  /// Resolves a URL, once the plugins that registered its links are loaded and its lookups have results.
  private func resolve(_ url: String, _ intent: Intent) async throws -> ResolvedLink {
    let links = maker.registry.links
    var found: [LinkLookup.Key: LinkLookup] = [:]
    var fetched: Set<PluginID> = []
    while true {
      switch try links.answer(url, found) {
      case .link(let link): return link
      case .unmatched: throw links.unmatched(url)
      case .unloaded(let plugin):
        guard fetched.insert(plugin).inserted else { throw NavigationError(.notLoaded(plugin: plugin)) }
        try await fetch(plugin, intent)
        // The plugin's links may change the indices of the entries, which are part of the keys.
        found = [:]
      case .lookup(let lookup):
        try await carryOut(intent) { _ in
          if lookup.result == nil { throw LookupNeeded(lookup: lookup) }
        }
        found[lookup.key] = lookup
      }
    }
  }

  /// Loads a plugin before a plan begins.
  ///
  /// Like a plan, the wait gives way to the user.
  private func fetch(_ plugin: PluginID, _ intent: Intent) async throws {
    try await carryOut(intent) { transaction in
      if let reason = try transaction.maker.registry.obtain(plugin) {
        throw NavigationError(.pluginAbsent(plugin: plugin, reason: reason))
      }
    }
  }
}

/// Actions of the user from outside any flow.
extension Planner {
  /// Removes the topmost entry, a modal first; if a plan waits, cancels the plan instead.
  func goBack() async throws {
    if waitingPlan?.isRestoration == false, abandonWaitingPlan(.cancelledByPerson) { return }
    try await carryOut(StoredPlan(ofUser: .back))
  }

  /// Removes everything above an entry of the path.
  func goBack(to entry: NodeID) async throws {
    try await carryOut(StoredPlan(ofUser: .backTo(node: entry)))
  }

  /// Removes the topmost modal.
  func dismissModal() async throws {
    try await carryOut(StoredPlan(ofUser: .dismissTopModal))
  }

  /// Handles a user's tap on a tab.
  func tap(_ tab: Node) async throws {
    try await carryOut(StoredPlan(ofUser: .tap(tab: .node(tab))))
    // The user wants the tab, so its guards run again.
    for node in [tab] + tab.children.prefix(1) { maker.reconsider(node) }
  }
}
