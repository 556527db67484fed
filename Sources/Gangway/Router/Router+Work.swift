extension Router {
  /// Starts long work of the flow, unless it is running already. It continues while other screens cover the flow.
  ///
  /// If the host crashes meanwhile, the user reads that the action which started the work was not finished.
  ///
  /// - Parameters:
  ///   - work: shows the progress and the error, and can be cancelled.
  ///   - body: the work, on the main actor. It should await slow parts elsewhere, set ``Work/fraction``, and end early
  ///     if its task is cancelled. It returns the message that tells the user about the result; nil for no message. The
  ///     user sees its errors.
  /// - Throws: `detached`, `entryGone`; nothing is started then.
  public func start(_ work: Work, _ body: @escaping @MainActor (Work) async throws -> String?) throws {
    _ = try attached()
    guard !work.isRunning, let coordinator else { return }
    let router = Router(coordinator, entry: nil)
    work.begin { try router.start(work, body) }
    FlowWork.add(
      {
        if let message = try await work.run(body) { router.tell(message) }
      }, of: coordinator, event: TrackedWork.current?.event)
  }
}
