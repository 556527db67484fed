import Dispatch
import Glibc
import Synchronization

/// A wait of one thread for another, which usually takes less than half a millisecond.
///
/// To sleep and wake may take as long again, so the first part of the wait only polls.
final class BriefWait: Sendable {
  private let isOver = Atomic<Bool>(false)
  private let over = DispatchSemaphore(value: 0)

  /// The time for which a wait polls.
  private static let pollTime: Duration = .microseconds(500)

  /// Ends the wait of the other thread, and each later wait.
  func end() {
    isOver.store(true, ordering: .releasing)
    over.signal()
  }

  /// Waits until the wait is ended.
  func wait() {
    guard !poll(until: .now + Self.pollTime) else { return }
    over.wait()
    over.signal()
  }

  /// Waits until the wait is ended, or for a time.
  ///
  /// - Returns: whether the wait was ended.
  func wait(within patience: Duration) -> Bool {
    let start = ContinuousClock.now
    if poll(until: start + min(patience, Self.pollTime)) { return true }
    let (seconds, attoseconds) = (patience - (.now - start)).components
    let nanoseconds = Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
    guard over.wait(timeout: .now() + .nanoseconds(max(0, nanoseconds))) == .success else { return false }
    over.signal()
    return true
  }

  private func poll(until deadline: ContinuousClock.Instant) -> Bool {
    while !isOver.load(ordering: .acquiring) {
      guard ContinuousClock.now < deadline else { return false }
      // The other thread may be waiting for this processor. Without the yield, it would start after the poll.
      sched_yield()
    }
    return true
  }
}
