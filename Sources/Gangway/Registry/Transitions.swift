@_spi(FrontEnd) import GangwayProtocol

/// A change of the visible screens, for which a rule chooses the transition.
public struct TransitionChange: Sendable {
  /// The kind of a navigation.
  public typealias Operation = Update.Transition.Operation

  /// The kind of the navigation.
  public let operation: Operation
  /// The place that was on top before.
  public let from: Location
  /// The place that is on top now.
  public let to: Location
  /// The style of the entry that was added or removed.
  public let style: PresentationStyle
  /// Whether the navigation goes back: a pop, a dismissal, a tab further left.
  public let isBackward: Bool
}

/// A plugin's rule for transitions.
struct TransitionRule {
  let plugin: PluginID
  let choose: @MainActor (TransitionChange) -> Transition?
}

/// Contributions of transitions.
///
/// If several rules apply, the first one that returns a transition is used. Rules of the new screen's plugin come
/// first, then those of the old screen's plugin, then the others, each in the order of their registration. If no rule
/// applies, the front end uses its own transition.
extension Registrar {
  /// Contributes the most general rule for transitions.
  ///
  /// - Parameter choose: returns the transition of a change; nil if the rule does not apply. It runs on the main actor
  ///   after each change of the visible screens.
  public func transition(_ choose: @escaping @MainActor (TransitionChange) -> Transition?) {
    guard let contributions = open("a transition") else { return }
    contributions.transitions.append(TransitionRule(plugin: plugin, choose: choose))
  }

  /// Contributes the transitions between routes of two types.
  ///
  /// ```swift
  /// registry.transition(from: ShapesRoute.self, to: ShapesRoute.self) { from, to, operation in
  ///   to == .star ? .fade : nil
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - from: the type of the route that was on top.
  ///   - to: the type of the route that is on top now.
  ///   - choose: returns the transition; nil if the rule does not apply.
  public func transition<From: NavigationRoute, To: NavigationRoute>(
    from: From.Type, to: To.Type, _ choose: @escaping @MainActor (From, To, TransitionChange.Operation) -> Transition?
  ) {
    transition { change in
      guard let from = change.from.route as? From, let to = change.to.route as? To else { return nil }
      return choose(from, to, change.operation)
    }
  }

  /// Contributes the transition from one route to another, and back.
  ///
  /// - Parameters:
  ///   - from: the route that is on top first.
  ///   - to: the route that is on top afterwards.
  ///   - transition: the transition to the second route; front ends reverse it on the way back.
  public func transition<From: NavigationRoute, To: NavigationRoute>(
    from: From, to: To, _ transition: Transition
  ) {
    self.transition { change in
      let (first, second) = change.isBackward ? (change.to, change.from) : (change.from, change.to)
      return first.route as? From == from && second.route as? To == to ? transition : nil
    }
  }

  /// Contributes the transition of entries of a style, when they are added or removed.
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
  /// Returns the transition of a change; nil if no rule applies.
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
