import GangwayProtocol

/// A whole plan as data, so that a plan that a redirect holds up can continue in another host.
struct StoredPlan: Codable {
  /// The source of the plan.
  var source: String
  /// The URL to open.
  var url: String?
  /// The operations of a plan without a URL, in their order.
  var steps: [StoredStep] = []

  init(url: String) {
    source = NavigationRequest.Source.link.rawValue
    self.url = url
  }

  init(_ source: NavigationRequest.Source = .code, _ steps: StoredStep...) {
    self.source = source.rawValue
    self.steps = steps
  }

  init(_ source: NavigationRequest.Source = .code, steps: [StoredStep]) {
    self.source = source.rawValue
    self.steps = steps
  }
}

/// One operation of a plan, as data.
struct StoredStep: Codable {
  enum Operation: String, Codable {
    case show, append, update, place, root, set, focus, focusLast, dismissModals, popLast, pop, popToRoot, dismiss
    case select, tap, back, dismissTop
    case returnTo
    case finish, cancel, dismissFlow
    /// Finds an existing flow for the steps after it.
    case flow
    /// Marks the steps before it as impossible to undo.
    case final
  }

  var operation: Operation
  /// The id of the node whose flow changes.
  var flow: NodeID?
  /// The index of the step whose entry holds the flow, if the flow does not exist yet; from 0.
  var result: Int?
  /// The routes as JSON texts, and their version.
  var routes: [String]?
  var schema: Int?
  /// A place of another feature.
  var place: String?
  var payload: String?
  var style: String?
  var keepsStack: Bool?
  var isRecorded: Bool?
  /// The id of an entry or tab.
  var entry: NodeID?
  /// The id of the entry whose screen made the request.
  var origin: NodeID?
  /// The result of a flow, as JSON text.
  var value: String?

  init(_ operation: Operation, entry: NodeID? = nil) {
    self.operation = operation
    self.entry = entry
  }

  /// Creates an operation on routes; nil if a route does not encode.
  init?(_ operation: Operation, _ routes: [any NavigationRoute], style: PresentationStyle? = nil) {
    self.operation = operation
    var texts: [String] = []
    for route in routes {
      guard let text = try? StoredValue.encode(route) else { return nil }
      texts.append(text)
    }
    self.routes = texts
    schema = routes.first.map { type(of: $0).schema }
    self.style = style?.word
  }

  init(_ place: Place, style: PresentationStyle? = nil) {
    operation = .place
    self.place = place.id.rawValue
    payload = place.payload
    schema = place.schema
    self.style = style?.word
  }
}

extension Transaction {
  /// Carries out a stored plan.
  ///
  /// - Parameters:
  ///   - plan: the plan.
  ///   - answer: the answer of a tab's coordinator to a tap, once it was called.
  func carryOut(_ plan: StoredPlan, _ answer: inout RepeatedTap?) throws {
    var entries: [Node?] = []
    for step in plan.steps { entries.append(try carryOut(step, entries, &answer)) }
  }

  private func carryOut(_ step: StoredStep, _ entries: [Node?], _ answer: inout RepeatedTap?) throws -> Node? {
    switch step.operation {
    case .back:
      try goBack()
      return nil
    case .dismissTop:
      try dismissModal()
      return nil
    case .final:
      isFinal = true
      return nil
    case .returnTo:
      guard let origin = step.entry.flatMap({ table.nodes[$0] }), let place = step.place else {
        throw NavigationError(.routerNotShown(coordinator: "flow"))
      }
      try returnTo(ContributionID(place), step.value ?? "{}", from: origin)
      return nil
    case .select, .tap:
      guard let tab = step.entry.flatMap({ table.nodes[$0] }) else {
        throw NavigationError(.tabGone(title: step.entry.map { "number \($0)" } ?? "without a number"))
      }
      if step.operation == .tap {
        try tap(tab, &answer)
      } else {
        perform(.select(tab))
        try select(tab, origin: nil)
      }
      return tab
    default: break
    }
    let there =
      step.flow.flatMap { table.nodes[$0] } ?? step.result.flatMap { entries.indices.contains($0) ? entries[$0] : nil }
    guard let node = there else { throw NavigationError(.routerNotShown(coordinator: "flow")) }
    switch step.operation {
    case .flow: return node
    case .finish: try finish(node, step.value)
    case .cancel: try removeFlow(node, .cancel, .cancelled(.cancelled), asksItself: false)
    case .dismissFlow: try removeFlow(node, .dismissFlow, .cancelled(.popped), asksItself: true)
    case .popLast: _ = try popLast(node)
    case .pop: try pop(step.entry.flatMap { table.nodes[$0] }, in: node)
    case .popToRoot: try popToRoot(node, origin: nil)
    case .dismissModals: try dismissModals(over: node)
    case .dismiss: try dismiss(from: node, entry: step.entry.flatMap { table.nodes[$0] })
    case .focus:
      guard let entry = step.entry.flatMap({ table.nodes[$0] }) else { fallthrough }
      return try focus(entry, origin: nil)
    default:
      guard let stack = node.stack else { throw NavigationError(.notInStack(title: node.title)) }
      return try carryOut(step, in: stack, at: node)
    }
    return nil
  }

  private func carryOut<C: StackCoordinator>(_ step: StoredStep, in stack: C, at node: Node) throws -> Node? {
    let origin = step.origin.flatMap { table.nodes[$0] }
    let style = step.style.map(PresentationStyle.init(word:))
    if let place = step.place {
      let place = Place(id: ContributionID(place), payload: step.payload ?? "{}", schema: step.schema ?? 0)
      return try show(place, at: node, ShowOptions(style: style, origin: origin))
    }
    let routes = try (step.routes ?? []).map {
      try StoredRoute.decode(C.Route.self, from: $0, schema: step.schema ?? 1)
    }
    switch step.operation {
    case .set:
      try set(routes, in: stack, at: node, origin: origin)
      return nil
    case .append: return try append(routes, in: stack, at: node, origin: origin)
    default: break
    }
    guard let route = routes.first else { return nil }
    switch step.operation {
    case .root: return try root(route, in: stack, at: node, origin: origin, keepsStack: step.keepsStack ?? false)
    case .focus, .focusLast:
      return try focus(in: stack, at: node, origin: origin, last: step.operation == .focusLast, "\(route)") {
        $0 == route
      }
    case .update:
      try update(
        route, in: stack, at: node, entry: step.entry.flatMap { table.nodes[$0] }, isRecorded: step.isRecorded ?? false)
      return nil
    default:
      return try show(route, in: stack, at: node, ShowOptions(style: style, origin: origin))
    }
  }

  /// Ends a flow with a stored value.
  private func finish(_ node: Node, _ text: String?) throws {
    guard let coordinator = node.coordinator else { throw NavigationError(.routerNotShown(coordinator: node.title)) }
    try removeFlow(node, .finish, .finished(try Self.output(of: coordinator, text)), asksItself: false)
  }

  private static func output<C: Coordinator>(of coordinator: C, _ text: String?) throws -> any Sendable {
    guard let text else { return () }
    guard let type = C.Output.self as? any Decodable.Type, let value = try decode(type, text) as? C.Output else {
      throw NavigationError(.unexpectedResult(found: text, wanted: "\(C.Output.self)"))
    }
    return value
  }

  private static func decode<Value: Decodable>(_ type: Value.Type, _ text: String) throws -> Any {
    try StoredValue.decode(type, from: text)
  }
}
