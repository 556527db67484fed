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
  ///   - tab: the name of the plugin's tab it leads to; by default the only one that has such routes.
  ///   - route: the route, made from the URL's parameters.
  ///   - url: the parameters of a route, so that a URL can be made of it; nil for routes that this link does not
  ///     lead to.
  public func link<Payload: Codable & Sendable, Route: NavigationRoute>(
    _ pattern: String, tab: String? = nil, route: @escaping @MainActor (Payload) throws -> Route,
    url: (@MainActor (Route) -> Payload?)? = nil
  ) {
    link(pattern, tab, url == nil ? nil : .routes(ObjectIdentifier(Route.self)), route, url)
  }

  /// Contributes a link to one certain route.
  public func link<Route: NavigationRoute>(_ pattern: String, to route: Route, tab: String? = nil) {
    link(pattern, tab, .one(AnyHashable(route)), { (_: NoPayload) in route }, { $0 == route ? NoPayload() : nil })
  }

  private func link<Payload: Codable & Sendable, Route: NavigationRoute>(
    _ pattern: String, _ tab: String?, _ target: LinkTarget?, _ route: @escaping @MainActor (Payload) throws -> Route,
    _ url: (@MainActor (Route) -> Payload?)?
  ) {
    contributeLink(
      pattern, payload: Payload.self, tab: tab, routes: ObjectIdentifier(Route.self), target: target,
      plan: { payload, tab in LinkPlan(tab: tab).show(try route(payload)) },
      payloadOf: { plan, tab in
        guard let url, plan.stepCount == 2 else { return nil }
        let steps = plan.steps
        guard case .tab(tab) = steps[0], case .route(let last) = steps[1], let last = last as? Route else { return nil }
        return url(last)
      })
  }

  /// Contributes a link to a tab, as it is when it is first shown.
  public func link(_ pattern: String, toTab tab: String) {
    contributeLink(
      pattern, payload: NoPayload.self, tab: tab, routes: nil,
      target: .tab(ContributionID(plugin: plugin, name: tab)),
      plan: { _, tab in LinkPlan(tab: tab) },
      payloadOf: { plan, tab in
        guard plan.stepCount == 1, case .tab(tab) = plan.steps[0] else { return nil }
        return NoPayload()
      })
  }

  /// Contributes a link to a place that this plugin registers, shown on top of what the person sees; the URL's
  /// parameters are its payload.
  public func link<Payload: Codable & Sendable>(_ pattern: String, toPlace name: String, taking payload: Payload.Type) {
    let id = ContributionID(plugin: plugin, name: name)
    contributeLink(
      pattern, payload: Payload.self, tab: nil, routes: nil, target: .place(id),
      plan: { payload, _ in LinkPlan.here.show(try Place(id, with: payload)) },
      payloadOf: { plan, _ in
        guard plan.startsHere, plan.stepCount == 1, case .place(let place) = plan.steps[0], place.id == id else {
          return nil
        }
        return try? StoredValue.decode(Payload.self, from: place.payload)
      })
  }

  /// Contributes a link that leads through several flows, those of other plugins too.
  ///
  /// - Parameters:
  ///   - pattern: the URLs it takes, without the scheme.
  ///   - plan: the steps, made from the URL's parameters.
  ///   - url: the parameters with which the link leads where a plan does; nil where it does not.
  public func multiStepLink<Payload: Codable & Sendable>(
    _ pattern: String, plan: @escaping @MainActor (Payload) throws -> LinkPlan,
    url: (@MainActor (LinkPlan) -> Payload?)? = nil
  ) {
    contributeLink(
      pattern, payload: Payload.self, tab: nil, routes: nil, target: url == nil ? nil : .any,
      plan: { payload, _ in try plan(payload) },
      payloadOf: { plan, _ in url?(plan) })
  }

  private func contributeLink<Payload: Codable & Sendable>(
    _ text: String, payload: Payload.Type, tab: String?, routes: ObjectIdentifier?, target: LinkTarget?,
    plan: @escaping @MainActor (Payload, _ tab: ContributionID) throws -> LinkPlan,
    payloadOf: @escaping @MainActor (LinkPlan, _ tab: ContributionID) -> Payload?
  ) {
    guard let contributions = open("the link \(text)") else { return }
    do {
      let pattern = try LinkPattern(text)
      let single = pattern.parameters.count == 1 ? pattern.parameters.first : nil
      let home = LinkHome(tab.map { ContributionID(plugin: plugin, name: $0) })
      let link = LinkRegistration(
        pattern: pattern, plugin: plugin, payload: TypeName.of(Payload.self), routes: routes, home: home,
        target: target,
        plan: { try plan(LinkDecoder.decode(Payload.self, from: $0), home.tab ?? "") },
        values: { plan in
          payloadOf(plan, home.tab ?? "").flatMap { try? LinkEncoder.values(of: $0, single: single) }
        })
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
    if let tab = link.home.tab {
      return tabs.contains(tab)
        ? nil : "registers the link \(link.pattern) to the tab \(tab), which it does not register"
    }
    guard let routes = link.routes else { return nil }
    let own = homes[routes] ?? []
    link.home.tab = own.first?.id
    switch own.count {
    case 1: return nil
    case 0: return "registers the link \(link.pattern) to a route, and no tab whose stack has such routes"
    default:
      let names = own.map(\.id.rawValue).joined(separator: ", ")
      return "registers the link \(link.pattern) to a route that several of its tabs have: \(names). Name one with tab:"
    }
  }
}
