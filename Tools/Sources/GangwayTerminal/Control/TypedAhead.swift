/// The typed keys that wait for the answer to an action, because their meaning depends on the next screen.
struct TypedAhead {
  /// The longest time that keys wait for an answer.
  private static let patience: Duration = .seconds(1)

  var keys: [Key] = []
  /// The time at which the unanswered action was sent; nil if every action has its answer.
  var outstanding: ContinuousClock.Instant?
  /// The task that handles the keys if no answer comes in time.
  var overdue: Task<Void, Never>?

  /// Returns how long the keys still wait for the answer; nil if they may be handled now.
  var remainingWait: Duration? {
    guard let outstanding else { return nil }
    let wait = Self.patience - (.now - outstanding)
    return wait > .zero ? wait : nil
  }
}
