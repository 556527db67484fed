/// Contributions of links.
extension Registrar {
  /// Contributes a link to a route of a tab's stack.
  ///
  /// ```swift
  /// registry.link("todos/:id") { (link: TodoLink) in TodosCoordinator.Route.detail(link.id) }
  /// ```
  ///
  /// - Parameters:
  ///   - pattern: the URLs that the link takes, without the scheme, such as `todos/:id`.
  ///   - tab: the name of the plugin's tab that the link opens. With several, the link opens the tab that the user is
  ///     in. By default, it is the only tab that has such routes.
  ///   - mismatch: the behavior if the URL's parameters do not fit `Payload`, or if `route` throws.
  ///   - samples: parameters for checks: `gangway validate` opens the link with each of them.
  ///   - route: returns the route for the URL's parameters.
  ///   - url: returns the parameters of a route, so that the route has a URL; nil for routes that this link does not
  ///     open.
  public func link<Payload: Codable & Sendable, Route: NavigationRoute>(
    _ pattern: String, tab: LinkTabs? = nil, onMismatch mismatch: LinkMismatch = .refuse, samples: [Payload] = [],
    route: @escaping @MainActor (Payload) throws -> Route, url: (@MainActor (Route) -> Payload?)? = nil
  ) {
    link(
      pattern, tab, mismatch, samples, url == nil ? nil : .routes(ObjectIdentifier(Route.self)), url
    ) { home in
      .payload { home.beginning.show(try route($0)) }
    }
  }

  /// Contributes a link to a route that needs a lookup, such as the number of an entry by its name.
  ///
  /// The navigation waits for `route` as for a guard: the user may go back, and the user's next action replaces the
  /// navigation. If the wait takes longer than a moment, the screen shows it.
  ///
  /// - Parameters:
  ///   - pattern: the URLs that the link takes, without the scheme, such as `todos/:id`.
  ///   - tab: as for a link without a lookup.
  ///   - mismatch: the behavior if the URL's parameters do not fit `Payload`, or if `route` throws.
  ///   - samples: parameters for checks: `gangway validate` opens the link with each of them.
  ///   - route: returns the route for the URL's parameters, with the help of the plugin's context, such as a service.
  ///   - url: returns the parameters of a route, so that the route has a URL.
  public func link<Payload: Codable & Sendable, Route: NavigationRoute>(
    _ pattern: String, tab: LinkTabs? = nil, onMismatch mismatch: LinkMismatch = .refuse, samples: [Payload] = [],
    route: @escaping @MainActor (Payload, PluginContext) async throws -> Route,
    url: (@MainActor (Route) -> Payload?)? = nil
  ) {
    link(
      pattern, tab, mismatch, samples, url == nil ? nil : .routes(ObjectIdentifier(Route.self)), url
    ) { home in
      .lookup { home.beginning.show(try await route($0, $1)) }
    }
  }

  /// Contributes a link to one fixed route.
  public func link<Route: NavigationRoute>(_ pattern: String, to route: Route, tab: LinkTabs? = nil) {
    link(pattern, tab, .refuse, [], .one(RouteKey(route)), { $0 == route ? NoPayload() : nil }) { home in
      .payload { _ in home.beginning.show(route) }
    }
  }

  private func link<Payload: Codable & Sendable, Route: NavigationRoute>(
    _ pattern: String, _ tab: LinkTabs?, _ mismatch: LinkMismatch, _ samples: [Payload], _ target: LinkTarget?,
    _ url: (@MainActor (Route) -> Payload?)?, _ plan: (LinkHome) -> LinkBody<Payload>
  ) {
    let home = home(tab)
    contributeLink(
      pattern, mismatch, samples, home, routes: ObjectIdentifier(Route.self), target: target, plan: plan(home),
      payloadOf: { plan in
        guard let url, let (tab, route) = plan.tabAndRoute, home.tabs.contains(tab) else { return nil }
        return (route as? Route).flatMap(url)
      })
  }

  /// Contributes a link to a tab, with the stack that the tab has when it is first shown.
  public func link(_ pattern: String, tab: String) {
    let id = ContributionID(plugin: plugin, name: tab)
    contributeLink(
      pattern, .refuse, [], LinkHome([id]), routes: nil, target: .tab(id),
      plan: .payload { (_: NoPayload) in LinkPlan(tab: id) },
      payloadOf: { $0.stepCount == 1 && $0.tab == id ? NoPayload() : nil })
  }

  /// Contributes a link to a place of this plugin, which is shown on top of the present screen.
  ///
  /// The URL's parameters are the place's payload.
  ///
  /// - Parameters:
  ///   - pattern: the URLs that the link takes, without the scheme, such as `todos/:id`.
  ///   - name: the name of the place.
  ///   - payload: the type to decode the parameters as.
  ///   - mismatch: the behavior if the parameters do not fit this type.
  ///   - samples: parameters for checks: `gangway validate` opens the link with each of them.
  public func link<Payload: Codable & Sendable>(
    _ pattern: String, place name: String, taking payload: Payload.Type, onMismatch mismatch: LinkMismatch = .refuse,
    samples: [Payload] = []
  ) {
    let id = ContributionID(plugin: plugin, name: name)
    contributeLink(
      pattern, mismatch, samples, LinkHome([]), routes: nil, target: .place(id),
      plan: .payload { (payload: Payload) in LinkPlan.here.show(try Place(id, with: payload)) },
      payloadOf: { $0.payload(of: id, as: Payload.self) })
  }

  /// Contributes a link through several flows, which may belong to other plugins.
  ///
  /// - Parameters:
  ///   - pattern: the URLs that the link takes, without the scheme.
  ///   - mismatch: the behavior if the URL's parameters do not fit `Payload`, or if `plan` throws.
  ///   - samples: parameters for checks: `gangway validate` opens the link with each of them.
  ///   - plan: returns the steps for the URL's parameters.
  ///   - url: returns the parameters for a plan that the link can produce; nil for other plans. See
  ///     ``LinkPlan/routes(in:_:)``.
  public func multiStepLink<Payload: Codable & Sendable>(
    _ pattern: String, onMismatch mismatch: LinkMismatch = .refuse, samples: [Payload] = [],
    plan: @escaping @MainActor (Payload) throws -> LinkPlan, url: (@MainActor (LinkPlan) -> Payload?)? = nil
  ) {
    contributeLink(
      pattern, mismatch, samples, LinkHome([]), routes: nil, target: url == nil ? nil : .any, plan: .payload(plan),
      payloadOf: { url?($0) })
  }

  /// Contributes a link through several flows that needs a lookup.
  ///
  /// - Parameters:
  ///   - pattern: the URLs that the link takes, without the scheme.
  ///   - mismatch: the behavior if the URL's parameters do not fit `Payload`, or if `plan` throws.
  ///   - samples: parameters for checks: `gangway validate` opens the link with each of them.
  ///   - plan: returns the steps for the URL's parameters, with the help of the plugin's context.
  ///   - url: returns the parameters for a plan that the link can produce; nil for other plans.
  public func multiStepLink<Payload: Codable & Sendable>(
    _ pattern: String, onMismatch mismatch: LinkMismatch = .refuse, samples: [Payload] = [],
    plan: @escaping @MainActor (Payload, PluginContext) async throws -> LinkPlan,
    url: (@MainActor (LinkPlan) -> Payload?)? = nil
  ) {
    contributeLink(
      pattern, mismatch, samples, LinkHome([]), routes: nil, target: url == nil ? nil : .any, plan: .lookup(plan),
      payloadOf: { url?($0) })
  }

  /// The code that makes a plan from a payload.
  private enum LinkBody<Payload> {
    case payload(@MainActor (Payload) throws -> LinkPlan)
    case lookup(@MainActor (Payload, PluginContext) async throws -> LinkPlan)
  }

  private func home(_ tabs: LinkTabs?) -> LinkHome {
    LinkHome((tabs?.names ?? []).map { ContributionID(plugin: plugin, name: $0) })
  }

  private func contributeLink<Payload: Codable & Sendable>(
    _ text: String, _ mismatch: LinkMismatch, _ samples: [Payload], _ home: LinkHome, routes: ObjectIdentifier?,
    target: LinkTarget?, plan: LinkBody<Payload>, payloadOf: @escaping @MainActor (LinkPlan) -> Payload?
  ) {
    guard let contributions = open("the link \(text)") else { return }
    do {
      let pattern = try LinkPattern(text)
      let single = pattern.parameters.count == 1 ? pattern.parameters.first : nil
      let making: LinkMaking =
        switch plan {
        case .payload(let plan): .atOnce { try plan(LinkDecoder.decode(Payload.self, from: $0)) }
        case .lookup(let plan):
          .lookingUp { values, context in
            let payload = try LinkDecoder.decode(Payload.self, from: values)
            guard let context = context as? PluginContext else { throw NavigationError(.sessionClosed) }
            return try await plan(payload, context)
          }
        }
      let link = LinkRegistration(
        pattern: pattern, plugin: plugin, payload: TypeName.of(Payload.self), routes: routes, home: home,
        target: target, mismatch: mismatch, plan: making,
        samples: { try samples.map { try LinkEncoder.values(of: $0, single: single) } },
        values: { plan in payloadOf(plan).flatMap { try? LinkEncoder.values(of: $0, single: single) } })
      let tab: ContributionID? = if case .tab(let id)? = target { id } else { nil }
      contributions.note(ContributionRecord(.link, text, type: link.payload, [.tab: tab?.rawValue]))
      contributions.links.append(link)
    } catch {
      contributions.problems.append("registers the link '\(text)', which is not a valid pattern: \(error)")
    }
  }
}

/// The check of a plugin's links, on their own and against the links of other plugins.
struct LinkCheck {
  let links: Links

  /// Returns the problems of the links: rivals of equal rank, and tabs that do not exist.
  ///
  /// - Parameters:
  ///   - contributions: the plugin's contributions.
  ///   - wereCompared: whether their rivals were looked for when the plugin was announced.
  @MainActor func problems(of contributions: PluginContributions, wereCompared: Bool) -> [String] {
    var problems = wereCompared ? [] : rivals(of: contributions)
    var own: [String: LinkPattern] = [:]
    let tabs = Set(contributions.tabs.map(\.id))
    let homes = Dictionary(grouping: contributions.tabs.filter { $0.routes != nil }, by: \.routes)
    for link in contributions.links {
      for shape in link.pattern.shapes {
        guard let twin = own.updateValue(link.pattern, forKey: shape) else { continue }
        problems.append("registers the links \(twin) and \(link.pattern), which match the same URLs")
        break
      }
      if let problem = settleTab(of: link, tabs, homes) { problems.append(problem) }
    }
    return problems
  }

  /// Returns the problems with links of other plugins that take the same URLs.
  @MainActor private func rivals(of contributions: PluginContributions) -> [String] {
    contributions.links.compactMap {
      links.rival(of: $0.pattern, for: contributions.plugin) ?? links.obstacle(to: $0.pattern)
    }
  }

  /// Finds the tab that a link opens.
  @MainActor private func settleTab(
    of link: LinkRegistration, _ tabs: Set<ContributionID>, _ homes: [ObjectIdentifier?: [Registry.Tab]]
  ) -> String? {
    if let stranger = link.home.tabs.first(where: { !tabs.contains($0) }) {
      return "registers the link \(link.pattern) to the tab \(stranger), but does not register that tab"
    }
    guard link.home.tabs.isEmpty, let routes = link.routes else { return nil }
    let own = homes[routes] ?? []
    link.home.tabs = own.first.map { [$0.id] } ?? []
    switch own.count {
    case 1: return nil
    case 0:
      return "registers the link \(link.pattern) to a route, but no tab of the plugin has a stack with routes of this "
        + "type; register such a tab"
    default:
      let names = own.map(\.id.rawValue).joined(separator: ", ")
      return
        "registers the link \(link.pattern) to a route that several of the plugin's tabs have: \(names). Name one of "
        + "these tabs with the parameter 'tab', or several. With several, the link opens in the current tab if it is "
        + "one of them, and otherwise in the first"
    }
  }
}
