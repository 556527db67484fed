import Dispatch
import Glibc

/// Signals that are handled on a queue.
package enum SignalSource {
  /// Follows a signal; none is lost from this call on.
  ///
  /// Dispatch registers a source later, on a thread of its own. Until then, a blocked signal waits, but an ignored one
  /// would be lost. Call this function on the main thread. The other threads of this process block all signals
  /// (dispatch's worker threads) or get the signal mask of the main thread.
  ///
  /// - Parameters:
  ///   - number: the number of the signal.
  ///   - queue: the queue of the action.
  ///   - action: called for each signal; once for several that arrive at the same time.
  /// - Returns: the source, which follows the signal until it is canceled.
  package static func follow(
    _ number: Int32, on queue: DispatchQueue, _ action: @escaping @Sendable () -> Void
  ) -> any DispatchSourceSignal {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, number)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
    source.setEventHandler(handler: action)
    source.resume()
    return source
  }
}
