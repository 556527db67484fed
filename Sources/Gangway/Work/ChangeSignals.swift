import Synchronization

/// A flag that tells whether an observed value has changed since it was read.
///
/// Any thread can raise it.
final class ChangeFlag: Sendable {
  private let raised = Atomic<Bool>(true)

  var isRaised: Bool { raised.load(ordering: .acquiring) }
  func raise() { raised.store(true, ordering: .releasing) }
  func lower() { raised.store(false, ordering: .releasing) }
}

/// A signal that brings changes from any thread to the main actor, and merges several into one.
final class RefreshSignal: Sendable {
  private let scheduled = Atomic<Bool>(false)
  private let staleTitles = Atomic<Bool>(false)
  private let refresh: Mutex<(@MainActor @Sendable () -> Void)?> = Mutex(nil)

  /// Whether a refresh is scheduled.
  var isScheduled: Bool { scheduled.load(ordering: .acquiring) }

  /// Returns whether titles have become stale since the last call.
  func takeStaleTitles() -> Bool { staleTitles.exchange(false, ordering: .acquiringAndReleasing) }

  /// Schedules a refresh of titles, from any thread.
  func raiseTitles() {
    staleTitles.store(true, ordering: .releasing)
    raise()
  }

  /// Sets the action of a refresh.
  func connect(_ action: @escaping @MainActor @Sendable () -> Void) { refresh.withLock { $0 = action } }

  /// Schedules a refresh, from any thread.
  ///
  /// Observation calls `onChange` on the thread that makes the change, so this function only hops to the main actor.
  func raise() {
    guard !scheduled.exchange(true, ordering: .acquiringAndReleasing) else { return }
    Task { @MainActor in
      scheduled.store(false, ordering: .releasing)
      refresh.withLock { $0 }?()
    }
  }
}
