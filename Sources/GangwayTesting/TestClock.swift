@_spi(FrontEnd) import Gangway
import Synchronization

/// A clock that a test moves.
///
/// Work that sleeps on it does not keep a flow busy.
///
/// Move it with `FlowTester.advance(_:by:)`.
public final class TestClock: Clock, Sendable {
  /// A moment, counted from the clock's start.
  public struct Instant: InstantProtocol, Sendable {
    /// The time since the clock's start.
    public var offset: Duration

    /// Returns the moment after a duration.
    public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    /// Returns the duration until another moment.
    public func duration(to other: Instant) -> Duration { other.offset - offset }
    /// Returns whether a moment is before another.
    public static func < (first: Instant, second: Instant) -> Bool { first.offset < second.offset }
  }

  private struct Sleeper {
    let id: Int
    let deadline: Instant
    let token: ControlledWait.Token
  }

  private struct State {
    var now = Instant(offset: .zero)
    var sleepers: [Sleeper] = []
    var count = 0
  }

  private let state = Mutex(State())

  /// Creates a clock at its start.
  public init() {}

  /// The present moment, which only the test moves.
  public var now: Instant { state.withLock { $0.now } }

  /// The smallest step.
  public var minimumResolution: Duration { .nanoseconds(1) }

  /// Suspends until the test has moved the clock to the deadline.
  ///
  /// - Throws: `CancellationError` if the task is cancelled.
  public nonisolated(nonsending) func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try Task.checkCancellation()
    let id = state.withLock { state in
      state.count += 1
      return state.count
    }
    await withTaskCancellationHandler {
      await suspend(id, deadline)
    } onCancel: {
      Task { @MainActor in wake(id) }
    }
    try Task.checkCancellation()
  }

  /// Suspends until the test has moved the clock forward by a duration.
  ///
  /// On the main actor, the duration counts from this call. `Clock.sleep(for:)` of the standard library first leaves
  /// the actor, so a test could move the clock before the sleep begins. Code that has the clock as `any Clock` or
  /// `some Clock` calls that function. A step of the test waits for such work if it belongs to the flow.
  ///
  /// - Throws: `CancellationError` if the task is cancelled.
  public nonisolated(nonsending) func sleep(for duration: Duration, tolerance: Duration? = nil) async throws {
    try await sleep(until: now.advanced(by: duration), tolerance: tolerance)
  }

  @MainActor private func suspend(_ id: Int, _ deadline: Instant) async {
    guard deadline > now, !Task.isCancelled else { return }
    await ControlledWait.suspend { token in
      state.withLock { $0.sleepers.append(Sleeper(id: id, deadline: deadline, token: token)) }
    }
  }

  @MainActor private func wake(_ id: Int) {
    let sleeper = state.withLock { state in
      state.sleepers.firstIndex { $0.id == id }.map { state.sleepers.remove(at: $0) }
    }
    sleeper?.token.resume()
  }

  /// Moves the clock to the earliest sleeper's deadline and wakes the sleeper; returns false if none is due by
  /// `target`.
  @MainActor func wakeNext(until target: Instant) -> Bool {
    let sleeper: Sleeper? = state.withLock { state in
      guard let next = state.sleepers.min(by: { $0.deadline < $1.deadline }), next.deadline <= target else {
        return nil
      }
      state.sleepers.removeAll { $0.id == next.id }
      state.now = max(state.now, next.deadline)
      return next
    }
    sleeper?.token.resume()
    return sleeper != nil
  }

  func set(_ instant: Instant) { state.withLock { $0.now = max($0.now, instant) } }
}
