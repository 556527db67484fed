/// Ending the flow of the router's own coordinator.
extension Router {
  /// Ends the flow with a value: removes its entry and everything above it, and passes the value to the flow's
  /// handlers.
  ///
  /// The leave guards of its own screens do not run, because the flow has decided. This cannot be undone.
  ///
  /// - Throws: `detached`; `noParent` if the coordinator is the root or a tab; `rootEntry` if it is the first entry of
  ///   its parent's stack. `denied` by a leave guard of a flow above it.
  public func finish(_ value: C.Output) async throws {
    try await carryOut(.finish(result: FlowResult(value)))
  }

  /// Ends the flow without a value.
  ///
  /// - Throws: as ``finish(_:)``.
  public func cancel() async throws { try await carryOut(.cancel) }

  /// Ends the flow with an error.
  ///
  /// `show(_:awaiting:)` throws the error, and `onCancel:` gets the reason `failed`. If no task awaits the flow, the
  /// user sees a notification.
  ///
  /// - Throws: as ``finish(_:)``.
  public func fail(_ error: any Error) async throws { try await carryOut(.fail(error: FlowError(error))) }

  /// Removes the coordinator with everything it shows and everything above it.
  ///
  /// - Throws: as ``finish(_:)``; its own leave guards run, too.
  public func dismissFlow() async throws { try await carryOut(.dismissFlow) }
}

extension Router where C.Output == Void {
  /// Ends a flow that has no value.
  ///
  /// - Throws: as ``finish(_:)``.
  public func finish() async throws { try await finish(()) }
}
