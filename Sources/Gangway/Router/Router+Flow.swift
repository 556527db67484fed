/// Ending the flow of the router's own coordinator.
extension Router {
  /// Ends the flow with a value: its entry and everything above it goes, and whoever waits for it gets the value.
  ///
  /// The leave guards of its own screens are not asked: the flow has decided.
  ///
  /// - Throws: `detached`; `noParent` where the coordinator is the root or a tab; `rootEntry` where it is the first
  ///   entry of its parent's stack; `denied` by a leave guard of a flow above it.
  public func finish(_ value: C.Output) async throws { try await carryOut { try $0.finish(value) } }

  /// Ends the flow without a value.
  ///
  /// - Throws: as ``finish(_:)``.
  public func cancel() async throws { try await carryOut { try $0.cancel() } }

  /// Ends the flow with an error: `result(of:at:)` throws it, `onCancel:` hears of the reason `failed`, and where nobody
  /// waits the person is told.
  ///
  /// - Throws: as ``finish(_:)``.
  public func fail(_ error: any Error) async throws { try await carryOut { try $0.fail(error) } }

  /// Removes the coordinator with everything it shows and everything above it.
  ///
  /// - Throws: as ``finish(_:)``; its own leave guards are asked too.
  public func dismissFlow() async throws { try await carryOut { try $0.dismissFlow() } }
}

extension Router where C.Output == Void {
  /// Ends a flow that has no value.
  public func finish() async throws { try await finish(()) }
}
