/// The tasks that wait until they may send an event; the first to come is the first to go.
@MainActor final class TurnQueue {
  /// Whether the next event has to wait.
  var isBusy: () -> Bool = { false }
  /// Whether nothing is sent any more, so that nobody waits.
  var hasEnded: () -> Bool = { false }
  /// The waiting tasks; a task resumes with false if its event is dropped.
  private var waiting: [CheckedContinuation<Bool, Never>] = []
  /// Whether a task has been resumed and has not continued yet.
  private var isGiven = false

  /// The number of waiting tasks.
  var count: Int { waiting.count }

  /// Waits until no event is in flight and all earlier callers have had their turn.
  ///
  /// A caller that then sends no event must call ``next()``.
  ///
  /// - Returns: false if the event is dropped.
  func turn() async -> Bool {
    var isFirst = false
    while isBusy() || !isFirst && (isGiven || !waiting.isEmpty) {
      guard !hasEnded() else { return true }
      let mayGo = await withCheckedContinuation { waiter in
        waiting.insert(waiter, at: isFirst ? 0 : waiting.count)
        next()
      }
      guard mayGo else { return false }
      (isGiven, isFirst) = (false, true)
    }
    return true
  }

  /// Resumes the next task; no new caller can overtake it.
  func next() {
    guard !waiting.isEmpty, !isGiven, !isBusy() else { return }
    isGiven = true
    waiting.removeFirst().resume(returning: true)
  }

  /// Drops the events of all waiting tasks.
  func drop() {
    let dropped = waiting
    waiting = []
    for waiter in dropped { waiter.resume(returning: false) }
  }
}
