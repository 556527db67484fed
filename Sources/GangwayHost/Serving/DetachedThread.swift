import Glibc

/// A thread of the system that nobody waits for.
enum DetachedThread {
  /// Runs work on a new thread.
  static func start(_ work: @escaping @Sendable () -> Void) {
    final class Box {
      let work: @Sendable () -> Void
      init(_ work: @escaping @Sendable () -> Void) { self.work = work }
    }
    var thread = pthread_t()
    let box = Unmanaged.passRetained(Box(work))
    pthread_create(
      &thread, nil,
      { argument in
        if let argument { Unmanaged<Box>.fromOpaque(argument).takeRetainedValue().work() }
        return nil
      }, box.toOpaque())
    pthread_detach(thread)
  }
}
