/// A suspension that ends with another event, such as the end of a flow.
///
/// Work that waits in it is not busy.
@MainActor final class Waiting<Value: Sendable> {
  private var result: Value?
  private var continuation: CheckedContinuation<Value, Never>?
  private var work: TrackedWork?

  /// Ends the suspension.
  ///
  /// Only the first call counts.
  func resolve(_ value: Value) {
    guard result == nil else { return }
    result = value
    guard let continuation else { return }
    self.continuation = nil
    work?.endWait()
    continuation.resume(returning: value)
  }

  /// Returns the value, and waits until there is one.
  func value() async -> Value {
    if let result { return result }
    work = TrackedWork.current
    work?.beginWait()
    return await withCheckedContinuation { continuation = $0 }
  }
}
