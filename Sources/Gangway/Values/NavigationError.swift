/// The reason why a navigation was refused. The tree is unchanged.
///
/// Errors with the same ``code`` are equal. Later versions of the library may add codes. An error is data: ``message``
/// describes it for a developer, and ``personMessage`` for the user of the app.
public struct NavigationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of a refusal.
  public enum Code: String, Hashable, Sendable {
    /// The router's coordinator is not part of a session: not yet shown, or already gone.
    case detached
    /// The entry the router belongs to is gone.
    case entryGone = "entry-gone"
    /// A modal that the user must answer is in the way.
    case modalNotDismissible = "modal-not-dismissible"
    /// The first entry of a stack cannot be removed.
    case rootEntry = "root-entry"
    /// The coordinator has no parent that it could be dismissed from.
    case noParent = "no-parent"
    /// The route shows a destination of another type than the caller asked for.
    case unexpectedDestination = "unexpected-destination"
    /// No plugin offers the place.
    case unknownPlace = "unknown-place"
    /// A payload does not fit the place, or does not encode.
    case payload
    /// The route does not belong to the coordinator that should show it.
    case foreignRoute = "foreign-route"
    /// The coordinator has no such tab.
    case unknownTab = "unknown-tab"
    /// A destination returned a coordinator that is already on screen elsewhere.
    case coordinatorInUse = "coordinator-in-use"
    /// Coordinators are nested deeper than the limit, as in a flow that starts itself.
    case nestedTooDeep = "nested-too-deep"
    /// No ancestor has the requested type.
    case noAncestor = "no-ancestor"
    /// A plugin's section of the app's configuration does not fit the plugin.
    case configuration
    /// No plugin registered the service.
    case noService = "no-service"
    /// The code that makes a screen or coordinator threw.
    case makingFailed = "making-failed"
    /// The coordinator says that the route cannot be shown on its own.
    case notPresentable = "not-presentable"
    /// The stack has no such entry.
    case unknownEntry = "unknown-entry"
    /// The update of an entry has a route of another case, which would be another screen.
    case otherRoute = "other-route"
    /// There is no commit to undo or redo.
    case noHistory = "no-history"
    /// The last commit cannot be undone: it ended a flow with a value, or its plan was marked as final.
    case cannotUndo = "cannot-undo"
    /// A plan was used after its closure returned.
    case planClosed = "plan-closed"

    /// A guard denied the navigation; the message is its reason.
    case denied
    /// A guard threw.
    case guardFailed = "guard-failed"
    /// A guard did not answer before its timeout.
    case guardTimedOut = "guard-timed-out"
    /// Guards redirect to each other in a circle, or again and again without an action of the user.
    case redirectCycle = "redirect-cycle"
    /// The place that a guard redirected to ended without a result.
    case redirectCancelled = "redirect-cancelled"
    /// Code that a guard called tried to navigate.
    case insideGuard = "inside-guard"
    /// A later navigation by the user replaced one that waited for a guard.
    case superseded
    /// The user went back before a guard answered.
    case cancelledByPerson = "cancelled-by-person"

    /// The text is not a URL, or it is too long.
    case malformedURL = "malformed-url"
    /// The URL's scheme is not one of the application's.
    case invalidScheme = "invalid-scheme"
    /// The URL has no host.
    case unknownURL = "unknown-url"
    /// The link needs parameters, and the URL has no query.
    case missingQueryString = "missing-query-string"
    /// The link needs a lookup, which only a session can run.
    case lookupNeeded = "lookup-needed"
    /// No plugin registered a link that the URL matches.
    case unmatchedLink = "unmatched-link"
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
