import Synchronization

/// Waiting until a session is idle.
extension Session {
  /// Whether nothing is in progress: no render is due, and every tracked action has ended or waits in a call of the
  /// framework.
  package var isIdle: Bool {
    !signal.isScheduled && !navigation.hooks.guardWatch.isChanging && work.items.allSatisfy { !$0.isBusy }
  }

  /// Waits until ``isIdle``.
  ///
  /// - Parameter limit: the longest wait. Work that never ends, such as a `.task` that observes, would keep the caller
  ///   waiting forever. Time that the main actor spends on other work, such as parallel tests, does not count.
  /// - Returns: whether the session is idle now; false if the limit has passed.
  @_spi(FrontEnd) public func idle(within limit: Duration = .seconds(30)) async -> Bool {
    var rest = limit
    while isStarted, !isIdle {
      guard rest > .zero else { return false }
      let slice = min(rest, .milliseconds(100))
      let start = ContinuousClock.now
      let watchdog = Task { [weak self] in
        try await Task.sleep(for: slice)
        self?.wakeIdleWaiters()
      }
      await withCheckedContinuation { idleWaiters.append($0) }
      watchdog.cancel()
      rest -= min(slice, ContinuousClock.now - start)
    }
    return isIdle
  }

  /// Waits until ``isIdle``; work of screens that does nothing visible for a while counts as waiting.
  ///
  /// A `.task` that observes never ends.
  ///
  /// - Parameters:
  ///   - limit: the longest wait. Time that the main actor spends on other work, such as parallel tests, does not
  ///     count.
  ///   - quiet: the time after which idle work of screens counts as waiting.
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
    // Observers finish the commits that they have received, unless they take long.
    let patience = ContinuousClock.now + quiet
    while isIdle, observers.areTelling, ContinuousClock.now < patience {
      await Task.yield()
      guard observers.areTelling else { break }
      try? await Task.sleep(for: .milliseconds(1))
    }
    return isIdle
  }

  /// Lets waiting work observe the latest change.
  ///
  /// The change arrives a few turns later. Some of the turns are on other threads, which other work may occupy.
  private func letObserversRun(within limit: Duration) async {
    // Work that follows a service of another feature waits for Gangway.
    guard work.items.contains(where: { $0.isObserving || $0.isWaiting }) else { return }
    let deadline = ContinuousClock.now + limit
    for _ in 0..<3 {
      for _ in 0..<7 { await Task.yield() }
      await Self.turnElsewhere(before: deadline)
    }
    try? await Task.sleep(for: .milliseconds(1))
  }

  /// Waits until the work that is due off the main actor has had its turn.
  ///
  /// Each priority has its own queue.
  private static func turnElsewhere(before deadline: ContinuousClock.Instant) async {
    let priorities: [TaskPriority] = [.high, .medium, .low, .background]
    let turns = TurnCount()
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

/// The number of priorities that have had their turn.
private final class TurnCount: Sendable {
  let had = Mutex(0)
}
