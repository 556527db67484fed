import Foundation

/// How long a test waits. The limit grows with the machine's load.
public struct Patience: Sendable {
  private let start = ContinuousClock.now
  private let limit: Duration

  /// Begins to wait.
  ///
  /// - Parameter limit: how long on a quiet machine.
  public init(_ limit: Duration) { self.limit = limit }

  /// Whether it was waited long enough. The machine's load is looked at once the time of a quiet one is over.
  public var hasEnded: Bool {
    let waited = ContinuousClock.now - start
    return waited >= limit && waited >= limit * Self.load
  }

  /// How many processes wanted to run, for each core, over the last minute: at least 1 and at most 10.
  ///
  /// Source: proc_loadavg(5).
  private static var load: Double {
    let text = (try? String(contentsOfFile: "/proc/loadavg", encoding: .utf8)) ?? ""
    let running = text.split(separator: " ").first.flatMap { Double($0) } ?? 1
    return min(max(running / Double(ProcessInfo.processInfo.activeProcessorCount), 1), 10)
  }
}
