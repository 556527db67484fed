import Observation
import Synchronization

/// A reader that observes the values it reads, until a change, the next reading, or its own deallocation.
///
/// `withObservationTracking` has no way to stop. A value that outlives a screen, such as settings or a service of the
/// host, would keep a record of each screen that read it. The record would stay until the value changes. The first
/// change of any value ends the whole tracking (Swift's Observation, `ObservationTracking.cancel`). So each reading
/// also reads a private value, and changes it to stop the tracking.
@MainActor final class FollowedReading {
  private let stale = ChangeFlag()
  private var end: End?

  /// Whether something has changed since the last reading, or nothing was read yet.
  nonisolated var isStale: Bool { stale.isRaised }

  deinit { end?.finish() }

  /// Makes the last reading stale.
  nonisolated func invalidate() { stale.raise() }

  /// Reads values and follows them.
  ///
  /// - Parameters:
  ///   - apply: reads the values.
  ///   - onChange: called when one of the values is about to change, on the thread that changes it.
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
    // The last reading ends only now: a change on another thread in the meantime reaches one of the two.
    last?.finish()
    return result
  }

  /// The private value that each reading reads, and changes to stop the tracking.
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
