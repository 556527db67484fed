extension Coordinator {
  /// The way to navigate within this coordinator.
  ///
  /// Read within a destination's builder, it also knows the entry being built, so that `pop()` removes that entry.
  public var router: Router<Self> {
    Router(self, entry: BuildScope.entry(of: self))
  }
}

extension PluginContext {
  /// The router of the coordinator of a type that was made last and is still shown in this session; nil where there is
  /// none.
  public func router<C: Coordinator>(of type: C.Type) -> Router<C>? {
    (session?.newestCoordinator(ObjectIdentifier(type)) as? C)?.router
  }
}
