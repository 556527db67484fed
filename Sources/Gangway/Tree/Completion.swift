/// Who hears of the end of an entry: each exactly once, however it ends.
@MainActor struct Completion {
  enum Outcome: Sendable {
    case finished(any Sendable)
    case cancelled(CancellationReason)
    case failed(any Error)
  }

  /// Declared at the destination: there again after a restart.
  var onFinish: (@MainActor (any Sendable) async throws -> Void)?
  var onCancel: (@MainActor (CancellationReason) async throws -> Void)?
  /// Given by the caller: they live as long as this host.
  var onDismiss: (@MainActor () async throws -> Void)?
  var awaiter: (@MainActor (Outcome) -> Void)?
  /// Whether somebody was waiting in an earlier host.
  var lostAwaiter = false
  /// The navigation that goes on when a redirect to this entry has finished.
  var parkedPlan: StoredPlan?

  var isAwaited: Bool { awaiter != nil || lostAwaiter }
}
