@_spi(FrontEnd) import GangwayProtocol

/// A plan that waits for a guard, a plugin, or a link's lookup; at most one in a session.
@MainActor final class WaitingPlan {
  /// The plan whose guard runs in the current task, which may not navigate.
  @TaskLocal static var asking: WaitingPlan?

  enum Answer {
    case verdict(GuardVerdict)
    case failed(any Error)
    case timedOut
    case ready
    case abandoned(NavigationError)
  }

  /// Whether the plan is about an entry from a file.
  ///
  /// The user did not ask for it, so going back does not cancel it.
  let isRestoration: Bool
  /// The number of the user action that the plan belongs to; 0 for none.
  let serial: Int
  private var answer: Answer?
  private var continuation: CheckedContinuation<Answer, Never>?
  private var tasks: [Task<Void, Never>] = []

  init(serial: Int, isRestoration: Bool) {
    self.serial = serial
    self.isRestoration = isRestoration
  }

  /// Drops the plan: its navigation throws the error.
  func abandon(_ error: NavigationError) { resolve(.abandoned(error)) }

  /// Runs a guard and waits for its verdict, its error, or its timeout.
  func ask(_ question: GuardQuestion, _ watch: GuardWatch) async -> Answer {
    await answer {
      let work = watch.follow(question.guard.name, question.request.target.description) {
        WaitingPlan.$asking.withValue(self) {
          Task.immediate { @MainActor [weak self] in
            do {
              let verdict = try await question.guard.decide(question.request)
              self?.resolve(.verdict(verdict))
            } catch {
              self?.resolve(.failed(error))
            }
          }
        }
      }
      tasks = [work]
      guard answer == nil, let timeout = question.guard.timeout else { return }
      tasks.append(
        Task { @MainActor [weak self] in
          guard (try? await Task.sleep(for: timeout)) != nil else { return }
          self?.resolve(.timedOut)
        })
    }
  }

  /// Waits for other work, which may not navigate, or until the plan is dropped.
  func wait(for work: @escaping @MainActor () async -> Void) async -> Answer {
    await answer {
      tasks = [
        WaitingPlan.$asking.withValue(self) {
          Task.immediate { @MainActor [weak self] in
            await work()
            self?.resolve(.ready)
          }
        }
      ]
    }
  }

  private func answer(to begin: () -> Void) async -> Answer {
    if case .abandoned = answer, let answer { return answer }
    answer = nil
    begin()
    if let answer { return answer }
    return await withCheckedContinuation { continuation = $0 }
  }

  private func resolve(_ answer: Answer) {
    guard self.answer == nil else { return }
    self.answer = answer
    for task in tasks { task.cancel() }
    tasks = []
    continuation?.resume(returning: answer)
    continuation = nil
  }
}
