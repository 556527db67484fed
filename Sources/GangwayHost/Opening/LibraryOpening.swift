import Dispatch
import Synchronization

/// A library that is being opened on a thread of its own, so that one that takes its time holds up only whoever waits.
final class LibraryOpening: Sendable {
  typealias Outcome = Result<PluginLibrary.Opened, Refusal>

  private struct State: Sendable {
    var outcome: Outcome?
    var waiter: CheckedContinuation<Outcome, Never>?
  }

  private static let queue = DispatchQueue(label: "gangway.loader", qos: .userInitiated)

  private let state = Mutex(State())
  private let done = DispatchSemaphore(value: 0)

  /// Begins to open a library.
  init(_ path: String) {
    Self.queue.async { [self] in
      let outcome: Outcome
      do throws(Refusal) {
        outcome = .success(try PluginLibrary.open(path))
      } catch {
        outcome = .failure(error)
      }
      let waiter = state.withLock { state in
        state.outcome = outcome
        defer { state.waiter = nil }
        return state.waiter
      }
      done.signal()
      waiter?.resume(returning: outcome)
    }
  }

  /// Waits for a moment.
  ///
  /// - Returns: what became of it; nil if it takes longer.
  func outcome(within patience: Duration) -> Outcome? {
    let (seconds, attoseconds) = patience.components
    let nanoseconds = Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
    guard done.wait(timeout: .now() + .nanoseconds(max(0, nanoseconds))) == .success else { return nil }
    done.signal()
    return state.withLock { $0.outcome }
  }

  /// Waits for its end.
  func outcome() async -> Outcome {
    await withCheckedContinuation { continuation in
      let outcome = state.withLock { state in
        if state.outcome == nil { state.waiter = continuation }
        return state.outcome
      }
      if let outcome { continuation.resume(returning: outcome) }
    }
  }
}
