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

  /// Makes the compiler name the mistake: a flow without an `Output` ends without a value.
  @available(
    *, unavailable,
    message: "this flow has no value: call finish(), or declare 'typealias Output = …' in its coordinator"
  )
  public func finish<Value>(_ value: Value) async throws { try await finish() }
}

extension Router {
  /// Makes the compiler name the mistake: a flow with an `Output` ends with a value of this type.
  @available(
    *, unavailable,
    message: "this flow has a value: call finish(_:) with the Output of its coordinator, or cancel()"
  )
  public func finish() async throws { try await cancel() }
}
