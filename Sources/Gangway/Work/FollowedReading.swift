import Observation
import Synchronization

/// Reads something under observation, and follows it until it changes, it is read anew, or nobody has this any more.
///
/// `withObservationTracking` cannot be told to stop: what lives longer than a screen, such as settings or a service of the host, would keep a
/// note of each screen that ever read it until it changes. But the first change of anything that was read ends all of it (Swift's
/// Observation, `ObservationTracking.cancel`), so something of this one's own is read with it, and changed.
@MainActor final class FollowedReading {
  private let stale = ChangeFlag()
  private var end: End?

  /// Whether something has changed since, or nothing was read yet.
  nonisolated var isStale: Bool { stale.isRaised }

  deinit { end?.finish() }

  /// Has it be read anew.
  nonisolated func invalidate() { stale.raise() }

  /// Reads.
  ///
  /// - Parameter onChange: called when something of it is about to change, on the thread that changes it.
  func read<Result>(_ apply: () -> Result, onChange: @escaping @Sendable () -> Void) -> Result {
    let (last, next) = (end, End())
    end = next
    stale.lower()
    let result = withObservationTracking {
      next.follow()
      return apply()
    } onChange: { [stale] in
      guard next.isOver.exchange(true, ordering: .acquiringAndReleasing) == false else { return }
      stale.raise()
      onChange()
    }
    // Not before: a change on another thread meanwhile is told of by this one or that one.
    last?.finish()
    return result
  }

  /// What is read with everything else.
  private final class End: Observable, Sendable {
    let isOver = Atomic<Bool>(false)
    private let registrar = ObservationRegistrar()
    private var mark: Bool { false }

    func follow() { registrar.access(self, keyPath: \.mark) }

    func finish() {
      guard isOver.exchange(true, ordering: .acquiringAndReleasing) == false else { return }
      registrar.withMutation(of: self, keyPath: \.mark) {}
    }
  }
}
