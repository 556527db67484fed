import GangwayProtocol

/// A change of what is seen, of which a rule says how it is shown.
public struct TransitionChange: Sendable {
  /// What happens to the navigation.
  public struct Operation: RawRepresentable, Hashable, Sendable {
    /// The word for it, as in the protocol.
    public let rawValue: String
    /// Makes an operation.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// An entry comes on top.
    public static let push = Operation(rawValue: "push")
    /// The entry on top goes.
    public static let pop = Operation(rawValue: "pop")
    /// A modal comes over what there is.
    public static let present = Operation(rawValue: "present")
    /// A modal goes.
    public static let dismiss = Operation(rawValue: "dismiss")
    /// What is on top, or below it, is replaced.
    public static let replace = Operation(rawValue: "replace")
    /// Another tab is shown.
    public static let select = Operation(rawValue: "select")
  }

  /// What happens.
  public let operation: Operation
  /// What was on top.
  public let from: Location
  /// What is on top now.
  public let to: Location
  /// The style of the entry that comes or goes.
  public let style: PresentationStyle
  /// Whether it is the way back: a pop, a dismissal, a tab before.
  public let isBackward: Bool
}

/// What a plugin says of how changes are shown.
struct TransitionRule {
  let plugin: String
  let choose: @MainActor (TransitionChange) -> Transition?
}

/// Contributing transitions.
///
/// Of several rules the first one that gives a transition counts: those of the plugin whose screen comes, then of the one whose
/// goes, then the others, each in the order of their registration. Where none does, the front end shows what it shows by itself.
extension Registrar {
  /// Says how changes are shown: the most general rule.
  ///
  /// - Parameter choose: gives the transition of a change; nil where the rule is about others. It runs on the main actor after each
  ///   change of what is seen.
  public func transition(_ choose: @escaping @MainActor (TransitionChange) -> Transition?) {
    guard let contributions = open("a transition") else { return }
    contributions.transitions.append(TransitionRule(plugin: plugin, choose: choose))
  }

  /// Says how changes between routes of two types are shown.
  ///
  /// ```swift
  /// registry.transition(from: ShapesRoute.self, to: ShapesRoute.self) { from, to, operation in
  ///   to == .star ? .fade : nil
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - from: the type of the route that was on top.
  ///   - to: that of the one that is.
  ///   - choose: gives the transition; nil where the rule is about others.
  public func transition<From: NavigationRoute, To: NavigationRoute>(
    from: From.Type, to: To.Type, _ choose: @escaping @MainActor (From, To, TransitionChange.Operation) -> Transition?
  ) {
    transition { change in
      guard let from = change.from.route as? From, let to = change.to.route as? To else { return nil }
      return choose(from, to, change.operation)
    }
  }

  /// Says how the way from one route to another is shown, and the way back.
  ///
  /// - Parameters:
  ///   - from: the route that is on top first.
  ///   - to: the route that is then.
  ///   - transition: how the way there is shown; front ends show the way back reversed.
  public func transition<From: NavigationRoute, To: NavigationRoute>(
    from: From, to: To, _ transition: Transition
  ) {
    self.transition { change in
      let (first, second) = change.isBackward ? (change.to, change.from) : (change.from, change.to)
      return first.route as? From == from && second.route as? To == to ? transition : nil
    }
  }

  /// Says how entries of a style are shown when they come and go.
  public func transition(style: PresentationStyle, _ transition: Transition) {
    self.transition { change in
      switch change.operation {
      case .push, .pop, .present, .dismiss: change.style == style ? transition : nil
      default: nil
      }
    }
  }
}

extension Registry {
  /// How a change is shown; nil where no rule says it.
  func transition(of change: TransitionChange) -> Transition? {
    guard !transitions.isEmpty else { return nil }
    let plugins = [change.to.plugin, change.from.plugin]
    for plugin in plugins {
      for rule in transitions where rule.plugin == plugin {
        if let transition = rule.choose(change) { return transition }
      }
    }
    for rule in transitions where !plugins.contains(rule.plugin) {
      if let transition = rule.choose(change) { return transition }
    }
    return nil
  }
}
