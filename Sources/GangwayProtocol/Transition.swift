extension Update {
  /// How the screen came to be another one: a front end may show that as a movement. It never has to, and never delays a key.
  public struct Transition: Codable, Hashable, Sendable {
    /// What happened to the navigation.
    public enum Operation: String, Codable, Hashable, Sendable, CaseIterable {
      /// An entry came on top.
      case push
      /// The entry on top went.
      case pop
      /// A modal came over what there was.
      case present
      /// A modal went.
      case dismiss
      /// What was on top, or below it, is another.
      case replace
      /// Another tab is shown.
      case select
    }

    /// What happened.
    public var operation: Operation
    /// How it looks: `slide`, `fade`, `push-up`, `none`, or a name of an application's own; nil where that is left to the front end.
    public var name: String?
    /// Which of the four is like it, for a front end that does not know the name.
    public var fallback: String?
    /// How long it takes, in milliseconds; nil where that is left to the front end.
    public var milliseconds: Int?
    /// Whether it goes the way back of the one that led there, or to a tab before.
    public var isBackward: Bool?
    /// The node that was on top.
    public var from: NodeID
    /// The node that is on top now.
    public var to: NodeID
    /// The element on `from` that was acted on, out of which `to` may grow; nil where there was none.
    public var element: ElementID?

    /// Makes a transition.
    public init(
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
