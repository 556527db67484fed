/// The handlers for the end of an entry.
///
/// Each runs exactly once, however the entry ends.
@MainActor struct Completion {
  enum Outcome: Sendable {
    /// The value is apart, so that the more frequent cases are small.
    indirect case finished(any Sendable)
    case cancelled(CancellationReason)
    case failed(any Error)
  }

  /// Declared at the destination, so it exists again after a restart.
  var onFinish: (@MainActor (any Sendable) async throws -> Void)?
  var onCancel: (@MainActor (CancellationReason) async throws -> Void)?
  /// Given by the caller, so it lives only as long as this host.
  var onDismiss: (@MainActor () async throws -> Void)?
  var awaiter: (@MainActor (Outcome) -> Void)?
  /// Whether ``awaiter`` is a navigation that a guard redirected.
  var isRedirect = false
  /// The entries whose guards wait for the end of a redirect.
  var followers: [@MainActor (Outcome) -> Void] = []
  /// Whether a task awaited the result in an earlier host.
  var lostAwaiter = false
  /// The plan that continues after the redirect to this entry has finished, as JSON text.
  var parkedPlan: String?

  /// Whether nobody needs to know of the end.
  var isEmpty: Bool {
    onFinish == nil && onCancel == nil && onDismiss == nil && awaiter == nil && !lostAwaiter && parkedPlan == nil
      && followers.isEmpty
  }

  var isAwaited: Bool { awaiter != nil || lostAwaiter }
}
