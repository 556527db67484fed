/// The timeout of the event in flight; it doubles each time the user keeps waiting.
@MainActor final class EventTimeout {
  /// The last timeout after which the user was asked about the event; nil if the user was not asked.
  private(set) var overdue: Duration?
  private var task: Task<Void, Never>?
  private let clock: any SupervisorClock

  init(_ clock: any SupervisorClock) { self.clock = clock }

  /// Starts the timeout.
  ///
  /// - Parameters:
  ///   - limit: the time to wait; nil for no timeout.
  ///   - isPaused: whether the time does not count, because a debugger has stopped the host.
  ///   - expired: called at the end of the time.
  func begin(
    _ limit: Duration?, isPaused: @escaping @MainActor () -> Bool, expired: @escaping @MainActor () -> Void
  ) {
    task?.cancel()
    guard let limit else { return task = nil }
    task = Task { [weak self, clock] in
      repeat {
        guard (try? await clock.sleep(for: limit)) != nil else { return }
      } while isPaused()
      self?.overdue = limit
      expired()
    }
  }

  /// Ends the timeout, because the event is answered or lost.
  func end() {
    task?.cancel()
    (task, overdue) = (nil, nil)
  }
}
