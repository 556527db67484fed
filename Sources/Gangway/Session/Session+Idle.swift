import Synchronization

/// Waiting until a session has nothing on its way.
extension Session {
  /// Whether nothing is on its way: no render, and every tracked action ended or waits for something of Gangway's.
  public var isIdle: Bool {
    !signal.isScheduled && !navigation.hooks.guardWatch.isChanging && work.items.allSatisfy { !$0.isBusy }
  }

  /// Waits until ``isIdle``.
  ///
  /// - Parameter limit: how long to wait at the most; nil stands for as long as it takes.
  /// - Returns: whether the session is idle now.
  @discardableResult public func idle(within limit: Duration? = nil) async -> Bool {
    let deadline = limit.map { ContinuousClock.now + $0 }
    while isStarted, !isIdle {
      if let deadline, ContinuousClock.now >= deadline { return false }
      let watchdog = deadline.map { deadline in
        Task { [weak self] in
          try await Task.sleep(until: deadline, clock: .continuous)
          self?.wakeIdleWaiters()
        }
      }
      await withCheckedContinuation { idleWaiters.append($0) }
      watchdog?.cancel()
    }
    return isIdle
  }

  /// Waits until ``isIdle``, where work of screens that does nothing anybody sees for a while counts as waiting from then
  /// on: a `.task` that observes never ends.
  ///
  /// - Parameters:
  ///   - limit: how long to wait at the most. What the main actor spends with others, as with tests beside this one, does not count.
  ///   - quiet: how long work of screens may do nothing.
  /// - Returns: whether the session is idle now.
  package func idle(within limit: Duration, quiet: Duration) async -> Bool {
    await letObserversRun(within: quiet)
    var deadline = ContinuousClock.now + limit
    while !isIdle, isStarted {
      let now = ContinuousClock.now
      if now >= deadline { return false }
      let changes = changeCount
      let slice = min(quiet, deadline - now)
      _ = await idle(within: slice)
      deadline += max(.zero, ContinuousClock.now - now - slice)
      guard !isIdle, changes == changeCount, !signal.isScheduled else { continue }
      for item in work.items where item.event == nil && item.isBusy && ContinuousClock.now - now >= quiet {
        item.observes()
      }
    }
    // What observers were told they have dealt with, if that does not take them long.
    let patience = ContinuousClock.now + quiet
    while isIdle, observers.areTelling, ContinuousClock.now < patience {
      await Task.yield()
      guard observers.areTelling else { break }
      try? await Task.sleep(for: .milliseconds(1))
    }
    return isIdle
  }

  /// Lets work that waits hear of what has just changed: it is told a few turns later, some of them on other threads, which may be taken
  /// by whatever else is computed.
  private func letObserversRun(within limit: Duration) async {
    guard work.items.contains(where: \.isObserving) else { return }
    let deadline = ContinuousClock.now + limit
    for _ in 0..<3 {
      for _ in 0..<7 { await Task.yield() }
      await Self.turnElsewhere(before: deadline)
    }
    try? await Task.sleep(for: .milliseconds(1))
  }

  /// Waits until what is to run off the main actor now has had its turn: each priority has a queue of its own.
  private static func turnElsewhere(before deadline: ContinuousClock.Instant) async {
    let priorities: [TaskPriority] = [.high, .medium, .low, .background]
    let turns = Turns()
    for priority in priorities { Task.detached(priority: priority) { turns.had.withLock { $0 += 1 } } }
    while turns.had.withLock({ $0 }) < priorities.count, ContinuousClock.now < deadline {
      try? await Task.sleep(for: .microseconds(200))
    }
  }

  func wakeIdleWaiters() {
    let waiters = idleWaiters
    idleWaiters = []
    for waiter in waiters { waiter.resume() }
  }
}

/// How many have had their turn.
private final class Turns: Sendable {
  let had = Mutex(0)
}
