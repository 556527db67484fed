import Foundation
import Synchronization

/// A timeout of a test, which grows with the load of the machine.
///
/// A test that other tests keep from running asks rarely whether the time is over. So it may also ask some times.
@_spi(FrontEnd) public final class Patience: Sendable {
  private let start = ContinuousClock.now
  private let limit: Duration
  private let questions = Mutex(0)
  /// The least number of questions.
  private static let leastQuestions = 20

  /// Starts the timeout.
  ///
  /// - Parameter limit: the time limit on an idle machine.
  public init(_ limit: Duration) { self.limit = limit }

  /// Whether the time is over. The load is read only after the time limit of an idle machine.
  public var hasEnded: Bool {
    let asked = questions.withLock { count in
      count += 1
      return count
    }
    let waited = ContinuousClock.now - start
    return asked > Self.leastQuestions && waited >= limit && waited >= limit * Self.load
  }

  /// Returns how long something may take on this machine now.
  ///
  /// - Parameter limit: the time limit on an idle machine.
  public static func allowed(_ limit: Duration) -> Duration { limit * load }

  /// The runnable processes per core over the last minute, from 1 to 10.
  ///
  /// Source: proc_loadavg(5).
  private static var load: Double {
    let text = (try? String(contentsOfFile: "/proc/loadavg", encoding: .utf8)) ?? ""
    let running = text.split(separator: " ").first.flatMap { Double($0) } ?? 1
    return min(max(running / Double(ProcessInfo.processInfo.activeProcessorCount), 1), 10)
  }
}
