import Foundation

/// Something did not come about in time.
public struct NotInTime: Error, CustomStringConvertible { public let description: String }

/// Waits until something holds that another process, or somebody else's task, brings about.
///
/// - Throws: ``NotInTime`` naming the place of the call, and what the condition throws.
@MainActor public func eventually(
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

/// Does something that waits on a thread of its own: the main one has what is waited for.
public func elsewhere<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread { continuation.resume(with: .init(catching: work)) }
  }
}
