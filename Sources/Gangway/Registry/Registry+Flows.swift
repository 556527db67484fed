/// Contributing flows: tabs, places and guards.
extension Registry {
  /// Contributes a tab.
  ///
  /// - Parameters:
  ///   - name: names the tab within the plugin, `[a-z][a-z0-9-]*`.
  ///   - title: what the person reads.
  ///   - symbol: a character or two to stand before the title.
  ///   - order: tabs are sorted by it, then by id; the host's configuration may place them otherwise.
  ///   - group: the title of the group it stands in.
  ///   - isShown: whether it is on the bar from the start; ``PluginContext/showTab(_:)`` brings it there later.
  ///   - guards: who is asked before it is shown.
  ///   - make: makes the tab's coordinator in a session, when the tab is first shown.
  public func tab<C: Coordinator>(
    _ name: String, title: String, symbol: String? = nil, order: Int = 100, group: String? = nil,
    isShown: Bool = true, guards: [NavigationGuard] = [], make: @escaping @MainActor (PluginContext) throws -> C
  ) {
    contributeTab(name, title, symbol, order, group, isShown, guards, routes: nil) { try make($0) }
  }

  /// Contributes a tab that holds a stack, whose routes links can lead to.
  public func tab<C: StackCoordinator>(
    _ name: String, title: String, symbol: String? = nil, order: Int = 100, group: String? = nil,
    isShown: Bool = true, guards: [NavigationGuard] = [], make: @escaping @MainActor (PluginContext) throws -> C
  ) {
    contributeTab(name, title, symbol, order, group, isShown, guards, routes: ObjectIdentifier(C.Route.self)) {
      try make($0)
    }
  }

  private func contributeTab(
    _ name: String, _ title: String, _ symbol: String?, _ order: Int, _ group: String?, _ isShown: Bool,
    _ guards: [NavigationGuard], routes: ObjectIdentifier?,
    make: @escaping @MainActor (PluginContext) throws -> any Coordinator
  ) {
    contribute("tab", name) { draft, id in
      if let rival = draft.tabs.first(where: { $0.id == id }) {
        draft.problems.append("registers the tab \(id) twice, as '\(rival.title)' and '\(title)'")
      }
      draft.tabs.append(
        Tab(
          id: id, plugin: draft.plugin, title: title, symbol: symbol, order: order, group: group, isShown: isShown,
          guards: guards, routes: routes, make: make))
    }
  }

  /// Contributes a coordinator that other features show as the place `plugin.name`, with a payload.
  ///
  /// - Parameters:
  ///   - name: names the place within the plugin, `[a-z][a-z0-9-]*`.
  ///   - schema: the version of the payload's encoding, from 1.
  ///   - guards: who is asked before it is shown.
  ///   - migrate: makes a payload of one that was stored in another version.
  ///   - make: makes the coordinator in a session from the payload.
  public func coordinator<Payload: Codable & Sendable, C: Coordinator>(
    _ name: String, schema: Int = 1, guards: [NavigationGuard] = [],
    migrate: (@MainActor (StoredForm, Int) throws -> Payload)? = nil,
    make: @escaping @MainActor (Payload) throws -> C
  ) {
    coordinator(name, schema: schema, guards: guards, migrate: migrate) { (payload: Payload, _: PluginContext) in
      try make(payload)
    }
  }

  /// Contributes a coordinator whose maker also takes the plugin's context.
  public func coordinator<Payload: Codable & Sendable, C: Coordinator>(
    _ name: String, schema: Int = 1, guards: [NavigationGuard] = [],
    migrate: (@MainActor (StoredForm, Int) throws -> Payload)? = nil,
    make: @escaping @MainActor (Payload, PluginContext) throws -> C
  ) {
    contribute("coordinator", name) { draft, id in
      if !draft.names.insert("coordinator \(id)").inserted {
        draft.problems.append("registers the coordinator \(id) twice")
      }
      draft.places.append(
        Self.place(id, draft.plugin, schema: schema, guards: guards, migrate: migrate, make: make))
    }
  }

  static func place<Payload: Codable & Sendable, C: Coordinator>(
    _ id: String, _ plugin: String, schema: Int = 1, guards: [NavigationGuard] = [],
    migrate: (@MainActor (StoredForm, Int) throws -> Payload)? = nil,
    make: @escaping @MainActor (Payload, PluginContext) throws -> C
  ) -> PlaceRegistration {
    let decode: @MainActor (Place) throws -> Payload = { place in
      guard place.schema != 0, place.schema != schema else {
        return try StoredValue.decode(Payload.self, from: place.payload)
      }
      guard let migrate else { throw NoMigration(type: "\(id)", from: place.schema, to: schema) }
      return try migrate(StoredForm(json: place.payload), place.schema)
    }
    return PlaceRegistration(
      id: id, plugin: plugin, payload: TypeName.of(Payload.self), schema: schema, guards: guards,
      check: { _ = try decode($0) },
      make: { place, context in
        let payload: Payload
        do {
          payload = try decode(place)
        } catch {
          throw NavigationError(
            .payload, "\(id) takes \(Payload.self), and was given \(place.payload): \(StoredRoute.brief(error)).")
        }
        return try make(payload, context)
      })
  }

  /// Contributes a guard that is asked before every navigation in the whole application.
  ///
  /// - Parameters:
  ///   - name: names the guard in errors.
  ///   - order: guards are asked in its order, then by plugin and name.
  ///   - timeout: how long an answer may take before the navigation is refused; nil stands for as long as a person
  ///     needs.
  ///   - decide: gives the verdict.
  public func `guard`(
    _ name: String, order: Int = 100, timeout: Duration? = .seconds(10),
    decide: @escaping @MainActor (NavigationRequest) async throws -> GuardVerdict
  ) {
    contribute("guard", name) { draft, _ in
      if draft.guards.contains(where: { $0.guard.name == name }) {
        draft.problems.append("registers the guard '\(name)' twice")
      }
      draft.guards.append(
        GuardRegistration(
          plugin: draft.plugin, order: order, guard: NavigationGuard(name, timeout: timeout, decide: decide)))
    }
  }
}
