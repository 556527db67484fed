extension Coordinator {
  /// Starts work of this flow. The work continues while other screens cover the flow, and is cancelled when the flow or
  /// its host ends.
  ///
  /// Use `.task` for work that belongs to a screen.
  ///
  /// ```swift
  /// init(_ orders: Orders) {
  ///   work { flow in
  ///     for await order in orders.arriving { try await flow.router.show(.order(order.id)) }
  ///   }
  /// }
  /// ```
  ///
  /// Work that is added before the flow is shown, as in an initializer, starts with the flow. Work that is added later
  /// starts at once. After a restart, or when history restores the flow, a new coordinator starts the work again. The
  /// user sees the errors of the work, as with the actions of a screen. After the flow has ended, no errors are shown.
  ///
  /// - Parameter body: the work, on the main actor. It gets the coordinator as its argument, so it need not capture it.
  public func work(_ body: @escaping @MainActor (Self) async throws -> Void) {
    FlowWork.add({ [weak self] in if let self { try await body(self) } }, of: self)
  }
}
