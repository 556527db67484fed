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
    var deadline = ContinuousClock.now + limit
    await letObserversRun()
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

  /// Lets work that waits hear of what has just changed: it is told a few turns later.
  private func letObserversRun() async {
    guard work.items.contains(where: \.isObserving) else { return }
    for _ in 0..<20 { await Task.yield() }
    try? await Task.sleep(for: .milliseconds(1))
  }

  func wakeIdleWaiters() {
    let waiters = idleWaiters
    idleWaiters = []
    for waiter in waiters { waiter.resume() }
  }
}
