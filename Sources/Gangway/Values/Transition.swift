/// How one screen becomes another, where a front end shows that.
///
/// A front end may leave it out, as for people who asked for less motion, and shortens it where it would be in the way: the
/// terminal shows 150 ms at the most, and ends it at the next key.
public struct Transition: Hashable, Sendable {
  /// Its name, `[a-z][a-z0-9-]*`.
  public let name: String
  /// How long it takes; nil where that is left to the front end.
  public let duration: Duration?
  /// Which of those that every front end knows it is like; nil where it is one of them.
  let fallback: String?

  /// The new screen comes in from the side: the end of a line, going back its beginning.
  public static let slide = Transition("slide", nil, nil)
  /// The one screen fades into the other.
  public static let fade = Transition("fade", nil, nil)
  /// The new screen comes up from below, and goes down again.
  public static let pushUp = Transition("push-up", nil, nil)
  /// The new screen is there at once.
  public static let none = Transition("none", nil, nil)

  private init(_ name: String, _ duration: Duration?, _ fallback: String?) {
    self.name = name
    self.duration = duration
    self.fallback = fallback
  }

  /// Makes a transition that an application's own front end knows, or style sheet.
  ///
  /// - Parameters:
  ///   - name: its name, `[a-z][a-z0-9-]*`.
  ///   - duration: how long it takes.
  ///   - fallback: what other front ends show in its place.
  public init(_ name: String, duration: Duration? = nil, fallback: Transition = .fade) {
    self.init(name, duration, fallback.fallback ?? fallback.name)
  }

  /// The same, which takes so long.
  public func lasting(_ duration: Duration) -> Transition { Transition(name, duration, fallback) }
}
