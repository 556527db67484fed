/// A question asked before a navigation: may it happen?
///
/// Leave guards are asked first, those of the entries on top before those below; then the registry's guards for the
/// whole application, by their order; then those of the tab, place or route that would be shown. Each is asked before
/// any code of what would be shown runs. A navigation that a guard refuses changes nothing.
///
/// A guard with a limit to its time is asked again about what it let in when an observable value changes that it read before
/// its first suspension; the request's source is then `restoration`.
public struct NavigationGuard: Sendable {
  /// Names the guard in errors.
  public let name: String
  /// How long an answer may take; nil stands for as long as a person needs.
  public let timeout: Duration?
  let decide: @MainActor (NavigationRequest) async throws -> GuardVerdict

  /// Makes a guard.
  ///
  /// - Parameters:
  ///   - name: names the guard in errors.
  ///   - timeout: how long an answer may take before the navigation is refused; nil stands for as long as a person
  ///     needs.
  ///   - decide: gives the verdict. What it throws refuses the navigation. It must not navigate by itself: it answers
  ///     with `.redirect`.
  public init(
    _ name: String, timeout: Duration? = .seconds(10),
    decide: @escaping @MainActor (NavigationRequest) async throws -> GuardVerdict
  ) {
    self.name = name
    self.timeout = timeout
    self.decide = decide
  }
}

/// What a guard says to a navigation.
public enum GuardVerdict: Hashable, Sendable {
  /// It may happen.
  case allow
  /// It may not, for the reason given to the person.
  case deny(String)
  /// First a flow must end with a value, such as one that signs in. It is shown as a modal; when it has finished, the
  /// navigation goes on where it was asked for, its guards asked anew. When it is cancelled, so is the navigation.
  case redirect(Place)
}

/// What a guard is asked about.
public struct NavigationRequest: Sendable {
  /// Who wants it.
  public struct Source: RawRepresentable, Hashable, Sendable {
    /// The word for it, as in the history.
    public let rawValue: String
    /// Makes a source.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A person, with a front end's own controls: back, dismiss, a tab.
    public static let person = Source(rawValue: "person")
    /// A link: a URL that was opened.
    public static let link = Source(rawValue: "link")
    /// Code: what a button does, a model, a coordinator.
    public static let code = Source(rawValue: "code")
    /// The start from a stored state. A restart after a crash asks nobody.
    public static let restoration = Source(rawValue: "restoration")
  }

  /// Who wants it.
  public let source: Source
  /// Where it leads: what would be shown, or, where entries only go, what would be on top afterwards.
  public let target: Location
  /// For a leave guard, what would go; nil for others.
  public let leaving: Location?
}

/// A place in the navigation tree, as guards, history and errors name it.
public struct Location: Sendable, CustomStringConvertible {
  /// The plugin whose code shows it, as far as that is known before it is made.
  public let plugin: String?
  /// The type of the coordinator whose route it is.
  public let coordinator: String?
  /// The route; nil for a place of another feature and for the root.
  public let route: (any NavigationRoute)?
  /// The place of another feature, if it is one.
  public let place: Place?
  /// What it is called.
  public let title: String

  /// The place's id, or the route as a developer would write it.
  public var description: String {
    if let place { return place.id.rawValue }
    return route.map { String(describing: $0) } ?? title
  }
}

/// What a person answers later: lets a guard wait for them without keeping the session busy.
///
/// A leave guard makes one, has its screen show an alert, and waits for ``value()``; the alert's buttons call
/// ``give(_:)``.
@MainActor public final class PendingAnswer<Value: Sendable> {
  private var answer: Value?
  private var tokens: [ControlledWait.Token] = []

  /// Makes an answer that is not given yet.
  public init() {}

  /// Waits until the answer is given.
  ///
  /// - Throws: `CancellationError` if the task that waits is cancelled.
  public func value() async throws -> Value {
    while true {
      try Task.checkCancellation()
      if let answer { return answer }
      await withTaskCancellationHandler {
        await ControlledWait.suspend { tokens.append($0) }
      } onCancel: {
        Task { @MainActor in self.wake() }
      }
    }
  }

  /// Gives the answer; only the first counts.
  public func give(_ value: Value) {
    if answer == nil { answer = value }
    wake()
  }

  private func wake() {
    let waiting = tokens
    tokens = []
    for token in waiting { token.resume() }
  }
}
