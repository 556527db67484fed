import GangwayProtocol

/// The recorded operations of a plan.
///
/// Recording runs the author's closure only once. The plan can then be tried several times, and stored as a whole.
@MainActor final class PlanDraft {
  /// The state of a plan that is being carried out.
  struct Run {
    let transaction: Transaction
    /// The node of the flow that the plan was made for.
    let own: Node
    /// The entry whose screen made the request; nil for code outside any screen.
    let origin: Node?
    /// The entry of each operation so far.
    var entries: [Node?] = []
  }

  private struct Step {
    let carryOut: @MainActor (inout Run) throws -> Node?
    let stored: StoredStep?
  }

  private var steps: [Step] = []
  private var isOpen = true
  let own: NodeID
  /// The entry whose screen made the request; nil for code outside any screen.
  private let origin: NodeID?

  init(own: NodeID, origin: NodeID?) {
    self.own = own
    self.origin = origin
  }

  /// Ends the recording.
  func close() { isOpen = false }

  /// Records an operation.
  ///
  /// - Parameters:
  ///   - flow: the flow that the operation changes.
  ///   - stored: the operation as data; nil if it cannot be stored, and then neither can the plan.
  ///   - carryOut: carries out the operation.
  /// - Throws: `planClosed` after the plan's closure has returned.
  @discardableResult func add(
    _ flow: PlanFlow, _ stored: StoredStep?, _ carryOut: @escaping @MainActor (inout Run) throws -> Node?
  ) throws -> PlanFlow {
    guard isOpen else { throw NavigationError(.planClosed) }
    var stored = stored
    stored?.origin = origin
    switch flow {
    case .own: stored?.flow = own
    case .result(let index): stored?.result = index
    }
    steps.append(Step(carryOut: carryOut, stored: stored))
    return .result(steps.count - 1)
  }

  /// Carries out all operations.
  func carryOut(_ transaction: Transaction, own: Node, origin: Node?) throws {
    var run = Run(transaction: transaction, own: own, origin: origin)
    for step in steps { run.entries.append(try step.carryOut(&run)) }
  }

  /// The plan as data; nil if a part of it cannot be stored.
  var stored: StoredPlan? {
    let stored = steps.compactMap(\.stored)
    return stored.count == steps.count ? StoredPlan(steps: stored) : nil
  }
}

/// The flow that an operation of a plan changes.
enum PlanFlow {
  /// The flow that the plan was made for.
  case own
  /// The flow in the entry of an earlier operation.
  case result(Int)
}

@MainActor extension PlanDraft.Run {
  /// Returns a flow's coordinator and node.
  ///
  /// - Throws: `unexpectedDestination` if the flow is of another type.
  func flow<C: Coordinator>(_ flow: PlanFlow, as type: C.Type) throws -> (C, Node) {
    let node: Node?
    switch flow {
    case .own: node = own
    case .result(let index): node = entries.indices.contains(index) ? entries[index] : nil
    }
    guard let node, let coordinator = node.coordinator as? C else {
      throw NavigationError(
        .unexpectedFlow(
          route: node?.route?.description ?? "", found: node?.coordinatorName ?? "a screen", wanted: "\(C.self)"))
    }
    return (coordinator, node)
  }
}

extension Node {
  /// Returns the node's coordinator as a type.
  ///
  /// - Throws: `unexpectedDestination`, which names the type that the node holds.
  func require<Child: Coordinator>(_ type: Child.Type) throws -> Child {
    guard let child = coordinator as? Child else {
      throw NavigationError(
        .unexpectedFlow(
          route: route?.description ?? "", found: coordinatorName ?? "a screen", wanted: "\(Child.self)"))
    }
    return child
  }
}
