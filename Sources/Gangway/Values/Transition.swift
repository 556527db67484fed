/// An animation from one screen to the next, on front ends that show it.
///
/// A front end may skip the animation, for example for users who prefer reduced motion. It may also shorten the
/// animation: the terminal shows at most 150 ms, and stops at the next key.
public struct Transition: Hashable, Sendable {
  /// The name, `[a-z][a-z0-9-]*`.
  public let name: String
  /// The duration; nil leaves it to the front end.
  public let duration: Duration?
  /// The name of the built-in transition for front ends that do not know this one; nil for a built-in transition.
  let fallback: String?

  /// The new screen slides in from the trailing edge; on the way back, from the leading edge.
  public static let slide = Transition("slide", nil, nil)
  /// The old screen fades into the new one.
  public static let fade = Transition("fade", nil, nil)
  /// The new screen slides up from the bottom; on the way back, it slides down again.
  public static let pushUp = Transition("push-up", nil, nil)
  /// The new screen appears at once.
  public static let none = Transition("none", nil, nil)

  private init(_ name: String, _ duration: Duration?, _ fallback: String?) {
    self.name = name
    self.duration = duration
    self.fallback = fallback
  }

  /// Creates a transition that an application's own front end or style sheet knows.
  ///
  /// - Parameters:
  ///   - name: the name, `[a-z][a-z0-9-]*`.
  ///   - duration: the duration; nil leaves it to the front end.
  ///   - fallback: the transition that other front ends show instead.
  public init(_ name: String, duration: Duration? = nil, fallback: Transition = .fade) {
    self.init(name, duration, fallback.fallback ?? fallback.name)
  }

  /// Returns the same transition with another duration.
  public func lasting(_ duration: Duration) -> Transition { Transition(name, duration, fallback) }
}
