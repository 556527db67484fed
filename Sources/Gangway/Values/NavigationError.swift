/// Why a navigation was refused. Nothing changed when it is thrown.
///
/// Compared by ``code`` alone, so that new codes can be added. It is data: ``message`` says it to a developer,
/// ``personMessage`` to the person who uses the app.
public struct NavigationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What kind of refusal it is.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The word for it, as in logs.
    public let rawValue: String
    /// Makes a code.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The router's coordinator is not part of a session: not yet shown, or already gone.
    public static let detached = Code(rawValue: "detached")
    /// The entry the router belongs to is gone.
    public static let entryGone = Code(rawValue: "entry-gone")
    /// A modal that must be answered is in the way.
    public static let modalNotDismissible = Code(rawValue: "modal-not-dismissible")
    /// The first entry of a stack cannot be removed.
    public static let rootEntry = Code(rawValue: "root-entry")
    /// The coordinator has no parent that it could be dismissed from.
    public static let noParent = Code(rawValue: "no-parent")
    /// A route led to something of another type than the caller asked for.
    public static let unexpectedDestination = Code(rawValue: "unexpected-destination")
    /// No plugin offers the place.
    public static let unknownPlace = Code(rawValue: "unknown-place")
    /// A payload does not fit the place, or does not encode.
    public static let payload = Code(rawValue: "payload")
    /// A route is not one of the coordinator's that should show it.
    public static let foreignRoute = Code(rawValue: "foreign-route")
    /// The tab is not one of the coordinator's.
    public static let unknownTab = Code(rawValue: "unknown-tab")
    /// A coordinator was returned that is already shown elsewhere.
    public static let coordinatorInUse = Code(rawValue: "coordinator-in-use")
    /// Coordinators are nested deeper than any app means: a flow that starts itself.
    public static let nestedTooDeep = Code(rawValue: "nested-too-deep")
    /// No ancestor is of the type asked for.
    public static let noAncestor = Code(rawValue: "no-ancestor")
    /// Nobody registered the service.
    public static let noService = Code(rawValue: "no-service")
    /// The code that makes a screen or coordinator threw.
    public static let makingFailed = Code(rawValue: "making-failed")
    /// The route is not shown by itself: its coordinator says so.
    public static let notPresentable = Code(rawValue: "not-presentable")
    /// No entry of the stack is the one looked for.
    public static let unknownEntry = Code(rawValue: "unknown-entry")
    /// An entry was to be updated with a route of another case, which is another screen.
    public static let otherRoute = Code(rawValue: "other-route")
    /// There is no commit to step back or forward to.
    public static let noHistory = Code(rawValue: "no-history")
    /// The last commit cannot be undone: it ended a flow with a value, or was said to be final.
    public static let cannotUndo = Code(rawValue: "cannot-undo")
    /// A plan was used after the closure that it was given to.
    public static let planClosed = Code(rawValue: "plan-closed")

    /// A guard said no; the message is its reason.
    public static let denied = Code(rawValue: "denied")
    /// A guard threw.
    public static let guardFailed = Code(rawValue: "guard-failed")
    /// A guard gave no answer in its time.
    public static let guardTimedOut = Code(rawValue: "guard-timed-out")
    /// Guards lead from one to another and back.
    public static let redirectCycle = Code(rawValue: "redirect-cycle")
    /// What a guard led to ended without a result.
    public static let redirectCancelled = Code(rawValue: "redirect-cancelled")
    /// Code called by a guard tried to navigate.
    public static let insideGuard = Code(rawValue: "inside-guard")
    /// A later navigation of the person's took the place of one that waited for a guard.
    public static let superseded = Code(rawValue: "superseded")
    /// The person went back while a guard was being asked.
    public static let cancelledByPerson = Code(rawValue: "cancelled-by-person")

    /// The text is no URL, or one too long.
    public static let malformedURL = Code(rawValue: "malformed-url")
    /// The URL's scheme is not one of the application's.
    public static let invalidScheme = Code(rawValue: "invalid-scheme")
    /// The URL names nothing.
    public static let unknownURL = Code(rawValue: "unknown-url")
    /// The link needs parameters, and the URL has no query.
    public static let missingQueryString = Code(rawValue: "missing-query-string")
    /// The link looks something up, which takes a session.
    public static let lookupNeeded = Code(rawValue: "lookup-needed")
    /// No plugin registered a link that the URL matches.
    public static let unmatchedLink = Code(rawValue: "unmatched-link")
  }

  /// What is the matter, with its facts.
  let problem: NavigationProblem

  init(_ problem: NavigationProblem) { self.problem = problem }

  /// Makes an error of an author's own.
  ///
  /// - Parameters:
  ///   - code: what kind of refusal it is.
  ///   - message: what, why and what to do, for the person and the developer alike.
  public init(_ code: Code, _ message: String) { problem = .custom(code, message) }

  /// What kind of refusal it is.
  public var code: Code { problem.code }
  /// What, why and what to do, for a developer.
  public var message: String { problem.developerWords }
  /// The same for the person who uses the app: without names of types, and without what is stored.
  public var personMessage: String { problem.personWords }

  /// The message for a developer.
  public var description: String { message }

  /// Two errors are equal when their codes are.
  public static func == (first: Self, second: Self) -> Bool { first.code == second.code }

  /// Hashes the code.
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }

  /// What to tell a person of an error of any kind.
  static func personMessage(of error: any Error) -> String {
    (error as? NavigationError)?.personMessage ?? "\(error)"
  }
}
