@_spi(FrontEnd) import GangwayProtocol

/// Contributions of flows: tabs, places and guards.
extension Registrar {
  /// Contributes a tab.
  ///
  /// - Parameters:
  ///   - name: the name of the tab within the plugin, `[a-z][a-z0-9-]*`.
  ///   - title: the title for the user.
  ///   - symbol: one or two characters before the title.
  ///   - order: the number to sort tabs by, before their id; the host's configuration may override it.
  ///   - group: the title of the tab's group.
  ///   - isShown: whether the tab is on the bar from the start; ``PluginContext/showTab(_:)`` puts it there later.
  ///   - guards: returns the guards of the tab, given the plugin's context in the session that runs them.
  ///   - label: returns the present label of the tab, once the plugin is loaded. It is read under observation tracking,
  ///     so the badge, title and symbol follow their sources, such as a service's count. Nil means that the label is
  ///     not known yet, and the last one stays. The last label is stored, so it is there before the plugin is loaded,
  ///     and after a crash.
  ///   - preload: when to load the plugin before its tab is shown; nil for never. See ``TabPreload/badge``.
  ///   - make: creates the tab's coordinator in a session, when the tab is first shown.
  public func tab<C: Coordinator>(
    _ name: String, title: String, symbol: String? = nil, order: Int = 100, group: String? = nil,
    isShown: Bool = true, guards: (@MainActor (PluginContext) -> [NavigationGuard])? = nil,
    label: (@MainActor (PluginContext) -> TabLabel?)? = nil, preload: TabPreload? = nil,
    make: @escaping @MainActor (PluginContext) throws -> C
  ) {
    contributeTab(name, title, symbol, order, group, isShown, guards, label, preload, routes: nil) { try make($0) }
  }

  /// Contributes a tab that holds a stack, whose routes links can open.
  public func tab<C: StackCoordinator>(
    _ name: String, title: String, symbol: String? = nil, order: Int = 100, group: String? = nil,
    isShown: Bool = true, guards: (@MainActor (PluginContext) -> [NavigationGuard])? = nil,
    label: (@MainActor (PluginContext) -> TabLabel?)? = nil, preload: TabPreload? = nil,
    make: @escaping @MainActor (PluginContext) throws -> C
  ) {
    contributeTab(
      name, title, symbol, order, group, isShown, guards, label, preload, routes: ObjectIdentifier(C.Route.self)
    ) { try make($0) }
  }

  private func contributeTab(
    _ name: String, _ title: String, _ symbol: String?, _ order: Int, _ group: String?, _ isShown: Bool,
    _ guards: (@MainActor (PluginContext) -> [NavigationGuard])?,
    _ label: (@MainActor (PluginContext) -> TabLabel?)?, _ preload: TabPreload?, routes: ObjectIdentifier?,
    make: @escaping @MainActor (PluginContext) throws -> any Coordinator
  ) {
    contribute(.tab, name) { id in
      ContributionRecord(
        .tab, id.rawValue,
        [
          .title: title, .symbol: symbol, .order: "\(order)", .group: group, .isHidden: isShown ? nil : "true",
          .hasStack: routes == nil ? nil : "true", .guards: guards == nil ? nil : "true",
          .preload: preload == nil ? nil : "badge",
        ])
    } _: { contributions, id, rival in
      if let rival {
        contributions.problems.append("registers the tab \(id) twice, as '\(rival[.title] ?? "")' and '\(title)'")
      }
      contributions.tabs.append(
        Registry.Tab(
          id: id, plugin: plugin, title: title, symbol: symbol, order: order, group: group, isShown: isShown,
          guards: guards ?? { _ in [] }, label: label, preload: preload, routes: routes,
          make: make))
    }
  }

  /// Contributes a flow that other features show as the place `plugin.name`, with a payload.
  ///
  /// - Parameters:
  ///   - name: the name of the place within the plugin, `[a-z][a-z0-9-]*`.
  ///   - schema: the version of the payload's encoding, from 1.
  ///   - migrate: converts a payload that another version stored.
  ///   - guards: returns the guards of the place, given the plugin's context in the session that runs them.
  ///   - samples: payloads for checks: `gangway validate` shows the place with each of them.
  ///   - make: creates the coordinator in a session from the payload.
  public func place<Payload: Codable & Sendable, C: Coordinator>(
    _ name: String, schema: Int = 1, migrate: (@MainActor (StoredForm, Int) throws -> Payload)? = nil,
    guards: (@MainActor (PluginContext) -> [NavigationGuard])? = nil, samples: [Payload] = [],
    make: @escaping @MainActor (Payload) throws -> C
  ) {
    place(name, schema: schema, migrate: migrate, guards: guards, samples: samples) {
      (payload: Payload, _: PluginContext) in
      try make(payload)
    }
  }

  /// Contributes a flow that other features show, whose maker also takes the plugin's context.
  public func place<Payload: Codable & Sendable, C: Coordinator>(
    _ name: String, schema: Int = 1, migrate: (@MainActor (StoredForm, Int) throws -> Payload)? = nil,
    guards: (@MainActor (PluginContext) -> [NavigationGuard])? = nil, samples: [Payload] = [],
    make: @escaping @MainActor (Payload, PluginContext) throws -> C
  ) {
    contribute(.place, name) { id in
      ContributionRecord(
        .place, id.rawValue, type: TypeName.of(Payload.self),
        [.schema: schema == 1 ? nil : "\(schema)", .guards: guards == nil ? nil : "true"])
    } _: { contributions, id, rival in
      if rival != nil { contributions.problems.append("registers the place \(id) twice") }
      contributions.places.append(
        PlaceRegistration(
          id, plugin, schema: schema, guards: guards, migrate: migrate, samples: samples, make: make))
    }
  }

  /// Contributes a guard that runs before every navigation in the whole application.
  ///
  /// - Parameters:
  ///   - name: the name of the guard in errors.
  ///   - order: the number to sort guards by, before plugin and name.
  ///   - timeout: the longest time for an answer before the navigation is refused; nil stands for no limit, as when the
  ///     user must answer.
  ///   - decide: returns the verdict.
  public func `guard`(
    _ name: String, order: Int = 100, timeout: Duration? = .seconds(10),
    decide: @escaping @MainActor (NavigationRequest) async throws -> GuardVerdict
  ) {
    self.guard(name, order: order, timeout: timeout) { request, _ in try await decide(request) }
  }

  /// Contributes a guard of the application that needs the plugin's context, such as services of the session that runs
  /// it.
  public func `guard`(
    _ name: String, order: Int = 100, timeout: Duration? = .seconds(10),
    decide: @escaping @MainActor (NavigationRequest, PluginContext) async throws -> GuardVerdict
  ) {
    contribute(.guard, name) { _ in
      ContributionRecord(.guard, name, [.order: "\(order)"])
    } _: { contributions, _, rival in
      if rival != nil { contributions.problems.append("registers the guard '\(name)' twice") }
      contributions.guards.append(
        GuardRegistration(plugin: plugin, order: order, name: name) { context in
          NavigationGuard(name, timeout: timeout) { try await decide($0, context) }
        })
    }
  }

  /// Contributes code that receives every commit of a session: for analytics, logs, titles.
  ///
  /// The first commit, `start`, describes the present state. Each later commit comes after the observer has handled the
  /// previous commit, and after the user sees its effect. So a slow observer delays nothing. If an observer is 256
  /// commits behind, it misses some, and the commit numbers show the gap. An observer's errors are logged.
  ///
  /// If nothing else needs the plugin earlier, it is loaded soon after the session has begun.
  ///
  /// - Parameters:
  ///   - name: the name of the observer in the log.
  ///   - tell: receives a commit, and the plugin's context in its session.
  public func observe(
    _ name: String, tell: @escaping @MainActor (NavigationCommit, PluginContext) async throws -> Void
  ) {
    contribute(.observer, name) { _ in
      ContributionRecord(.observer, name)
    } _: { contributions, _, rival in
      if rival != nil { contributions.problems.append("registers the observer '\(name)' twice") }
      contributions.observers.append(ObserverRegistration(plugin: plugin, name: name, tell: tell))
    }
  }
}

extension PlaceRegistration {
  @MainActor init<Payload: Codable & Sendable, C: Coordinator>(
    _ id: ContributionID, _ plugin: PluginID, schema: Int = 1,
    guards: (@MainActor (PluginContext) -> [NavigationGuard])? = nil,
    migrate: (@MainActor (StoredForm, Int) throws -> Payload)? = nil, samples: [Payload] = [],
    make: @escaping @MainActor (Payload, PluginContext) throws -> C
  ) {
    let decode: @MainActor (Place) throws -> Payload = { place in
      guard place.schema != 0, place.schema != schema else {
        return try StoredValue.decode(Payload.self, from: place.payload)
      }
      guard let migrate else { throw NoMigration(type: "\(id)", from: place.schema, to: schema) }
      return try migrate(StoredForm(json: place.payload, schema: place.schema), place.schema)
    }
    self.init(
      id: id, plugin: plugin, payload: TypeName.of(Payload.self), schema: schema, guards: guards ?? { _ in [] },
      check: { _ = try decode($0) }, output: C.Output.self == Void.self ? nil : TypeName.of(C.Output.self),
      exampleResult: { try ResultExample.make(C.Output.self, like: $0, invents: $1) },
      samples: {
        if let none = NoPayload() as? Payload { return [try Place(id, with: none)] }
        return try samples.map { try Place(id, with: $0) }
      },
      make: { place, context in
        let payload: Payload
        do {
          payload = try decode(place)
        } catch {
          throw NavigationError(
            .payloadMismatch(
              place: id, taking: TypeName.of(Payload.self), given: place.payload, why: StoredRoute.brief(error)))
        }
        return try make(payload, context)
      })
  }
}
