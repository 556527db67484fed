/// Contributing links.
extension Registrar {
  /// Contributes a link to a route of a tab's stack.
  ///
  /// ```swift
  /// registry.link("todos/:id") { (link: TodoLink) in TodosCoordinator.Route.detail(link.id) }
  /// ```
  ///
  /// - Parameters:
  ///   - pattern: the URLs it takes, without the scheme; see ``LinkPattern``.
  ///   - tab: the name of the plugin's tab it leads to, or of several that have such routes, of which the one that the
  ///     person is in is taken; by default the only one that has such routes.
  ///   - mismatch: what happens where the URL's parameters do not fit `Payload`, or `route` throws.
  ///   - route: the route, made from the URL's parameters.
  ///   - url: the parameters of a route, so that a URL can be made of it; nil for routes that this link does not
  ///     lead to.
  public func link<Payload: Codable & Sendable, Route: NavigationRoute>(
    _ pattern: String, tab: LinkTabs? = nil, onMismatch mismatch: LinkMismatch = .refuse,
    route: @escaping @MainActor (Payload) throws -> Route, url: (@MainActor (Route) -> Payload?)? = nil
  ) {
    link(
      pattern, tab, mismatch, url == nil ? nil : .routes(ObjectIdentifier(Route.self)), url
    ) { home in
      .payload { home.beginning.show(try route($0)) }
    }
  }

  /// Contributes a link to a route that is found by looking something up: the number of an entry by its name.
  ///
  /// The URL waits for `route` as for a guard: the person may go back, and what they do next takes its place. Where it
  /// takes longer than a moment the screen says so.
  ///
  /// - Parameters:
  ///   - pattern: the URLs it takes, without the scheme; see ``LinkPattern``.
  ///   - tab: as for a link that looks nothing up.
  ///   - mismatch: what happens where the URL's parameters do not fit `Payload`, or `route` throws.
  ///   - route: the route, made from the URL's parameters and what the plugin's context gives, such as a service.
  ///   - url: the parameters of a route, so that a URL can be made of it.
  public func link<Payload: Codable & Sendable, Route: NavigationRoute>(
    _ pattern: String, tab: LinkTabs? = nil, onMismatch mismatch: LinkMismatch = .refuse,
    route: @escaping @MainActor (Payload, PluginContext) async throws -> Route,
    url: (@MainActor (Route) -> Payload?)? = nil
  ) {
    link(
      pattern, tab, mismatch, url == nil ? nil : .routes(ObjectIdentifier(Route.self)), url
    ) { home in
      .lookup { home.beginning.show(try await route($0, $1)) }
    }
  }

  /// Contributes a link to one certain route.
  public func link<Route: NavigationRoute>(_ pattern: String, to route: Route, tab: LinkTabs? = nil) {
    link(pattern, tab, .refuse, .one(AnyHashable(route)), { $0 == route ? NoPayload() : nil }) { home in
      .payload { _ in home.beginning.show(route) }
    }
  }

  private func link<Payload: Codable & Sendable, Route: NavigationRoute>(
    _ pattern: String, _ tab: LinkTabs?, _ mismatch: LinkMismatch, _ target: LinkTarget?,
    _ url: (@MainActor (Route) -> Payload?)?, _ plan: (LinkHome) -> LinkBody<Payload>
  ) {
    let home = home(tab)
    contributeLink(
      pattern, mismatch, home, routes: ObjectIdentifier(Route.self), target: target, plan: plan(home),
      payloadOf: { plan in
        guard let url, plan.stepCount == 2 else { return nil }
        let steps = plan.steps
        guard case .tab(let tab) = steps[0], home.tabs.contains(tab), case .route(let route) = steps[1] else {
          return nil
        }
        return (route as? Route).flatMap(url)
      })
  }

  /// Contributes a link to a tab, as it is when it is first shown.
  public func link(_ pattern: String, toTab tab: String) {
    let id = ContributionID(plugin: plugin, name: tab)
    contributeLink(
      pattern, .refuse, LinkHome([id]), routes: nil, target: .tab(id),
      plan: .payload { (_: NoPayload) in LinkPlan(tab: id) },
      payloadOf: { $0.stepCount == 1 && $0.tab == id ? NoPayload() : nil })
  }

  /// Contributes a link to a place that this plugin registers, shown on top of what the person sees; the URL's
  /// parameters are its payload.
  ///
  /// - Parameters:
  ///   - pattern: the URLs it takes, without the scheme; see ``LinkPattern``.
  ///   - name: the name of the place.
  ///   - payload: what the parameters are read as.
  ///   - mismatch: what happens where they do not fit it.
  public func link<Payload: Codable & Sendable>(
    _ pattern: String, toPlace name: String, taking payload: Payload.Type, onMismatch mismatch: LinkMismatch = .refuse
  ) {
    let id = ContributionID(plugin: plugin, name: name)
    contributeLink(
      pattern, mismatch, LinkHome([]), routes: nil, target: .place(id),
      plan: .payload { (payload: Payload) in LinkPlan.here.show(try Place(id, with: payload)) },
      payloadOf: { $0.payload(of: id, as: Payload.self) })
  }

  /// Contributes a link that leads through several flows, those of other plugins too.
  ///
  /// - Parameters:
  ///   - pattern: the URLs it takes, without the scheme.
  ///   - mismatch: what happens where the URL's parameters do not fit `Payload`, or `plan` throws.
  ///   - plan: the steps, made from the URL's parameters.
  ///   - url: the parameters with which the link leads where a plan does; nil where it does not. See
  ///     ``LinkPlan/routes(in:_:)``.
  public func multiStepLink<Payload: Codable & Sendable>(
    _ pattern: String, onMismatch mismatch: LinkMismatch = .refuse,
    plan: @escaping @MainActor (Payload) throws -> LinkPlan, url: (@MainActor (LinkPlan) -> Payload?)? = nil
  ) {
    contributeLink(
      pattern, mismatch, LinkHome([]), routes: nil, target: url == nil ? nil : .any, plan: .payload(plan),
      payloadOf: { url?($0) })
  }

  /// Contributes a link that leads through several flows, and is found by looking something up.
  ///
  /// - Parameters:
  ///   - pattern: the URLs it takes, without the scheme.
  ///   - mismatch: what happens where the URL's parameters do not fit `Payload`, or `plan` throws.
  ///   - plan: the steps, made from the URL's parameters and what the plugin's context gives.
  ///   - url: the parameters with which the link leads where a plan does; nil where it does not.
  public func multiStepLink<Payload: Codable & Sendable>(
    _ pattern: String, onMismatch mismatch: LinkMismatch = .refuse,
    plan: @escaping @MainActor (Payload, PluginContext) async throws -> LinkPlan,
    url: (@MainActor (LinkPlan) -> Payload?)? = nil
  ) {
    contributeLink(
      pattern, mismatch, LinkHome([]), routes: nil, target: url == nil ? nil : .any, plan: .lookup(plan),
      payloadOf: { url?($0) })
  }

  /// What makes a plan of a payload.
  private enum LinkBody<Payload> {
    case payload(@MainActor (Payload) throws -> LinkPlan)
    case lookup(@MainActor (Payload, PluginContext) async throws -> LinkPlan)
  }

  private func home(_ tabs: LinkTabs?) -> LinkHome {
    LinkHome((tabs?.names ?? []).map { ContributionID(plugin: plugin, name: $0) })
  }

  private func contributeLink<Payload: Codable & Sendable>(
    _ text: String, _ mismatch: LinkMismatch, _ home: LinkHome, routes: ObjectIdentifier?, target: LinkTarget?,
    plan: LinkBody<Payload>, payloadOf: @escaping @MainActor (LinkPlan) -> Payload?
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
        values: { plan in payloadOf(plan).flatMap { try? LinkEncoder.values(of: $0, single: single) } })
      contributions.note(ContributionRecord(.link, text, type: link.payload))
      contributions.links.append(link)
    } catch {
      contributions.problems.append("registers the link '\(text)', which is no pattern: \(error)")
    }
  }
}

/// What must hold of the links of a plugin among those of the others.
struct LinkCheck {
  let links: Links

  /// What is wrong with them: rivals of equal rank, and tabs that are not there.
  ///
  /// - Parameter wereCompared: whether their rivals were looked for when the plugin was announced.
  @MainActor func problems(of contributions: PluginContributions, wereCompared: Bool) -> [String] {
    var problems = wereCompared ? [] : rivals(of: contributions)
    var own: [String: LinkPattern] = [:]
    let tabs = Set(contributions.tabs.map(\.id))
    let homes = Dictionary(grouping: contributions.tabs.filter { $0.routes != nil }, by: \.routes)
    for link in contributions.links {
      for shape in link.pattern.shapes {
        guard let twin = own.updateValue(link.pattern, forKey: shape) else { continue }
        problems.append("registers the links \(twin) and \(link.pattern), which take the same URLs")
        break
      }
      if let problem = settleTab(of: link, tabs, homes) { problems.append(problem) }
    }
    return problems
  }

  /// Links of other plugins that take the same URLs.
  @MainActor private func rivals(of contributions: PluginContributions) -> [String] {
    contributions.links.compactMap {
      links.rival(of: $0.pattern, for: contributions.plugin) ?? links.obstacle(to: $0.pattern)
    }
  }

  /// Finds the tab that a link leads to.
  @MainActor private func settleTab(
    of link: LinkRegistration, _ tabs: Set<ContributionID>, _ homes: [ObjectIdentifier?: [Registry.Tab]]
  ) -> String? {
    if let stranger = link.home.tabs.first(where: { !tabs.contains($0) }) {
      return "registers the link \(link.pattern) to the tab \(stranger), which it does not register"
    }
    guard link.home.tabs.isEmpty, let routes = link.routes else { return nil }
    let own = homes[routes] ?? []
    link.home.tabs = own.first.map { [$0.id] } ?? []
    switch own.count {
    case 1: return nil
    case 0: return "registers the link \(link.pattern) to a route, and no tab whose stack has such routes"
    default:
      let names = own.map(\.id.rawValue).joined(separator: ", ")
      return
        "registers the link \(link.pattern) to a route that several of its tabs have: \(names). Name one with tab:, or "
        + "several, of which it leads to the one that the person is in"
    }
  }
}
