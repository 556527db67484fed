/// Flows that come before a navigation, and what goes on after them.
extension Planner {
  /// Shows a flow over everything and waits until it ends with a value.
  func redirect(
    to place: Place, because question: GuardQuestion, _ intent: inout Intent, _ stored: StoredPlan?
  ) async throws {
    let target = question.request.target.description
    let name = question.guard.name
    if intent.chain.isEmpty { intent.chain = [target] }
    guard !intent.chain.contains(place.id.rawValue) else {
      let circle = (intent.chain + [place.id.rawValue]).joined(separator: " → ")
      throw NavigationError(.redirectCycle(name: name, circle: circle))
    }
    intent.chain.append(place.id.rawValue)
    guard let anchor = redirectAnchor(question.anchor) else {
      throw NavigationError(.redirectNowhere(name: name, place: place.id))
    }
    let waiting = Waiting<Completion.Outcome>()
    var options = ShowOptions(style: .modal)
    options.awaiter = { waiting.resolve($0) }
    options.parkedPlan = stored
    let shown: Node
    if intent.source == .restoration, let there = shownRedirect(to: place) {
      // An earlier host showed it, or another entry that waits for the same.
      shown = there
      let before = there.completion.awaiter
      endings.await(there) {
        before?($0)
        waiting.resolve($0)
      }
    } else if intent.source != .restoration, let there = shownRedirect(to: place), there.completion.parkedPlan != nil,
      there.route?.place?.payload == place.payload
    {
      // What was wanted before led to the same flow, and is no longer what is wanted.
      shown = there
      let before = there.completion.awaiter
      there.completion.parkedPlan = stored
      table.markChanged(there)
      endings.await(there) { waiting.resolve($0) }
      before?(.failed(NavigationError(.superseded)))
    } else {
      var nested = Intent(source: intent.source)
      nested.chain = intent.chain
      shown = try await carryOut(nested) { try $0.show(place, at: anchor, options) }
    }
    let title = shown.title
    switch await waiting.value() {
    case .finished: return
    case .failed(let error): throw error
    case .cancelled(let reason):
      throw NavigationError(
        .redirectCancelled(
          target: target, place: place.id, title: title, reason: reason.rawValue, isChosen: reason.isChosenByPerson))
    }
  }

  /// The modal that shows a place already.
  private func shownRedirect(to place: Place) -> Node? { table.visibleModals.last { $0.route?.place?.id == place.id } }

  /// The stack over which a redirect is shown: the one that would show the target, if a person sees it.
  private func redirectAnchor(_ wanted: Node?) -> Node? {
    if let wanted, wanted.stack != nil, table.nodes[wanted.id] === wanted, table.isVisible(wanted) { return wanted }
    return table.visibleStack
  }

  /// Carries out a navigation that a redirect held up in an earlier host.
  func resume(_ plan: StoredPlan) async throws {
    if let url = plan.url { return try await open(url, Intent(source: .link)) }
    var answer: RepeatedTap?
    try await carryOut(Intent(source: .init(rawValue: plan.source)), stored: { plan }) {
      try $0.carryOut(plan, &answer)
    }
  }

  /// Opens a URL: all steps of its plan are one transaction.
  func open(_ url: String, _ intent: Intent) async throws {
    var isAskedAgain = false
    while true {
      let link = try await resolve(url, intent)
      do {
        return try await carryOut(intent, stored: { StoredPlan(url: url) }) { try $0.open(link.plan) }
      } catch let error as NavigationError {
        // What came from a file and is being asked about is there, or is not, when that is answered.
        guard case .linkThrough = error.problem else { throw error }
        if !hasUnadmitted {
          // What was refused before may be let in now; once is enough to know.
          let refused = table.nodes.values.filter(\.isRefused)
          guard let first = refused.first else { throw error }
          guard !isAskedAgain else { throw NavigationError(.denied(reason: first.problem ?? "")) }
          isAskedAgain = true
          for node in refused { maker.reconsider(node) }
        }
        await admissionEnd()
      }
    }
  }

  /// Finds out where a URL leads: when the plugins that registered it are here, and what its links look up was found.
  private func resolve(_ url: String, _ intent: Intent) async throws -> ResolvedLink {
    let links = maker.registry.links
    var found: [LinkLookup.Key: LinkLookup] = [:]
    var fetched: Set<String> = []
    while true {
      switch try links.answer(url, found) {
      case .link(let link): return link
      case .unmatched: throw links.unmatched(url)
      case .unloaded(let plugin):
        guard fetched.insert(plugin).inserted else { throw NavigationError(.notLoaded(plugin: plugin)) }
        try await fetch(plugin, intent)
        // Their entries may be others now.
        found = [:]
      case .lookup(let lookup):
        try await carryOut(intent) { _ in
          if lookup.result == nil { throw LookupNeeded(lookup: lookup) }
        }
        found[lookup.key] = lookup
      }
    }
  }

  /// Sees to it that a plugin is there before a plan begins, and gives way to the person as a plan does.
  private func fetch(_ plugin: String, _ intent: Intent) async throws {
    try await carryOut(intent) { transaction in
      if let reason = try transaction.maker.registry.obtain(plugin) {
        throw NavigationError(.pluginAbsent(plugin: plugin, reason: reason))
      }
    }
  }
}

/// What a person does from outside any flow.
extension Planner {
  /// Removes the topmost entry, a modal first; a plan that waits is given up instead.
  func goBack() async throws {
    if waitingPlan?.isRestoration == false, abandonWaitingPlan(.cancelledByPerson) { return }
    try await carryOut(Intent(source: .person), stored: { StoredPlan(.person, .init(.back)) }) { try $0.goBack() }
  }

  /// Removes the topmost modal.
  func dismissModal() async throws {
    try await carryOut(Intent(source: .person), stored: { StoredPlan(.person, .init(.dismissTop)) }) {
      try $0.dismissModal()
    }
  }

  /// A person's tap on a tab.
  func tap(_ tab: Node) async throws {
    var answer: RepeatedTap?
    try await carryOut(
      Intent(source: .person), stored: { StoredPlan(.person, StoredStep(.tap, entry: tab.id)) }
    ) { try $0.tap(tab, &answer) }
    // The person wants it again.
    for node in [tab] + tab.children.prefix(1) { maker.reconsider(node) }
  }
}
