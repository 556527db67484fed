@_spi(FrontEnd) import GangwaySupervisor

/// A time that passes only when the simulation moves it.
@MainActor final class VirtualClock: SupervisorClock {
  private enum Waiter {
    case sleeper(CheckedContinuation<Void, any Error>)
    case work(@MainActor () -> Void)
  }

  private(set) var now = ContinuousClock.now
  /// The waiters by the moment and the order in which they came.
  private var waiters: [(moment: ContinuousClock.Instant, number: Int, waiter: Waiter)] = []
  private var count = 0

  private func takeNumber() -> Int {
    count += 1
    return count
  }

  private func add(_ waiter: Waiter, _ number: Int, after duration: Duration) {
    let moment = now + max(.zero, duration)
    // The waiters are sorted, and the next one is the last.
    var (low, high) = (0, waiters.count)
    while low < high {
      let middle = (low + high) / 2
      if waiters[middle].moment > moment { low = middle + 1 } else { high = middle }
    }
    waiters.insert((moment, number, waiter), at: low)
  }

  func sleep(for duration: Duration) async throws {
    try Task.checkCancellation()
    let number = takeNumber()
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { add(.sleeper($0), number, after: duration) }
    } onCancel: {
      // The simulation cancels tasks only on the main actor.
      MainActor.assumeIsolated { cancel(number) }
    }
  }

  private func cancel(_ number: Int) {
    guard let index = waiters.firstIndex(where: { $0.number == number }) else { return }
    if case .sleeper(let sleeper) = waiters.remove(at: index).waiter { sleeper.resume(throwing: CancellationError()) }
  }

  /// Runs work after a time.
  func after(_ duration: Duration, _ work: @escaping @MainActor () -> Void) {
    add(.work(work), takeNumber(), after: duration)
  }

  /// Lets time pass at once, as during a slow call.
  func pass(_ duration: Duration) { now += duration }

  /// Moves to the next moment for which something waits, and resumes it.
  ///
  /// - Returns: whether anything waits until the limit.
  func step(until limit: ContinuousClock.Instant) -> Bool {
    guard let next = waiters.last, next.moment <= limit else { return false }
    waiters.removeLast()
    now = max(now, next.moment)
    switch next.waiter {
    case .sleeper(let sleeper): sleeper.resume()
    case .work(let work): work()
    }
    return true
  }
}
