@_spi(FrontEnd) import GangwayProtocol

/// The target of a link, as far as it is known without running the link's code.
///
/// To create a URL, the framework runs only the links whose target may fit.
enum LinkTarget: Hashable {
  /// One route of a tab.
  case one(RouteKey)
  /// All routes of a type.
  case routes(ObjectIdentifier)
  case tab(ContributionID)
  case place(ContributionID)
  /// A target that only the link's own code knows.
  case any

  /// Returns the target of links to all routes of the type that a plan ends with, for a plan of a tab and a route.
  @MainActor static func routes(of plan: LinkPlan) -> LinkTarget? {
    plan.tabAndRoute.map { .routes(ObjectIdentifier(type(of: $0.route))) }
  }

  /// Returns the targets that a plan may have.
  @MainActor static func all(of plan: LinkPlan) -> [LinkTarget] {
    guard plan.stepCount <= 2 else { return [.any] }
    let steps = plan.steps
    return switch (steps.first, steps.last, steps.count) {
    case (.tab(let tab), _, 1): [.tab(tab), .any]
    case (.tab, .route(let route), 2): [.one(RouteKey(route)), .routes(ObjectIdentifier(type(of: route))), .any]
    case (.place(let place), _, 1): [.place(place.id), .any]
    default: [.any]
    }
  }
}

/// A route as a key, for routes of any type.
///
/// `AnyHashable` asks the runtime for another representation of each new type. After each loaded library, the answer
/// takes a search of all libraries. Only classes need it, because equal objects may be of different classes.
enum RouteKey: Hashable {
  case value(any NavigationRoute)
  case object(AnyHashable)

  init(_ route: some NavigationRoute) {
    self = type(of: route) is AnyClass ? .object(AnyHashable(route)) : .value(route)
  }

  static func == (first: RouteKey, second: RouteKey) -> Bool {
    switch (first, second) {
    case (.value(let first), .value(let second)):
      type(of: first) == type(of: second) && first.isEqual(toAny: .route(second))
    case (.object(let first), .object(let second)): first == second
    case (.value, .object), (.object, .value): false
    }
  }

  func hash(into hasher: inout Hasher) {
    switch self {
    case .value(let route): route.hash(into: &hasher)
    case .object(let object): object.hash(into: &hasher)
    }
  }
}

/// The reaction to a URL that matches a link's pattern but does not fit the link's payload.
public enum LinkMismatch: Hashable, Sendable {
  /// The URL is refused, and the error says what does not fit.
  case refuse
  /// The next matching pattern is tried, in order from the most specific one.
  ///
  /// If no pattern takes the URL, the URL is refused for the reason of the first pattern.
  case tryNext
}

/// The context that a link uses for its lookups: the context of its plugin.
@MainActor protocol LinkContext: AnyObject {}

/// The way in which a link creates its plan.
enum LinkMaking {
  /// At once, from the parameters alone.
  case atOnce(@MainActor (LinkValues) throws -> LinkPlan)
  /// After a lookup.
  case lookingUp(@MainActor (LinkValues, any LinkContext) async throws -> LinkPlan)
}

/// A link that a plugin registered.
@MainActor final class LinkRegistration {
  let pattern: LinkPattern
  let plugin: PluginID
  /// The type of the payload, for messages.
  let payload: String
  /// The way in which the link creates its plan.
  let plan: LinkMaking
  let mismatch: LinkMismatch
  /// Returns the parameters of the author's samples.
  let samples: () throws -> [[(name: String, value: String)]]
  /// Returns the parameters with which the link opens a plan; nil if the link does not open the plan.
  let values: (LinkPlan) -> [(name: String, value: String)]?
  /// The type of the link's route, whose tab is found after the plugin has registered everything.
  let routes: ObjectIdentifier?
  /// The tabs that the link may open.
  let home: LinkHome
  /// The target of the link; nil if the link creates no URLs.
  let target: LinkTarget?

  init(
    pattern: LinkPattern, plugin: PluginID, payload: String, routes: ObjectIdentifier? = nil, home: LinkHome,
    target: LinkTarget?, mismatch: LinkMismatch = .refuse, plan: LinkMaking,
    samples: @escaping () throws -> [[(name: String, value: String)]] = { [] },
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
    self.samples = samples
    self.values = values
  }
}

/// A link of a plugin that is not loaded, as far as the plugin's manifest describes it.
struct LinkAnnouncement {
  let pattern: String
  let plugin: PluginID
  /// The type of the payload, for messages.
  let payload: String
  /// The tab that the link opens; nil for a link to something else.
  let tab: ContributionID?
}

/// A link in the list of all links.
package struct LinkDescription: Hashable, Sendable {
  /// The pattern as the plugin wrote it.
  package let pattern: String
  /// The plugin that registered the link.
  package let plugin: PluginID
  /// The type that the parameters decode to.
  package let payload: String
}

/// The link that a URL matches, with the plan that it opens.
public struct ResolvedLink: Sendable {
  /// The pattern that the URL matches.
  package let pattern: LinkPattern
  /// The plugin that registered the pattern.
  package let plugin: PluginID
  /// The plan that the URL opens.
  public let plan: LinkPlan
}
