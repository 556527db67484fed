extension Update {
  /// The change from one screen to another. A front end may animate it, but never has to, and never delays a key for
  /// it.
  public struct Transition: Codable, Hashable, Sendable {
    /// The change of the navigation.
    public enum Operation: String, Codable, Hashable, Sendable, CaseIterable {
      /// A new entry is on top.
      case push
      /// The top entry is gone.
      case pop
      /// A modal appeared over the screen.
      case present
      /// A modal is gone.
      case dismiss
      /// Another entry replaced the top entry or one below it.
      case replace
      /// Another tab is selected.
      case select
    }

    /// The change of the navigation.
    public var operation: Operation
    /// The style: `slide`, `fade`, `push-up`, `none`, or a name of the app; nil if the front end decides.
    public var name: String?
    /// The most similar of the four styles, for a front end that does not know the name.
    public var fallback: String?
    /// The duration in milliseconds; nil if the front end decides.
    @_spi(FrontEnd) public var milliseconds: Int?
    /// Whether the user goes back: the top entry or modal is gone, or an earlier tab is selected.
    public var isBackward: Bool?
    /// The node on top before.
    package var from: NodeID
    /// The node on top now.
    package var to: NodeID
    /// The element on `from` that the user pressed, from which `to` may grow; nil if there was none.
    package var element: ElementID?

    /// Makes a transition.
    @_spi(FrontEnd) public init(
      _ operation: Operation, from: NodeID, to: NodeID, isBackward: Bool = false, name: String? = nil,
      fallback: String? = nil, milliseconds: Int? = nil, element: ElementID? = nil
    ) {
      self.operation = operation
      self.from = from
      self.to = to
      self.isBackward = isBackward ? true : nil
      self.name = name
      self.fallback = fallback
      self.milliseconds = milliseconds
      self.element = element
    }
  }
}
