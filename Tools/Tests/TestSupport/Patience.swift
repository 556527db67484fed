import Foundation

/// A timeout of a test, which grows with the load of the machine.
@_spi(FrontEnd) public struct Patience: Sendable {
  private let start = ContinuousClock.now
  private let limit: Duration

  /// Starts the timeout.
  ///
  /// - Parameter limit: the time limit on an idle machine.
  public init(_ limit: Duration) { self.limit = limit }

  /// Whether the time is over. The load is read only after the time limit of an idle machine.
  public var hasEnded: Bool {
    let waited = ContinuousClock.now - start
    return waited >= limit && waited >= limit * Self.load
  }

  /// The runnable processes per core over the last minute, from 1 to 10.
  ///
  /// Source: proc_loadavg(5).
  private static var load: Double {
    let text = (try? String(contentsOfFile: "/proc/loadavg", encoding: .utf8)) ?? ""
    let running = text.split(separator: " ").first.flatMap { Double($0) } ?? 1
    return min(max(running / Double(ProcessInfo.processInfo.activeProcessorCount), 1), 10)
  }
}
