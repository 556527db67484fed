@_spi(FrontEnd) import GangwayProtocol

/// A check that decides whether a navigation may happen.
///
/// Guards run in this order:
///
/// 1. leave guards, from the top entry down;
/// 2. the registry's guards for the whole application, in their order;
/// 3. the guards of the tab, place or route that would be shown.
///
/// Each guard runs before any code of the new content. A navigation that a guard refuses changes nothing.
///
/// When an observable value changes, a guard with a timeout runs again for the content that it allowed. This applies
/// only to values that the guard read before its first suspension. The request's source is then `restoration`.
public struct NavigationGuard: Sendable {
  /// The guard's name in errors.
  public let name: String
  /// The time limit for an answer; nil for no limit, so that the guard can wait for the user.
  public let timeout: Duration?
  let decide: @MainActor (NavigationRequest) async throws -> GuardVerdict

  /// Creates a guard.
  ///
  /// - Parameters:
  ///   - name: the guard's name in errors.
  ///   - timeout: the time limit for an answer, after which the navigation is refused. Nil sets no limit, so that the
  ///     guard can wait for the user.
  ///   - decide: returns the verdict. An error that it throws refuses the navigation. It must not navigate by itself:
  ///     it returns `.redirect` instead.
  public init(
    _ name: String, timeout: Duration? = .seconds(10),
    decide: @escaping @MainActor (NavigationRequest) async throws -> GuardVerdict
  ) {
    self.name = name
    self.timeout = timeout
    self.decide = decide
  }
}

/// The answer of a guard to a navigation.
public enum GuardVerdict: Hashable, Sendable {
  /// The navigation may happen.
  case allow
  /// The navigation may not happen; the user sees the reason.
  ///
  /// Without a reason, the user sees no message. The code that navigates gets the error `denied` either way.
  case deny(String? = nil)
  /// A flow, such as a sign-in, must first end with a value.
  ///
  /// The session shows the flow as a modal. When the flow finishes, the navigation continues where it was requested,
  /// and its guards run again. When the flow is cancelled, the navigation is cancelled too.
  case redirect(Place)
}

/// The navigation that a guard decides about.
public struct NavigationRequest: Sendable {
  /// The source of a navigation.
  public enum Source: String, Codable, Hashable, Sendable {
    /// The user, with the front end's own controls: back, dismiss or a tab.
    case person
    /// A link: an opened URL.
    case link
    /// Code: the action of a button, a model or a coordinator.
    case code
    /// The start from a stored state.
    ///
    /// A restart after a crash restores entries without asking guards first.
    case restoration
  }

  /// The source of the navigation.
  public let source: Source
  /// The content that would be shown; if the navigation only removes entries, the content that would then be on top.
  public let target: Location
  /// For a leave guard, the content that would go away; for other guards, the content on screen that the user leaves.
  ///
  /// Nil if guards run for stored content, which nobody leaves.
  public internal(set) var leaving: Location?
}

/// A place in the navigation tree, as guards, the history and errors describe it.
public struct Location: Sendable, CustomStringConvertible {
  /// The plugin whose code shows the content, as far as it is known before the content is created.
  public let plugin: PluginID?
  /// The type of the coordinator that the route belongs to.
  public let coordinator: String?
  /// The route; nil for a place of another feature and for the root.
  public let route: (any NavigationRoute)?
  /// The place of another feature; nil for a route.
  public let place: Place?
  /// The title of the content.
  public let title: String

  /// The place's id, or the route as a developer would write it.
  public var description: String {
    if let place { return place.id.rawValue }
    return route.map { String(describing: $0) } ?? title
  }
}

/// An answer that the user gives later.
///
/// A guard can wait for the answer without keeping the session busy. A leave guard creates a pending answer, makes its
/// screen show an alert, and waits for ``value()``. The alert's buttons call ``give(_:)``.
@MainActor public final class PendingAnswer<Value: Sendable> {
  private var answer: Value?
  private var tokens: [ControlledWait.Token] = []

  /// Creates an answer that is not given yet.
  public init() {}

  /// Waits for the answer.
  ///
  /// - Throws: `CancellationError` if the waiting task is cancelled.
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

  /// Gives the answer; only the first one counts.
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
