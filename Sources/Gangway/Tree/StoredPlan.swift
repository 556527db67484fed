@_spi(FrontEnd) import GangwayProtocol

/// A whole plan as a value, so that a plan that a redirect holds up can continue in another host.
struct StoredPlan: Codable {
  /// A step of a plan.
  struct Step: Codable {
    var step: NavigationStep
    /// The index of the step whose entry holds the flow to change, from 0; nil for the flow of the plan.
    var result: Int?
  }

  /// The source of the plan.
  var source: NavigationRequest.Source
  /// The URL to open.
  var url: String?
  /// The id of the node of the flow that the plan was made for; nil for an action of the user.
  var flow: NodeID?
  /// The id of the entry whose screen made the request.
  var origin: NodeID?
  /// The steps of a plan without a URL, in their order.
  var steps: [Step] = []

  init(url: String) {
    source = .link
    self.url = url
  }

  /// Creates a plan of steps in a flow.
  init(_ steps: [Step], flow: NodeID, origin: NodeID?) {
    source = .code
    (self.steps, self.flow, self.origin) = (steps, flow, origin)
  }

  /// Creates a plan for an action of the user.
  init(ofUser step: NavigationStep) {
    source = .person
    steps = [Step(step: step)]
  }

  /// Whether a step names a tab of a coordinator.
  var selectsTabs: Bool { steps.contains { if case .select = $0.step { true } else { false } } }

  /// Returns whether a text is a plan.
  static func isReadable(_ text: String) -> Bool { (try? StoredValue.decode(StoredPlan.self, from: text)) != nil }

  /// The plan as JSON text; nil if a part of it cannot be stored.
  var text: String? { try? StoredValue.encode(self) }
}
