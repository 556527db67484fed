import Dispatch
import GangwayTerminal
import Glibc

/// Signal handling that ends a run in order: the session is stored, and the terminal is restored.
package enum TerminationSignals {
  /// The time limit for ending in order, because a blocked terminal can delay the end.
  private static let patience: DispatchTimeInterval = .seconds(8)

  /// Handles the signals that ask a process to end.
  ///
  /// - Parameter end: called with the number of the signal.
  @MainActor static func follow(_ end: @escaping @MainActor @Sendable (Int32) async -> Void)
    -> [any DispatchSourceSignal]
  {
    [SIGTERM, SIGINT, SIGHUP].map { number in
      SignalSource.follow(number, on: .main) { Task { @MainActor in await end(number) } }
    } + [SIGTERM, SIGHUP].map(endInTime)
  }

  /// Ends the process some time after a signal, on another queue than the drawing.
  ///
  /// Nothing is lost, because the session is stored with every change.
  private static func endInTime(_ number: Int32) -> any DispatchSourceSignal {
    SignalSource.follow(number, on: .global()) {
      DispatchQueue.global().asyncAfter(deadline: .now() + patience) { Glibc._exit(128 + number) }
    }
  }

  /// Returns a stream of the numbers of the signals that ask a process to end.
  ///
  /// - Returns: the stream, and the sources that must stay alive. Call this function on the main thread.
  @MainActor package static func stream() -> (numbers: AsyncStream<Int32>, signals: [any DispatchSourceSignal]) {
    let (numbers, sender) = AsyncStream.makeStream(of: Int32.self)
    let sources = [SIGTERM, SIGINT, SIGHUP].map { number in
      SignalSource.follow(number, on: .global()) { sender.yield(number) }
    }
    return (numbers, sources)
  }
}
