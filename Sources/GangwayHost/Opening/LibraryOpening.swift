import Dispatch
import Synchronization

/// The opening of a library on its own thread. A library that is slow or never returns blocks only those who wait for
/// it.
final class LibraryOpening: Sendable {
  typealias Outcome = Result<PluginLibrary.Opened, Refusal>

  private struct State: Sendable {
    var outcome: Outcome?
    var waiters: [CheckedContinuation<Outcome, Never>] = []
  }

  let path: String
  private let state = Mutex(State())
  private let isDone = Atomic<Bool>(false)
  private let done = DispatchSemaphore(value: 0)
  private static let countUnderway = Atomic<Int>(0)

  /// Whether this process is opening a library now.
  static var isAnyUnderway: Bool { countUnderway.load(ordering: .acquiring) > 0 }

  /// Starts to open a library.
  init(_ path: String) {
    self.path = path
    Self.countUnderway.add(1, ordering: .acquiringAndReleasing)
    DispatchQueue(label: "gangway.loader", qos: .userInitiated).async { [self] in
      let outcome: Outcome
      do throws(Refusal) {
        outcome = .success(try PluginLibrary.open(path))
      } catch {
        outcome = .failure(error)
      }
      Self.countUnderway.subtract(1, ordering: .acquiringAndReleasing)
      let waiters = state.withLock { state in
        state.outcome = outcome
        defer { state.waiters = [] }
        return state.waiters
      }
      isDone.store(true, ordering: .releasing)
      done.signal()
      for waiter in waiters { waiter.resume(returning: outcome) }
    }
  }

  /// The result; nil while the library is opening.
  var outcome: Outcome? { state.withLock { $0.outcome } }

  /// Waits briefly for the result, for less than a frame.
  ///
  /// Most libraries open in a tenth of a millisecond. To sleep and wake would take as long again, so the first part of
  /// the wait only polls.
  ///
  /// - Returns: the result; nil if it takes longer.
  func outcome(within patience: Duration) -> Outcome? {
    let start = ContinuousClock.now
    let look = start + min(patience, .microseconds(500))
    while !isDone.load(ordering: .acquiring) {
      guard ContinuousClock.now < look else {
        let (seconds, attoseconds) = (patience - (.now - start)).components
        let nanoseconds = Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
        guard done.wait(timeout: .now() + .nanoseconds(max(0, nanoseconds))) == .success else { return nil }
        done.signal()
        break
      }
    }
    return outcome
  }

  /// Waits for the result.
  func outcome() async -> Outcome {
    await withCheckedContinuation { continuation in
      let outcome = state.withLock { state in
        if state.outcome == nil { state.waiters.append(continuation) }
        return state.outcome
      }
      if let outcome { continuation.resume(returning: outcome) }
    }
  }
}
