@_spi(FrontEnd) import GangwayProtocol

/// The unfinished work of a session.
extension Session {
  /// Unfinished work that does not wait in a call of the framework, and all work of events.
  package var pending: [Update.Pending] {
    work.items.filter { $0.event != nil || $0.isBusy }.map {
      Update.Pending(event: $0.event, plugin: $0.plugin, isWaiting: $0.isWaiting)
    }
  }

  /// Unfinished work, and work that ended after the last update, whose messages the next update brings.
  package var unreported: [Update.Pending] {
    let pending = pending
    guard isStarted else { return pending }
    return pending + lastPending.filter { last in !pending.contains { $0.event == last.event } }
  }

  /// Whether an event's work runs that does not wait for Gangway: neither for a guard's answer nor for a flow.
  package var isHandling: Bool { work.items.contains { $0.event != nil && $0.isBusy } }

  /// Starts the screens' own work, if it was held back.
  package func startWork() {
    runsTasks = true
    startPreloads()
    refresh()
  }

  /// Whether any work is left, observing work included.
  package var isWorking: Bool { !work.items.isEmpty }

  /// Loads the plugins whose tabs need it for their badges.
  func startPreloads() {
    guard runsTasks else { return }
    for tab in registry.tabs where tab.preload != nil {
      work.start(event: nil, plugin: tab.plugin) { [weak self, registry] in
        // The user's first screen goes first.
        await Task.yield()
        guard await registry.load(tab.plugin) == nil, let self, let tab = registry.tab(tab.id) else { return }
        await tab.preload?.load(services.context(for: tab.plugin))
      }
    }
  }

  /// Lets all work that runs now go on, with the work of flows that it starts at once: nothing waits for it any more.
  package func release() async {
    repeat {
      for item in work.items where item.isBusy { item.observes() }
      await Task.yield()
    } while signal.isScheduled
    for item in work.items where item.isBusy { item.observes() }
    if isIdle { wakeIdleWaiters() }
  }
}
