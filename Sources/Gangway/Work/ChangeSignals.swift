import Synchronization

/// Whether something that was read under observation has changed since. Raised on any thread.
final class ChangeFlag: Sendable {
  private let raised = Atomic<Bool>(true)

  var isRaised: Bool { raised.load(ordering: .acquiring) }
  func raise() { raised.store(true, ordering: .releasing) }
  func lower() { raised.store(false, ordering: .releasing) }
}

/// Brings changes observed on any thread to the main actor, several as one.
final class RefreshSignal: Sendable {
  private let scheduled = Atomic<Bool>(false)
  private let refresh: Mutex<(@MainActor @Sendable () -> Void)?> = Mutex(nil)

  /// Whether a refresh is on its way.
  var isScheduled: Bool { scheduled.load(ordering: .acquiring) }

  /// Sets what a refresh does.
  func connect(_ action: @escaping @MainActor @Sendable () -> Void) { refresh.withLock { $0 = action } }

  /// Asks for a refresh, from any thread. `onChange` of observation runs on the thread that makes the change, so
  /// nothing is done here but to hop.
  func raise() {
    guard !scheduled.exchange(true, ordering: .acquiringAndReleasing) else { return }
    Task { @MainActor in
      scheduled.store(false, ordering: .releasing)
      refresh.withLock { $0 }?()
    }
  }
}
