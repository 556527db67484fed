/// Ending the flow of the router's own coordinator.
extension Router {
  /// Ends the flow with a value: its entry and everything above it goes, and whoever waits for it gets the value.
  ///
  /// - Throws: `detached`; `noParent` where the coordinator is the root or a tab; `rootEntry` where it is the first
  ///   entry of its parent's stack.
  public func finish(_ value: C.Output) async throws {
    let (_, node, tree) = try await ready()
    try tree.commit { try tree.removeFlow(node, .finished(value), &$0) }
  }

  /// Ends the flow without a value.
  ///
  /// - Throws: as ``finish(_:)``.
  public func cancel() async throws {
    let (_, node, tree) = try await ready()
    try tree.commit { try tree.removeFlow(node, .cancelled(.cancelled), &$0) }
  }

  /// Removes the coordinator with everything it shows and everything above it.
  ///
  /// - Throws: as ``finish(_:)``.
  public func dismissFlow() async throws {
    let (_, node, tree) = try await ready()
    try tree.commit { try tree.removeFlow(node, .cancelled(.popped), &$0) }
  }
}

extension Router where C.Output == Void {
  /// Ends a flow that has no value.
  public func finish() async throws { try await finish(()) }
}
