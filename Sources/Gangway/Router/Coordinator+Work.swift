extension Coordinator {
  /// Starts work of this flow: it begins with the flow, goes on while other things cover it, and is cancelled when the flow
  /// ends, and with its host. What belongs to a screen is its `.task`.
  ///
  /// ```swift
  /// init(_ orders: Orders) {
  ///   work { flow in
  ///     for await order in orders.arriving { try await flow.router.show(.order(order.id)) }
  ///   }
  /// }
  /// ```
  ///
  /// Called before the flow is shown, as from an initialiser, it begins when the flow is; called later, at once. Where the flow
  /// comes back after a restart, or from history, its coordinator is made anew and starts it again. What it throws is told to
  /// the person, as with everything that a screen does; after the flow's end nobody is told.
  ///
  /// - Parameter body: the work, on the main actor; it is handed the coordinator, so that it need not capture it.
  public func work(_ body: @escaping @MainActor (Self) async throws -> Void) {
    FlowWork.add({ [weak self] in if let self { try await body(self) } }, of: self)
  }
}
