/// The reason why a navigation was refused. The tree is unchanged.
///
/// Errors with the same ``code`` are equal. Later versions of the library may add codes. An error is data: ``message``
/// describes it for a developer, and ``personMessage`` for the user of the app.
public struct NavigationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of a refusal.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The name of the code, as in logs.
    public let rawValue: String
    /// Creates a code.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The router's coordinator is not part of a session: not yet shown, or already gone.
    public static let detached = Code(rawValue: "detached")
    /// The entry the router belongs to is gone.
    public static let entryGone = Code(rawValue: "entry-gone")
    /// A modal that the user must answer is in the way.
    public static let modalNotDismissible = Code(rawValue: "modal-not-dismissible")
    /// The first entry of a stack cannot be removed.
    public static let rootEntry = Code(rawValue: "root-entry")
    /// The coordinator has no parent that it could be dismissed from.
    public static let noParent = Code(rawValue: "no-parent")
    /// The route shows a destination of another type than the caller asked for.
    public static let unexpectedDestination = Code(rawValue: "unexpected-destination")
    /// No plugin offers the place.
    public static let unknownPlace = Code(rawValue: "unknown-place")
    /// A payload does not fit the place, or does not encode.
    public static let payload = Code(rawValue: "payload")
    /// The route does not belong to the coordinator that should show it.
    public static let foreignRoute = Code(rawValue: "foreign-route")
    /// The coordinator has no such tab.
    public static let unknownTab = Code(rawValue: "unknown-tab")
    /// A destination returned a coordinator that is already on screen elsewhere.
    public static let coordinatorInUse = Code(rawValue: "coordinator-in-use")
    /// Coordinators are nested deeper than the limit, as in a flow that starts itself.
    public static let nestedTooDeep = Code(rawValue: "nested-too-deep")
    /// No ancestor has the requested type.
    public static let noAncestor = Code(rawValue: "no-ancestor")
    /// A plugin's section of the app's configuration does not fit the plugin.
    public static let configuration = Code(rawValue: "configuration")
    /// No plugin registered the service.
    public static let noService = Code(rawValue: "no-service")
    /// The code that makes a screen or coordinator threw.
    public static let makingFailed = Code(rawValue: "making-failed")
    /// The coordinator says that the route cannot be shown on its own.
    public static let notPresentable = Code(rawValue: "not-presentable")
    /// The stack has no such entry.
    public static let unknownEntry = Code(rawValue: "unknown-entry")
    /// The update of an entry has a route of another case, which would be another screen.
    public static let otherRoute = Code(rawValue: "other-route")
    /// There is no commit to undo or redo.
    public static let noHistory = Code(rawValue: "no-history")
    /// The last commit cannot be undone: it ended a flow with a value, or its plan was marked as final.
    public static let cannotUndo = Code(rawValue: "cannot-undo")
    /// A plan was used after its closure returned.
    public static let planClosed = Code(rawValue: "plan-closed")

    /// A guard denied the navigation; the message is its reason.
    public static let denied = Code(rawValue: "denied")
    /// A guard threw.
    public static let guardFailed = Code(rawValue: "guard-failed")
    /// A guard did not answer before its timeout.
    public static let guardTimedOut = Code(rawValue: "guard-timed-out")
    /// Guards redirect to each other in a circle.
    public static let redirectCycle = Code(rawValue: "redirect-cycle")
    /// The place that a guard redirected to ended without a result.
    public static let redirectCancelled = Code(rawValue: "redirect-cancelled")
    /// Code that a guard called tried to navigate.
    public static let insideGuard = Code(rawValue: "inside-guard")
    /// A later navigation by the user replaced one that waited for a guard.
    public static let superseded = Code(rawValue: "superseded")
    /// The user went back before a guard answered.
    public static let cancelledByPerson = Code(rawValue: "cancelled-by-person")

    /// The text is not a URL, or it is too long.
    public static let malformedURL = Code(rawValue: "malformed-url")
    /// The URL's scheme is not one of the application's.
    public static let invalidScheme = Code(rawValue: "invalid-scheme")
    /// The URL has no host.
    public static let unknownURL = Code(rawValue: "unknown-url")
    /// The link needs parameters, and the URL has no query.
    public static let missingQueryString = Code(rawValue: "missing-query-string")
    /// The link needs a lookup, which only a session can run.
    public static let lookupNeeded = Code(rawValue: "lookup-needed")
    /// No plugin registered a link that the URL matches.
    public static let unmatchedLink = Code(rawValue: "unmatched-link")
  }

  /// The problem, with its facts.
  let problem: NavigationProblem

  init(_ problem: NavigationProblem) { self.problem = problem }

  /// Creates a custom error.
  ///
  /// - Parameters:
  ///   - code: the kind of the refusal.
  ///   - message: the problem, its reason and its fix, for the user and the developer alike.
  public init(_ code: Code, _ message: String) { problem = .custom(code, message) }

  /// The kind of the refusal.
  public var code: Code { problem.code }
  /// The problem, its reason and its fix, for a developer.
  public var message: String { problem.developerWords }
  /// The message for the user of the app: without names of types, and without stored values.
  public var personMessage: String { problem.personWords }

  /// The message for a developer.
  public var description: String { message }

  /// Returns whether two errors have the same code.
  public static func == (first: Self, second: Self) -> Bool { first.code == second.code }

  /// Hashes the code.
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }

  /// Returns the message for the user about an error of any kind.
  static func personMessage(of error: any Error) -> String {
    (error as? NavigationError)?.personMessage ?? "\(error)"
  }
}
