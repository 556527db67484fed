/// The time of a supervisor: the system's, or the time of a simulation.
@MainActor package protocol SupervisorClock: Sendable {
  /// The present moment.
  var now: ContinuousClock.Instant { get }

  /// Waits for a time.
  ///
  /// - Throws: `CancellationError` if the task is cancelled.
  func sleep(for duration: Duration) async throws
}

/// The time of the system.
struct SystemClock: SupervisorClock {
  nonisolated init() {}
  var now: ContinuousClock.Instant { .now }
  func sleep(for duration: Duration) async throws { try await Task.sleep(for: duration) }
}
