import Foundation

/// The error for a condition that was not met in time.
@_spi(FrontEnd) public struct NotInTime: Error, CustomStringConvertible { public let description: String }

/// Waits for a condition that depends on another process or task.
///
/// - Throws: ``NotInTime`` with the location of the call, or an error of the condition.
@_spi(FrontEnd) @MainActor public func eventually(
  within limit: Duration = .seconds(20), file: String = #fileID, line: Int = #line,
  _ condition: @MainActor () throws -> Bool
) async throws {
  let patience = Patience(limit)
  while try !condition() {
    guard !patience.hasEnded else {
      throw NotInTime(description: "\(file):\(line): it did not come about within \(limit)")
    }
    try await Task.sleep(for: .milliseconds(5))
  }
}

/// Runs blocking work on a new thread, because the main actor runs what the work waits for.
@_spi(FrontEnd) public func elsewhere<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws
  -> Result
{
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread { continuation.resume(with: .init(catching: work)) }
  }
}

/// Returns the median time of nine calls; the shortest of three medians, because the machine may be busy.
///
/// - Parameter work: a function that returns whether it did its work.
/// - Throws: ``NotInTime`` if it did not.
@_spi(FrontEnd) public func typicalTime(of work: () -> Bool) throws -> Duration {
  let medians = try (0..<3).map { _ in
    try (0..<9).map { _ in
      var isDone = false
      let time = ContinuousClock().measure { isDone = work() }
      guard isDone else { throw NotInTime(description: "the work to measure was not done") }
      return time
    }.sorted()[4]
  }
  return medians.min() ?? .zero
}
