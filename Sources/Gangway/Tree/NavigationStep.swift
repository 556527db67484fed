@_spi(FrontEnd) import GangwayProtocol

/// One navigation operation as a value.
///
/// `Transaction.apply(_:at:from:_:)` carries it out. Its coding is the stored plan. Its description is the name of the
/// operation in the history and in errors.
enum NavigationStep: Codable {
  // In the stack of a flow.
  /// Shows a route of the flow, or a place of another feature.
  case show(target: RouteValue, style: StoredStyle?)
  /// Shows routes one after the other, each over the one before.
  case append(routes: [RouteValue])
  /// Makes the stack hold exactly these routes.
  case set(routes: [RouteValue])
  /// Replaces the first entry of the stack.
  case root(route: RouteValue, keepsStack: Bool)
  /// Gives an entry another payload of the same case.
  case update(route: RouteValue, isRecorded: Bool)
  /// Makes the first or the last matching entry the top of the stack.
  case focus(entry: EntryMatch, isLast: Bool)
  case popLast, pop, popToRoot

  // Over a flow, and around it.
  case dismiss, dismissModals
  case select(tab: TabMatch)
  case returnTo(id: String, value: String)
  case finish(result: FlowResult)
  case fail(error: FlowError)
  case cancel, dismissFlow

  // In a plan.
  /// Finds an existing flow for the steps after it.
  case enter(flow: FlowMatch)
  /// Marks the plan as impossible to undo.
  case preventUndo

  // Of the user.
  case back, dismissTopModal
  case backTo(node: NodeID)
  case tap(tab: TabMatch)

  /// The step for errors and history, such as `show detail(1)`.
  @MainActor var description: String {
    switch self {
    case .show(let target, _): "show \(target.description)"
    case .append(let routes): "append \(routes.count) \(routes.count == 1 ? "route" : "routes")"
    case .set(let routes): "set \(routes.count) \(routes.count == 1 ? "route" : "routes")"
    case .root(let route, _): "root \(route.description)"
    case .update(let route, _): "update \(route.description)"
    case .focus(.route(let route), _): "focus \(route.description)"
    case .focus: "focus"
    case .popLast, .pop: "pop"
    case .popToRoot: "popToRoot"
    case .dismiss, .dismissTopModal: "dismiss"
    case .dismissModals: "dismissModals"
    case .select(let tab), .tap(let tab): "select '\(tab.description)'"
    case .returnTo(let id, _): "return to \(id)"
    case .finish: "finish"
    case .fail, .cancel: "cancel"
    case .dismissFlow: "dismissFlow"
    case .enter, .preventUndo: "change"
    case .back, .backTo: "back"
    }
  }

  /// Removes the values of features, because the history may outlive them.
  mutating func forgetFeatureValues() {
    switch self {
    case .focus(.condition, let isLast): self = .focus(entry: .entry(0), isLast: isLast)
    case .finish: self = .finish(result: FlowResult(text: nil))
    case .fail: self = .cancel
    default: break
    }
  }
}

/// The effects of a step that live only as long as this host.
struct StepContext {
  /// Whether the step changes the origin's own flow, so that `pop`, `update` and `dismiss` act on the origin.
  var isOwnFlow = true
  var onDismiss: (@MainActor () async throws -> Void)?
  var awaiter: (@MainActor (Completion.Outcome) -> Void)?
  /// The plan that continues when the shown flow has finished, as JSON text.
  var parkedPlan: String?
  /// The answer of a tab's coordinator to a tap.
  var tapAnswer: TapAnswer?

  /// Returns the entry that the step acts on; nil for the top one.
  fileprivate func entry(_ origin: Node?) -> Node? { isOwnFlow ? origin : nil }
}

/// The answer of a tab's coordinator to a tap: the coordinator is called once, however often the plan is tried.
@MainActor final class TapAnswer {
  var value: RepeatedTap?
}

/// The interpreter of steps, for plans of this host and for stored plans.
extension Transaction {
  /// Carries out a step.
  ///
  /// - Parameters:
  ///   - step: the step.
  ///   - node: the node of the flow to change.
  ///   - origin: the entry whose screen made the request; nil for code outside any screen.
  ///   - context: the effects of the step.
  /// - Returns: the entry that the step shows or finds; for `popLast`, the removed entry.
  @discardableResult func apply(
    _ step: NavigationStep, at node: Node, from origin: Node? = nil, _ context: StepContext = StepContext()
  ) throws -> Node? {
    switch step {
    case .show, .append, .set, .root, .update, .focus:
      guard let stack = node.stack else { throw NavigationError(.notInStack(title: node.title)) }
      return try apply(step, in: stack, at: node, origin, context)
    case .popLast:
      perform(step)
      return try popLast(node)
    case .pop:
      perform(step)
      if let entry = context.entry(origin) ?? node.children.last { try removeEntry(entry, .cancelled(.popped)) }
    case .popToRoot:
      perform(step)
      try popToRoot(node, origin: origin)
    case .dismiss:
      perform(step)
      try dismiss(from: node, entry: context.entry(origin))
    case .dismissModals:
      perform(step)
      try dismissModals(over: node)
    case .select(let match):
      let tab = try tab(match, of: node)
      perform(.select(tab: .node(tab)))
      try select(tab, origin: origin)
      return tab
    case .tap(let match):
      let tab = try tab(match, of: node)
      perform(.tap(tab: .node(tab)))
      try tap(tab, context.tapAnswer ?? TapAnswer())
      return tab
    case .returnTo(let id, let value):
      perform(step)
      try returnTo(ContributionID(id), value, from: context.entry(origin) ?? node.children.last ?? node)
    case .finish, .fail, .cancel, .dismissFlow:
      perform(step)
      let asksItself = if case .dismissFlow = step { true } else { false }
      try removeFlow(node, try outcome(of: step, node), asksItself: asksItself)
    case .enter(let flow):
      if let find = flow.find { return try find(node) }
      guard let found = flow.id.flatMap({ table.nodes[$0] }) else {
        throw NavigationError(.routerNotShown(coordinator: "flow"))
      }
      return found
    case .preventUndo: isFinal = true
    case .back:
      perform(step)
      try goBack()
    case .backTo(let id):
      perform(step)
      try goBack(to: id)
    case .dismissTopModal:
      perform(step)
      try dismissTopModal()
    }
    return nil
  }

  private func apply<C: StackCoordinator>(
    _ step: NavigationStep, in stack: C, at node: Node, _ origin: Node?, _ context: StepContext
  ) throws -> Node? {
    switch step {
    case .show(let target, let style):
      var options = ShowOptions(style: style?.style, origin: origin, onDismiss: context.onDismiss)
      if let awaiter = context.awaiter { options.awaiter = awaiter }
      if let plan = context.parkedPlan { options.parkedPlan = plan }
      if case .place(let place) = target {
        perform(step)
        return try show(place, at: node, options)
      }
      return try show(try target.resolved(as: C.Route.self), in: stack, at: node, options)
    case .append(let routes):
      return try append(routes.map { try $0.resolved(as: C.Route.self) }, in: stack, at: node, origin: origin)
    case .set(let routes):
      perform(step)
      try set(routes.map { try $0.resolved(as: C.Route.self) }, in: stack, at: node, origin: origin)
      return nil
    case .root(let target, let keepsStack):
      let route = try target.resolved(as: C.Route.self)
      perform(.root(route: .route(route), keepsStack: keepsStack))
      return try root(route, in: stack, at: node, origin: origin, keepsStack: keepsStack)
    case .update(let target, let isRecorded):
      let route = try target.resolved(as: C.Route.self)
      perform(.update(route: .route(route), isRecorded: isRecorded))
      try update(route, in: stack, at: node, entry: context.entry(origin), isRecorded: isRecorded)
      return nil
    case .focus(let match, let isLast):
      switch match {
      case .route(let target):
        let route = try target.resolved(as: C.Route.self)
        perform(.focus(entry: .route(.route(route)), isLast: isLast))
        return try focus(at: node, origin: origin, isLast: isLast, of: C.self, "\(route)") {
          $0.routeValue.map { route.isEqual(toAny: $0) } == true
        }
      case .condition(let matches, _):
        perform(step)
        return try focus(
          at: node, origin: origin, isLast: isLast, of: C.self, "A matching entry", where: matches)
      case .entry(let id):
        perform(step)
        return try focus(at: node, origin: origin, isLast: isLast, of: C.self, "Entry number \(id)") { $0.id == id }
      }
    case .popLast, .pop, .popToRoot, .dismiss, .dismissModals, .select, .tap, .returnTo, .finish, .fail, .cancel,
      .dismissFlow, .enter, .preventUndo, .back, .backTo, .dismissTopModal:
      preconditionFailure("The caller carries out steps that need no stack.")
    }
  }

  private func tab(_ match: TabMatch, of node: Node) throws -> Node {
    switch match {
    case .node(let tab): return tab
    case .id(let id):
      guard let tab = table.nodes[id] else { throw NavigationError(.tabGone(title: "number \(id)")) }
      return tab
    case .tab(let value):
      guard case .flow(.tabs(let coordinator)) = node.phase else {
        throw NavigationError(.notATab(title: node.title))
      }
      return try tab(value, of: node, coordinator)
    }
  }

  private func tab<C: TabCoordinator>(_ value: RouteValue, of node: Node, _ coordinator: C) throws -> Node {
    let tab = try value.resolved(as: C.Tab.self)
    if let match = node.tab(tab) { return match }
    let names = node.children.filter { !$0.isParked }.map { "'\($0.title)'" }.joined(separator: ", ")
    throw NavigationError(.unknownTab(coordinator: "\(C.self)", tab: "\(tab)", known: names))
  }

  private func outcome(of step: NavigationStep, _ node: Node) throws -> Completion.Outcome {
    switch step {
    case .finish(let result):
      if case .hosted = node.phase { return .finished(result.hosted) }
      guard let coordinator = node.coordinator else {
        throw NavigationError(.routerNotShown(coordinator: node.title))
      }
      return .finished(try result.output(of: coordinator))
    case .fail(let failure): return failure.error.map { .failed($0) } ?? .cancelled(.cancelled)
    case .dismissFlow: return .cancelled(.popped)
    default: return .cancelled(.cancelled)
    }
  }

  /// Carries out the steps of a plan.
  ///
  /// - Parameters:
  ///   - plan: the plan.
  ///   - own: the node of the plan's flow; nil to find it by its id.
  ///   - origin: the entry whose screen made the request; nil to find it by its id.
  ///   - checks: checks the entry of each step; they live only as long as this host.
  ///   - tapAnswer: the answer of a tab's coordinator to a tap.
  func apply(
    _ plan: StoredPlan, own: Node? = nil, origin: Node? = nil, checks: [Int: @MainActor (Node) throws -> Void] = [:],
    tapAnswer: TapAnswer? = nil
  ) throws {
    let origin = origin ?? plan.origin.flatMap { table.nodes[$0] }
    var entries: [Node?] = []
    let needsEntries = plan.steps.contains { $0.result != nil }
    for index in plan.steps.indices {
      let result = plan.steps[index].result
      let flow: Node?
      if let result {
        flow = entries.indices.contains(result) ? entries[result] : nil
      } else if let id = plan.flow {
        flow = own ?? table.nodes[id]
      } else {
        flow = table.root
      }
      guard let flow else { throw NavigationError(.routerNotShown(coordinator: "flow")) }
      let context = StepContext(isOwnFlow: result == nil, tapAnswer: tapAnswer)
      let entry = try apply(plan.steps[index].step, at: flow, from: origin, context)
      if !checks.isEmpty, let check = checks[index], let entry { try check(entry) }
      if needsEntries { entries.append(entry) }
    }
  }
}
