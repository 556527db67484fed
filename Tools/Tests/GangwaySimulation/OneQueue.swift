import Glibc

/// Sends all jobs of Swift's concurrency to the main actor, so that each run has the same order.
///
/// Without it, each `await` of a task's value leaves the main actor for a moment, and comes back at any time. Source of
/// the hook: `swift_task_enqueueGlobal_hook` in swiftlang/swift, stdlib/public/Concurrency/GlobalExecutor.cpp.
enum OneQueue {
  private typealias Original = @convention(thin) (UnownedJob) -> Void
  private typealias Hook = @convention(thin) (UnownedJob, Original) -> Void

  /// Starts to send jobs to the main actor; only for a process that does nothing else.
  static func install() {
    guard let symbol = dlsym(nil, "swift_task_enqueueGlobal_hook") else {
      fatalError("The concurrency library has no 'swift_task_enqueueGlobal_hook'.")
    }
    symbol.assumingMemoryBound(to: Hook?.self).pointee = { job, _ in MainActor.shared.enqueue(job) }
  }
}
