/// What a link leads to, as far as it is known without asking it: where an address is made, links to other things are not
/// asked.
enum LinkTarget: Hashable {
  /// One route of a tab.
  case one(AnyHashable)
  /// Routes of a type.
  case routes(ObjectIdentifier)
  case tab(ContributionID)
  case place(ContributionID)
  /// Whatever its author says.
  case any

  /// The targets that a plan may be.
  @MainActor static func all(of plan: LinkPlan) -> [LinkTarget] {
    guard plan.stepCount <= 2 else { return [.any] }
    let steps = plan.steps
    return switch (steps.first, steps.last, steps.count) {
    case (.tab(let tab), _, 1): [.tab(tab), .any]
    case (.tab, .route(let route), 2): [.one(AnyHashable(route)), .routes(ObjectIdentifier(type(of: route))), .any]
    case (.place(let place), _, 1): [.place(place.id), .any]
    default: [.any]
    }
  }
}

/// What happens where a URL matches the pattern of a link, and does not fit its payload.
public enum LinkMismatch: Hashable, Sendable {
  /// The URL is refused, and the error says what does not fit.
  case refuse
  /// The next pattern that the URL matches is tried, from the most specific one on. Where none takes it, it is refused for
  /// the reason of the first.
  case tryNext
}

/// What a link may look things up with: its plugin's context.
@MainActor protocol LinkContext: AnyObject {}

/// How a link makes its plan.
enum LinkMaking {
  /// At once, of the parameters alone.
  case atOnce(@MainActor (LinkValues) throws -> LinkPlan)
  /// After something was looked up.
  case lookingUp(@MainActor (LinkValues, any LinkContext) async throws -> LinkPlan)
}

/// A link that a plugin registered.
@MainActor final class LinkRegistration {
  let pattern: LinkPattern
  let plugin: String
  /// The type of the payload, for people.
  let payload: String
  /// Where it leads.
  let plan: LinkMaking
  let mismatch: LinkMismatch
  /// The parameters with which it leads there; nil where it does not.
  let values: (LinkPlan) -> [(name: String, value: String)]?
  /// The type of the route it leads to, whose tab is found when the plugin has registered all it has.
  let routes: ObjectIdentifier?
  /// The tab it leads to.
  let home: LinkHome
  /// What it leads to; nil where no address is made of it.
  let target: LinkTarget?

  init(
    pattern: LinkPattern, plugin: String, payload: String, routes: ObjectIdentifier? = nil, home: LinkHome,
    target: LinkTarget?, mismatch: LinkMismatch = .refuse, plan: LinkMaking,
    values: @escaping (LinkPlan) -> [(name: String, value: String)]?
  ) {
    self.pattern = pattern
    self.plugin = plugin
    self.payload = payload
    self.routes = routes
    self.home = home
    self.target = target
    self.mismatch = mismatch
    self.plan = plan
    self.values = values
  }
}

/// A link as it is listed.
public struct LinkDescription: Hashable, Sendable {
  /// The pattern, as it was written.
  public let pattern: String
  /// The plugin that registered it.
  public let plugin: String
  /// The type that its parameters are read as.
  public let payload: String
}

/// What a URL leads to.
public struct ResolvedLink: Sendable {
  /// The pattern it matches.
  public let pattern: LinkPattern
  /// The plugin that registered the pattern.
  public let plugin: String
  /// Where it leads.
  public let plan: LinkPlan
}
