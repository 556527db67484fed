import GangwayProtocol

/// Where a plan comes from, and what it was redirected to so far.
struct Intent {
  var source = NavigationRequest.Source.code
  /// What it asked for and where it was led instead, by their descriptions: to find a circle.
  var chain: [String] = []
}

/// What stands between a plan and its commit; it is tried again when that is out of the way.
enum Obstacle {
  /// A guard that has to be asked.
  case question(GuardQuestion)
  /// A plugin that has to be loaded.
  case load(PluginLoad)
  /// Something that a link has to look up.
  case lookup(LinkLookup)

  /// The obstacle that an error stands for; nil where it is why the plan fails.
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

/// Thrown by what needs to know first what a link looks up.
struct LookupNeeded: Error {
  let lookup: LinkLookup
}

/// Carries out plans: one at a time, guards asked first, then committed at once or not at all.
@MainActor final class Planner {
  let table: NodeTable
  let maker: ContentMaker
  let endings: Endings
  let hooks: NavigationHooks
  /// What was committed, to be stepped through.
  let history = History()
  // On the way of every navigation, and not checked for overlapping access: see ``Node``.
  @exclusivity(unchecked) private var isCommitting = false
  /// The plan that waits for what is in its way.
  @exclusivity(unchecked) private(set) var waitingPlan: WaitingPlan?
  /// Navigations that wait until no other is under way, in their order.
  @exclusivity(unchecked) private var turns: [(TrackedWork?, CheckedContinuation<Void, Never>)] = []
  private let transaction: Transaction
  /// What a plan that is under way waits for, for the person to read.
  private(set) var activity: String?
  /// Whether guards are being asked about entries from a file.
  var isAdmitting = false
  /// Who waits for their answers.
  var admissionWaiters: [(work: TrackedWork?, resume: CheckedContinuation<Void, Never>)] = []

  init(table: NodeTable, maker: ContentMaker, endings: Endings, hooks: NavigationHooks) {
    self.table = table
    self.maker = maker
    self.endings = endings
    self.hooks = hooks
    transaction = Transaction(table: table, maker: maker, endings: endings)
    endings.resume = { [weak self] in try await self?.resume($0) }
    maker.ask = { [weak self] guards, node in
      // Outside of a plan nobody is asked: what is restored after a crash was admitted before.
      guard let self, isCommitting else { return }
      try transaction.askEntering(guards, made: node)
    }
    maker.isPlanned = { [weak self] in self?.isCommitting == true }
  }

  // MARK: The loop

  /// Carries out a plan: tries it, learns what is in the way, undoes it, waits, and tries it again, until it is committed
  /// or fails.
  ///
  /// A plan of the person's that comes while another waits takes its place; one of code's waits its turn.
  ///
  /// - Parameters:
  ///   - stored: the plan as data, so that it survives a restart while a redirect holds it up.
  ///   - body: the changes. It may run several times, each from the tree as it then is; only the last one counts.
  /// - Throws: what `body` throws, or why a guard or the person stopped it.
  func carryOut<Result>(
    _ intent: Intent = Intent(), stored: () -> StoredPlan? = { nil }, _ body: (Transaction) throws -> Result
  ) async throws -> Result {
    if !isFree { try await takeTurn() }
    var wait: Wait?
    defer { if let wait { endWait(of: wait.plan) } }
    while true {
      let obstacle: Obstacle
      do {
        return try commit(intent.source, allowed: wait?.allowed ?? [], body)
      } catch {
        guard let found = Obstacle(error) else { throw error }
        obstacle = found
      }
      if wait == nil { wait = try beginWait(intent) }
      if var current = wait {
        try await pass(obstacle, &current, stored)
        wait = current
      }
    }
  }

  /// What a plan that met something in its way has been through.
  private struct Wait {
    let plan: WaitingPlan
    var intent: Intent
    /// The questions of guards that were answered so that it may go on.
    var allowed: Set<String> = []
  }

  private func beginWait(_ intent: Intent) throws -> Wait {
    if WaitingPlan.asking != nil { throw NavigationError(.insideGuard) }
    let plan = WaitingPlan(
      serial: TrackedWork.current?.serial ?? 0, isRestoration: intent.source == .restoration)
    waitingPlan = plan
    return Wait(plan: plan, intent: intent)
  }

  /// Waits until what is in the way of a plan is no longer.
  ///
  /// - Throws: why the plan must be given up.
  private func pass(_ obstacle: Obstacle, _ wait: inout Wait, _ stored: () -> StoredPlan?) async throws {
    switch obstacle {
    case .load(let load):
      let plan = wait.plan
      let answer = await hooks.waiting {
        self.activity = "Loading \(load.plugin)…"
      } _: {
        await plan.wait { await load.wait() }
      }
      activity = nil
      try requireWaiting(wait.plan, answer)
    case .lookup(let lookup):
      let plan = wait.plan
      let context = maker.services.context(for: lookup.link.plugin)
      let answer = await hooks.waiting {
        self.activity = "Looking up \(lookup.link.pattern)…"
      } _: {
        await plan.wait { await lookup.run(context) }
      }
      activity = nil
      try requireWaiting(wait.plan, answer)
    case .question(let question):
      let answer = await ask(question, wait.plan)
      try requireWaiting(wait.plan, answer)
      switch answer {
      case .verdict(.allow): wait.allowed.insert(question.key)
      case .verdict(.deny(let reason)): throw NavigationError(.denied(reason: reason))
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

  /// Asks a guard. One for which a plugin was loaded is asked once more, for what it read after it had waited is not followed.
  private func ask(_ question: GuardQuestion, _ plan: WaitingPlan) async -> WaitingPlan.Answer {
    let arrivals = maker.registry.arrivals
    let answer = await plan.ask(question, hooks.guardWatch)
    guard case .verdict(.allow) = answer, question.guard.timeout != nil, maker.registry.arrivals != arrivals else {
      return answer
    }
    hooks.guardWatch.forget(question.guard.name, question.request.target.description)
    return await plan.ask(question, hooks.guardWatch)
  }

  /// Sees to it that a plan that waited is still wanted.
  private func requireWaiting(_ plan: WaitingPlan, _ answer: WaitingPlan.Answer) throws {
    if case .abandoned(let error) = answer { throw error }
    // Given up in the moment between the answer and now: whoever came instead has the tree.
    guard waitingPlan === plan else { throw NavigationError(.superseded) }
  }

  // MARK: The commit

  /// Runs a change of the tree: all of it happens, or nothing does.
  ///
  /// - Parameters:
  ///   - source: who wants it.
  ///   - allowed: the questions of guards that were answered already.
  /// - Throws: what `body` throws; the tree is then what it was, the numbers of its nodes included. An error of a plan
  ///   of several operations names the one that failed.
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
    if !transaction.isHistoryStep { history.append(transaction) }
    hooks.commits.note(transaction, newFrom: next)
    transaction.finish()
    hooks.noteChange()
    isCommitting = false
    // What is told of may navigate, with the same transaction.
    let deliveries = transaction.deliveries
    endings.tell()
    if !deliveries.isEmpty { deliver(deliveries) }
    wakeTurns()
    return result
  }

  /// Hands over what a commit was to hand over.
  private func deliver(_ deliveries: [Transaction.Delivery]) {
    for delivery in deliveries { hooks.run(delivery.plugin, delivery.run) }
  }

  /// Says which operation of a plan failed.
  private static func naming(_ error: any Error, _ transaction: Transaction) -> any Error {
    guard transaction.operations > 1, Obstacle(error) == nil else { return error }
    let problem =
      (error as? NavigationError)?.problem
      ?? .makingFailed(title: "\(transaction.operation.description)", why: "\(error)")
    return NavigationError(
      .step(number: transaction.operations, operation: transaction.operation.description, problem))
  }

  // MARK: Turns

  /// Whether no commit and no plan is under way.
  var isFree: Bool { !isCommitting && waitingPlan == nil }

  /// Gives up the plan that waits.
  ///
  /// - Returns: whether one did.
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

  /// Waits while a commit is under way or another plan waits for its guard.
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
