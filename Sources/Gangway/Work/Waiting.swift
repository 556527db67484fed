/// A suspension that ends when something else does, such as a flow; the work that waits in it does not count as busy.
@MainActor final class Waiting<Value: Sendable> {
  private var result: Value?
  private var continuation: CheckedContinuation<Value, Never>?
  private var work: TrackedWork?

  /// Ends the suspension; only the first call counts.
  func resolve(_ value: Value) {
    guard result == nil else { return }
    result = value
    guard let continuation else { return }
    self.continuation = nil
    work?.endWait()
    continuation.resume(returning: value)
  }

  /// Waits for the end.
  func value() async -> Value {
    if let result { return result }
    work = TrackedWork.current
    work?.beginWait()
    return await withCheckedContinuation { continuation = $0 }
  }
}
