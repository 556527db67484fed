import Observation

/// Long work of a flow, such as an import: it shows its progress, the user can cancel it, and it tells its result.
///
/// Keep it in a model or coordinator, start it with `router.start(_:_:)`, and show it with
/// `Progress(_:work:)`.
///
/// ```swift
/// Progress("Importing", work: model.importing)
/// Button("Import") {
///   try router.start(model.importing) { work in
///     for (index, line) in lines.enumerated() {
///       try await store.add(line)
///       work.fraction = Double(index + 1) / Double(lines.count)
///     }
///     return "\(lines.count) guests were imported."
///   }
/// }
/// ```
///
/// The work belongs to the flow, not to a screen: it continues while other screens cover the flow, and is cancelled
/// when the flow ends. A crash ends it, and it does not start again by itself.
@MainActor @Observable public final class Work {
  /// Whether the work is running.
  public private(set) var isRunning = false
  /// Whether the user or your code has cancelled the running work, which may take a moment to end.
  private(set) var isCancelled = false
  /// The error of the last run; nil if it succeeded or was cancelled.
  public private(set) var error: (any Error)?
  /// The part that is done, from 0 to 1; nil if it is unknown.
  public var fraction: Double?
  /// The present step, for the user, such as "12 of 40".
  public var detail: String?
  @ObservationIgnored private var task: Task<String?, any Error>?
  @ObservationIgnored private(set) var startAgain: (@MainActor () throws -> Void)?

  /// Creates work that is not running.
  public init() {}

  /// Cancels the running work, as `Task.cancel()` does.
  public func cancel() {
    guard isRunning else { return }
    isCancelled = true
    task?.cancel()
  }

  /// Cancels the running work, and waits until it has ended.
  func cancelAndWait() async {
    cancel()
    _ = await task?.result
  }

  /// Runs the work to its end.
  ///
  /// - Returns: the message for the user.
  func run(_ body: @escaping @MainActor (Work) async throws -> String?) async throws -> String? {
    let task = Task.immediate { @MainActor in try await body(self) }
    self.task = task
    if isCancelled { task.cancel() }
    defer { (isRunning, isCancelled, self.task) = (false, false, nil) }
    do {
      return try await withTaskCancellationHandler {
        try await task.value
      } onCancel: {
        task.cancel()
      }
    } catch {
      // A library may report the cancellation as an error of its own.
      if error is CancellationError || isCancelled { throw CancellationError() }
      self.error = error
      throw error
    }
  }

  func begin(_ startAgain: @escaping @MainActor () throws -> Void) {
    (isRunning, isCancelled, error, fraction, detail) = (true, false, nil, nil, nil)
    self.startAgain = startAgain
  }
}
