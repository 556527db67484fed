@_spi(FrontEnd) import GangwayProtocol

/// The source of a plan, and its redirects so far.
struct Intent {
  var source = NavigationRequest.Source.code
  /// The descriptions of the plan's target and of its unfinished redirects, to find a circle.
  var chain: [String] = []
  /// The number of redirects since the user's last action.
  var redirects = (count: 0, action: 0)

  /// The maximum number of redirects of a plan without an action of the user.
  ///
  /// A flow may finish by itself, and its guard may never be satisfied. Then the redirects would never end.
  static let maximumRedirects = 10
}

/// An obstacle between a plan and its commit.
///
/// The plan is tried again after the obstacle is gone.
enum Obstacle {
  /// A guard that must run.
  case question(GuardQuestion)
  /// A plugin that must load.
  case load(PluginLoad)
  /// A lookup that a link needs.
  case lookup(LinkLookup)

  /// Creates the obstacle for an error; nil if the error makes the plan fail.
  init?(_ error: any Error) {
    if let question = error as? GuardQuestion {
      self = .question(question)
    } else if let need = error as? LoadNeeded {
      self = .load(need.load)
    } else if let need = error as? LookupNeeded {
      self = .lookup(need.lookup)
    } else {
      return nil
    }
  }
}

/// The error of code that needs the result of a link's lookup first.
struct LookupNeeded: Error {
  let lookup: LinkLookup
}

/// The owner that carries out plans, one at a time: it runs guards first, then commits a plan as a whole or not at all.
@MainActor final class Planner {
  let table: NodeTable
  let maker: ContentMaker
  let removal: EntryRemoval
  let hooks: NavigationHooks
  /// The commits, for undo and redo.
  let history = History()
  // On the path of every navigation, and not checked for overlapping access: see ``Node``.
  @exclusivity(unchecked) private var isCommitting = false
  /// The plan that waits for an obstacle.
  @exclusivity(unchecked) private(set) var waitingPlan: WaitingPlan?
  /// The navigations that wait until no other runs, in their order.
  @exclusivity(unchecked) private var turns: [(TrackedWork?, CheckedContinuation<Void, Never>)] = []
  private let transaction: Transaction
  /// The text that tells the user why a plan waits.
  private(set) var activity: String?
  /// Whether guards run for entries from a file.
  var isAdmitting = false
  /// The redirect that the user cancelled while guards ran for entries.
  ///
  /// A link that waits for these guards sets it to nil first. The nodes are the entry, and the flows around it.
  var cancelledAdmission: (nodes: Set<NodeID>, error: NavigationError)?
  /// The number of opened links.
  var openCount = 0
  /// The work that waits for the answers of these guards.
  var admissionWaiters: [(work: TrackedWork?, resume: CheckedContinuation<Void, Never>)] = []

  init(table: NodeTable, maker: ContentMaker, removal: EntryRemoval, hooks: NavigationHooks) {
    self.table = table
    self.maker = maker
    self.removal = removal
    self.hooks = hooks
    transaction = Transaction(table: table, maker: maker, removal: removal)
    // The references are strong, because a weak one would make each use of the planner slower; see `disconnect`.
    removal.resume = { try await self.resume($0) }
    maker.ask = { guards, node in
      // Outside of a plan, no guard runs: entries that a crash recovery restores were admitted before.
      guard self.isCommitting else { return }
      try self.transaction.askEntering(guards, made: node)
    }
    maker.isPlanned = { self.isCommitting }
  }

  /// Ends the references of the other owners to this one, when the session has ended.
  func disconnect() {
    removal.resume = { _ in }
    maker.ask = nil
    maker.isPlanned = { false }
  }

  // MARK: The loop

  /// Carries out a plan: tries it, finds the obstacle, undoes the attempt, waits, and tries again, until it commits or
  /// fails.
  ///
  /// A plan of the user replaces a plan that waits. A plan of code waits for its turn.
  ///
  /// - Parameters:
  ///   - intent: the source of the plan, and its redirects so far.
  ///   - stored: returns the plan as data, so that it survives a restart while a redirect holds it up.
  ///   - body: makes the changes. It may run several times, each time on the present tree; only the last run counts.
  /// - Throws: the error of `body`, or the reason why a guard or the user stopped the plan.
  func carryOut<Result>(
    _ intent: Intent = Intent(), stored: () -> StoredPlan? = { nil }, _ body: (Transaction) throws -> Result
  ) async throws -> Result {
    switch try tryAtOnce(intent.source, body) {
    case .done(let result): return result
    case .waits(let obstacle): return try await carryOut(intent, after: obstacle, stored: stored, body)
    }
  }

  /// The outcome of the first try of a plan.
  enum FirstTry<Result> {
    case done(Result)
    /// The plan waits for its turn, or for an obstacle.
    case waits(Obstacle?)
  }

  /// Tries a plan without a wait.
  ///
  /// Most plans meet no obstacle. An asynchronous call would ask for the main actor twice.
  @inline(__always) func tryAtOnce<Result>(
    _ source: NavigationRequest.Source = .code, _ body: (Transaction) throws -> Result
  ) throws -> FirstTry<Result> {
    guard isFree else { return .waits(nil) }
    do {
      return .done(try commit(source, allowed: [], body))
    } catch {
      guard let obstacle = Obstacle(error) else { throw error }
      return .waits(obstacle)
    }
  }

  /// Carries out a plan after its first try.
  func carryOut<Result>(
    _ intent: Intent = Intent(), after obstacle: Obstacle?, stored: () -> StoredPlan?,
    _ body: (Transaction) throws -> Result
  ) async throws -> Result {
    if let obstacle { return try await carryOut(intent, past: obstacle, stored, body) }
    try await takeTurn()
    switch try tryAtOnce(intent.source, body) {
    case .done(let result): return result
    case .waits(let obstacle): return try await carryOut(intent, after: obstacle, stored: stored, body)
    }
  }

  /// Continues a plan whose first try met an obstacle.
  private func carryOut<Result>(
    _ intent: Intent, past first: Obstacle, _ stored: () -> StoredPlan?, _ body: (Transaction) throws -> Result
  ) async throws -> Result {
    var wait = try beginWait(intent)
    defer { endWait(of: wait.plan) }
    var obstacle = first
    while true {
      try await pass(obstacle, &wait, stored)
      do {
        return try commit(intent.source, allowed: wait.allowed, body)
      } catch {
        guard let found = Obstacle(error) else { throw error }
        obstacle = found
      }
    }
  }

  /// The progress of a plan that met an obstacle.
  private struct Wait {
    let plan: WaitingPlan
    var intent: Intent
    /// The guard questions that were answered with permission.
    var allowed: Set<String> = []
  }

  private func beginWait(_ intent: Intent) throws -> Wait {
    if WaitingPlan.asking != nil { throw NavigationError(.insideGuard) }
    let plan = WaitingPlan(
      serial: TrackedWork.current?.serial ?? 0, isRestoration: intent.source == .restoration)
    waitingPlan = plan
    return Wait(plan: plan, intent: intent)
  }

  /// Waits until an obstacle is gone.
  ///
  /// - Throws: the reason why the plan must stop.
  private func pass(_ obstacle: Obstacle, _ wait: inout Wait, _ stored: () -> StoredPlan?) async throws {
    switch obstacle {
    case .load(let load):
      let plan = wait.plan
      let answer = await hooks.waiting {
        self.activity = "Loading…"
      } _: {
        await plan.wait { await load.wait() }
      }
      activity = nil
      try requireWaiting(wait.plan, answer)
    case .lookup(let lookup):
      let plan = wait.plan
      let context = maker.services.context(for: lookup.link.plugin)
      let answer = await hooks.waiting {
        self.activity = "Opening the link…"
      } _: {
        await plan.wait { await lookup.run(context) }
      }
      activity = nil
      try requireWaiting(wait.plan, answer)
    case .question(var question):
      // The attempt was undone, so the tree is as the user sees it.
      if question.request.leaving == nil, question.request.source != .restoration {
        question.request.leaving = Location(of: table.topNode)
      }
      let answer = await ask(question, wait.plan)
      try requireWaiting(wait.plan, answer)
      switch answer {
      case .verdict(.allow): wait.allowed.insert(question.key)
      case .verdict(.deny(let reason?)): throw NavigationError(.denied(reason: reason))
      case .verdict(.deny(nil)): throw NavigationError(.deniedSilently(name: question.guard.name))
      case .verdict(.redirect(let place)):
        endWait(of: wait.plan)
        try await redirect(to: place, because: question, &wait.intent, stored())
        wait.allowed = []
        if !isFree { try await takeTurn() }
        waitingPlan = wait.plan
      case .failed(let error as NavigationError) where error.code == .insideGuard: throw error
      case .failed(let error):
        throw NavigationError(
          .guardFailed(name: question.guard.name, why: NavigationError.personMessage(of: error)))
      case .timedOut:
        let limit = question.guard.timeout.map { "\($0)" } ?? "its time"
        throw NavigationError(.guardTimedOut(name: question.guard.name, limit: limit))
      case .abandoned, .ready: break
      }
    }
  }

  /// Runs a guard.
  ///
  /// If a plugin was loaded in the meantime, the guard runs again, because values that it read after its wait are not
  /// followed.
  private func ask(_ question: GuardQuestion, _ plan: WaitingPlan) async -> WaitingPlan.Answer {
    let arrivals = maker.registry.arrivals
    let answer = await plan.ask(question, hooks.guardWatch)
    guard case .verdict(.allow) = answer, question.guard.timeout != nil, maker.registry.arrivals != arrivals else {
      return answer
    }
    hooks.guardWatch.forget(question.guard.name, question.request.target.description)
    return await plan.ask(question, hooks.guardWatch)
  }

  /// Checks that a plan is still wanted after its wait.
  private func requireWaiting(_ plan: WaitingPlan, _ answer: WaitingPlan.Answer) throws {
    if case .abandoned(let error) = answer { throw error }
    // The plan was dropped between the answer and now, and its successor has the tree.
    guard waitingPlan === plan else { throw NavigationError(.superseded) }
  }

  // MARK: The commit

  /// Commits a change of the tree as a whole, or not at all.
  ///
  /// - Parameters:
  ///   - source: the source of the change.
  ///   - allowed: the guard questions that were answered already.
  ///   - body: makes the changes.
  /// - Throws: the error of `body`. The tree is then unchanged, with the same next id. An error of a plan with several
  ///   operations names the failed one.
  private func commit<Result>(
    _ source: NavigationRequest.Source, allowed: Set<String>, _ body: (Transaction) throws -> Result
  ) throws -> Result {
    isCommitting = true
    let transaction = transaction
    transaction.begin(source, allowed: allowed)
    let next = table.nextID
    let result: Result
    do {
      result = try body(transaction)
    } catch {
      if !Defect.keepsChangesOfFailedPlans.isSeeded { transaction.rollBack() }
      table.nextID = max(next, table.firstFree)
      isCommitting = false
      wakeTurns()
      throw Self.naming(error, transaction)
    }
    guard !transaction.steps.isEmpty else {
      isCommitting = false
      deliver(transaction.deliveries)
      wakeTurns()
      return result
    }
    hooks.commits.note(transaction, newFrom: next)
    transaction.finish()
    if !transaction.isHistoryStep { history.append(transaction) }
    hooks.noteChange()
    isCommitting = false
    hooks.treeReaders.tell()
    // Handlers may navigate, which reuses the same transaction.
    let deliveries = transaction.deliveries
    removal.tell()
    if !deliveries.isEmpty { deliver(deliveries) }
    wakeTurns()
    return result
  }

  /// Runs the deliveries of a commit.
  private func deliver(_ deliveries: [Transaction.Delivery]) {
    for delivery in deliveries { hooks.run(delivery.plugin, delivery.run) }
  }

  /// Returns an error that names the failed operation of a plan.
  private static func naming(_ error: any Error, _ transaction: Transaction) -> any Error {
    guard transaction.operations > 1, Obstacle(error) == nil else { return error }
    let problem =
      (error as? NavigationError)?.problem
      ?? .makingFailed(title: transaction.label.description, why: "\(error)")
    return NavigationError(
      .step(number: transaction.operations, operation: transaction.label.description, problem))
  }

  // MARK: Turns

  /// Whether no commit and no plan is in progress.
  var isFree: Bool { !isCommitting && waitingPlan == nil }

  /// Drops the waiting plan.
  ///
  /// - Returns: whether there was one.
  @discardableResult func abandonWaitingPlan(_ problem: NavigationProblem) -> Bool {
    guard let plan = waitingPlan else { return false }
    endWait(of: plan)
    plan.abandon(NavigationError(problem))
    return true
  }

  private func endWait(of plan: WaitingPlan) {
    guard waitingPlan === plan else { return }
    waitingPlan = nil
    wakeTurns()
  }

  /// Waits while a commit runs, or while another plan waits for its guard.
  private func takeTurn() async throws {
    while !isFree {
      if let waiting = waitingPlan {
        if WaitingPlan.asking != nil { throw NavigationError(.insideGuard) }
        if TrackedWork.current?.serial ?? 0 > waiting.serial {
          abandonWaitingPlan(.superseded)
          continue
        }
      }
      let work = TrackedWork.current
      work?.beginWait()
      await withCheckedContinuation { turns.append((work, $0)) }
    }
  }

  private func wakeTurns() {
    guard !turns.isEmpty else { return }
    let waiting = turns
    turns = []
    for (work, continuation) in waiting {
      work?.endWait()
      continuation.resume()
    }
  }
}
