import Observation

/// The current second, updated while the screen is visible.
@MainActor @Observable final class TimeModel {
  private(set) var now: Int
  @ObservationIgnored private let source: any TimeSource

  init(source: any TimeSource) {
    self.source = source
    now = source.now
  }

  /// Follows the source until the task is cancelled.
  func run() async {
    now = source.now
    while !Task.isCancelled {
      do { try await source.nextSecond() } catch { return }
      now = source.now
    }
  }
}
