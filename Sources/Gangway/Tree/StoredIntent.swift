import GangwayProtocol

/// A navigation as data: what a redirect held up, so that it can go on in another host.
struct StoredIntent: Codable {
  /// A URL to open.
  var url: String?
  /// The node of the coordinator whose route it is, with the route and its schema.
  var node: NodeID?
  var route: String?
  var schema: Int?
  /// A place of another feature.
  var place: String?
  var payload: String?
  /// A tab to select.
  var tab: NodeID?

  init(url: String) { self.url = url }
  init(tab: Node) { self.tab = tab.id }

  init?(_ route: RouteValue, in node: Node) {
    self.node = node.id
    switch route {
    case .route(let value):
      guard let text = try? StoredValue.encode(value) else { return nil }
      self.route = text
      schema = type(of: value).schema
    case .place(let value): (place, payload) = (value.id, value.payload)
    case .encoded(let text, let version): (self.route, schema) = (text, version)
    }
  }
}

extension NavigationTree {
  /// Carries out a navigation that a redirect held up in an earlier host.
  func resume(_ intent: StoredIntent) async throws {
    if let url = intent.url { return try await open(url, Intent(source: .link)) }
    if let tab = intent.tab.flatMap({ nodes[$0] }) {
      return try await carryOut { try self.select(tab, origin: nil, $0) }
    }
    guard let node = intent.node.flatMap({ nodes[$0] }), let stack = node.stack else { return }
    if let place = intent.place {
      let place = Place(id: place, payload: intent.payload ?? "{}")
      _ = try await carryOut { try self.show(place, at: node, ShowOptions(), $0) }
    } else if let route = intent.route {
      try await resume(route, intent.schema ?? 1, stack, node)
    }
  }

  private func resume<C: StackCoordinator>(_ text: String, _ schema: Int, _ coordinator: C, _ node: Node) async throws {
    let route = try StoredRoute.decode(C.Route.self, from: text, schema: schema)
    _ = try await carryOut { try self.show(route, in: coordinator, at: node, ShowOptions(), $0) }
  }
}
