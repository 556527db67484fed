import GangwayProtocol

/// Where a plan comes from, and what it was redirected to so far.
struct Intent {
  var source = NavigationRequest.Source.code
  /// What it asked for and where it was led instead, by their descriptions: to find a circle.
  var chain: [String] = []
}

/// Carrying out plans: one at a time, guards asked first, then committed at once or not at all.
extension NavigationTree {
  /// Carries out a plan.
  ///
  /// A plan of the person's that comes while another waits for a guard takes its place; one of code's waits its turn.
  ///
  /// - Parameters:
  ///   - stored: the plan as data, so that it survives a restart while a redirect holds it up.
  ///   - body: the changes. It may run several times, each from the tree as it then is; only the last one counts.
  /// - Throws: what `body` throws, or why a guard or the person stopped it.
  func carryOut<Result>(
    _ intent: Intent = Intent(), stored: () -> StoredIntent? = { nil }, _ body: (Transaction) throws -> Result
  ) async throws -> Result {
    if !isFree { try await takeTurn() }
    do {
      return try commit(intent.source, body)
    } catch let question as GuardQuestion {
      return try await carryOut(intent, stored, body, asking: question)
    } catch let need as LoadNeeded {
      return try await carryOut(intent, stored, body, asking: need)
    }
  }

  /// Carries out a plan that was tried once, and met a guard or a plugin that is being loaded.
  func carryOut<Result>(
    _ intent: Intent, _ stored: () -> StoredIntent?, _ body: (Transaction) throws -> Result,
    asking first: any Error
  ) async throws -> Result {
    if WaitingPlan.asking != nil { throw Self.navigationInGuard }
    var hindrance = first
    var intent = intent
    var allowed: Set<String> = []
    let plan = WaitingPlan(
      serial: TrackedWork.current?.serial ?? 0, isRestoration: intent.source == .restoration)
    waitingPlan = plan
    defer { endWait(of: plan) }
    while true {
      guard let question = hindrance as? GuardQuestion else {
        try await pass(hindrance, plan)
        do {
          return try commit(intent.source, allowed: allowed, body)
        } catch let next as GuardQuestion {
          hindrance = next
        } catch let next as LoadNeeded {
          hindrance = next
        }
        continue
      }
      let answer = await plan.ask(question)
      if case .abandoned(let error) = answer { throw error }
      // Given up in the moment between the answer and now: whoever came instead has the tree.
      guard waitingPlan === plan else { throw Self.superseded }
      switch answer {
      case .verdict(.allow): allowed.insert(question.key)
      case .verdict(.deny(let reason)): throw NavigationError(.denied, reason)
      case .verdict(.redirect(let place)):
        endWait(of: plan)
        try await redirect(to: place, because: question, &intent, stored())
        allowed = []
        if !isFree { try await takeTurn() }
        waitingPlan = plan
      case .failed(let error as NavigationError) where error.code == .insideGuard: throw error
      case .failed(let error):
        throw NavigationError(.guardFailed, "The guard '\(question.guard.name)' failed, so nothing was done: \(error)")
      case .timedOut:
        let limit = question.guard.timeout.map { "\($0)" } ?? "its time"
        throw NavigationError(
          .guardTimedOut, "The guard '\(question.guard.name)' gave no answer within \(limit), so nothing was done.")
      case .abandoned(let error): throw error
      }
      do {
        return try commit(intent.source, allowed: allowed, body)
      } catch let next as GuardQuestion {
        hindrance = next
      } catch let next as LoadNeeded {
        hindrance = next
      }
    }
  }

  /// Waits for a plugin that a plan needs; meanwhile the screen says so, and going back gives the plan up.
  private func pass(_ hindrance: any Error, _ plan: WaitingPlan) async throws {
    guard let need = hindrance as? LoadNeeded else { throw hindrance }
    activity = "Loading \(need.load.plugin)…"
    didCommit()
    let answer = await plan.wait(for: need.load)
    activity = nil
    didCommit()
    if case .abandoned(let error) = answer { throw error }
    guard waitingPlan === plan else { throw Self.superseded }
  }

  /// Whether no commit and no plan is under way.
  var isFree: Bool { !isCommitting && waitingPlan == nil }

  private static var superseded: NavigationError {
    NavigationError(.superseded, "The person went elsewhere while it was still being waited for.")
  }

  private static var navigationInGuard: NavigationError {
    NavigationError(
      .insideGuard, "A guard may not navigate while it is asked. Let it answer .redirect(to) with the place instead.")
  }

  /// Gives up the plan that waits for a guard.
  ///
  /// - Returns: whether one did.
  func abandonWaitingPlan(_ error: NavigationError) -> Bool {
    guard let plan = waitingPlan else { return false }
    endWait(of: plan)
    plan.abandon(error)
    return true
  }

  private func endWait(of plan: WaitingPlan) {
    guard waitingPlan === plan else { return }
    waitingPlan = nil
    wakeTurns()
  }

  /// Waits while a commit is under way or another plan waits for its guard.
  private func takeTurn() async throws {
    while !isFree {
      if let waiting = waitingPlan {
        if WaitingPlan.asking != nil { throw Self.navigationInGuard }
        let serial = TrackedWork.current?.serial ?? 0
        if serial > waiting.serial {
          _ = abandonWaitingPlan(Self.superseded)
          continue
        }
      }
      await waitForTurn()
    }
  }

  // MARK: Redirects

  /// Shows a flow over everything and waits until it ends with a value.
  private func redirect(
    to place: Place, because question: GuardQuestion, _ intent: inout Intent, _ stored: StoredIntent?
  ) async throws {
    let target = question.request.target.description
    if intent.chain.isEmpty { intent.chain = [target] }
    guard !intent.chain.contains(place.id) else {
      let circle = (intent.chain + [place.id]).joined(separator: " → ")
      throw NavigationError(
        .redirectCycle,
        "The guard '\(question.guard.name)' leads in a circle: \(circle). It must allow what it leads to, "
          + "and, once that has finished, what it led away from.")
    }
    intent.chain.append(place.id)
    guard let anchor = redirectAnchor(question.anchor) else {
      throw NavigationError(
        .unknownPlace, "The guard '\(question.guard.name)' leads to \(place.id), and no stack is there to show it in.")
    }
    let waiting = Waiting<Completion.Outcome>()
    var options = ShowOptions(style: .modal)
    options.awaiter = { waiting.resolve($0) }
    options.parkedIntent = stored
    var nested = Intent(source: intent.source)
    nested.chain = intent.chain
    _ = try await carryOut(nested) { try show(place, at: anchor, options, $0) }
    switch await waiting.value() {
    case .finished: return
    case .failed(let error): throw error
    case .cancelled(let reason):
      throw NavigationError(
        .redirectCancelled,
        "\(target) was not shown, for \(place.id), which comes before it, ended without a result: "
          + "\(reason.rawValue).")
    }
  }

  /// The stack over which a redirect is shown: the one that would show the target, if a person sees it.
  private func redirectAnchor(_ wanted: Node?) -> Node? {
    if let wanted, wanted.stack != nil, nodes[wanted.id] === wanted, isVisible(wanted) { return wanted }
    var anchor: Node?
    for node in sequence(first: root, next: { $0.topChild }) where node.stack != nil { anchor = node }
    return anchor
  }
}
