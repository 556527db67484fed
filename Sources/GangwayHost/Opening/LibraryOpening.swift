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
  private let done = BriefWait()
  private let thread: LoaderThread
  private static let countUnderway = Atomic<Int>(0)

  /// Whether this process is opening a library now.
  static var isAnyUnderway: Bool { countUnderway.load(ordering: .acquiring) > 0 }

  /// Starts to open a library.
  ///
  /// - Parameter thread: the thread of this library alone.
  init(_ path: String, on thread: LoaderThread) {
    self.path = path
    self.thread = thread
    Self.countUnderway.add(1, ordering: .acquiringAndReleasing)
    thread.run { [self] in
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
      done.end()
      for waiter in waiters { waiter.resume(returning: outcome) }
    }
  }

  /// Returns the state of the process from before the library was opened, once; nil if it was taken before.
  func takeStateBefore() -> ProcessState? { thread.takeStateBefore() }

  /// The result; nil while the library is opening.
  var outcome: Outcome? { state.withLock { $0.outcome } }

  /// Waits briefly for the result, for less than a frame.
  ///
  /// - Returns: the result; nil if it takes longer.
  func outcome(within patience: Duration) -> Outcome? { done.wait(within: patience) ? outcome : nil }

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
