import Dispatch
import Synchronization

/// The thread on which a library opens.
///
/// It starts before the checks of the library, and saves the state of the process in the meantime.
final class LoaderThread: Sendable {
  /// The work of the thread. The thread holds this object instead of the owner, whose end also ends the thread.
  private final class Order: Sendable {
    let before = Mutex<ProcessState?>(nil)
    let work = Mutex<(@Sendable () -> Void)?>(nil)
    let isGiven = BriefWait()
  }

  private let order = Order()

  /// Starts the thread, which waits for its work.
  init() {
    DispatchQueue(label: "gangway.loader", qos: .userInitiated).async { [order] in
      order.before.withLock { $0 = ProcessState() }
      order.isGiven.wait()
      let work = order.work.withLock { work in
        defer { work = nil }
        return work
      }
      work?()
    }
  }

  deinit { order.isGiven.end() }

  /// Returns the state of the process from before the work, once; nil before the work.
  func takeStateBefore() -> ProcessState? { order.before.withLock { $0.take() } }

  /// Gives the thread its work, once.
  func run(_ work: @escaping @Sendable () -> Void) {
    order.work.withLock { $0 = work }
    order.isGiven.end()
  }
}
