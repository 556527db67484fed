import Glibc

/// A source of the time, with a wait for the next second.
@MainActor protocol TimeSource {
  /// Seconds since the beginning of 1970, UTC.
  var now: Int { get }
  /// Waits until the next second begins.
  func nextSecond() async throws
}

struct SystemTimeSource: TimeSource {
  private var sinceEpoch: Duration {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  var now: Int { Int(sinceEpoch.components.seconds) }

  func nextSecond() async throws {
    let now = sinceEpoch
    try await Task.sleep(for: .seconds(now.components.seconds + 1) - now)
  }
}
