/// The tasks that wait until a host shows the session.
struct StartWaiters {
  private var waiters: [CheckedContinuation<Void, any Error>] = []
  /// The tasks that also resume if no host stays up.
  private var observers: [CheckedContinuation<Void, Never>] = []

  mutating func add(_ waiter: CheckedContinuation<Void, any Error>) { waiters.append(waiter) }
  mutating func add(_ observer: CheckedContinuation<Void, Never>) { observers.append(observer) }

  /// Resumes all tasks.
  ///
  /// - Parameter failure: the reason why no host shows the session; nil if one does.
  mutating func resume(_ failure: (any Error)? = nil) {
    for waiter in waiters {
      if let failure { waiter.resume(throwing: failure) } else { waiter.resume() }
    }
    for observer in observers { observer.resume() }
    (waiters, observers) = ([], [])
  }
}
