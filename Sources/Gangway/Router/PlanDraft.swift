import GangwayProtocol

/// The operations of a plan as they are written down, before any of them is carried out: so that a plan can be tried more
/// than once, and stored whole, with the author's closure run only once.
@MainActor final class PlanDraft {
  /// What the operations find as they are carried out.
  struct Run {
    let transaction: Transaction
    /// The node of the flow that the plan was made for.
    let own: Node
    /// The entry whose screen asked; nil for code outside any.
    let origin: Node?
    /// Where each operation so far led.
    var entries: [Node?] = []
  }

  private struct Step {
    let carryOut: @MainActor (inout Run) throws -> Node?
    let stored: StoredStep?
  }

  private var steps: [Step] = []
  private var isOpen = true
  let own: NodeID
  /// The entry whose screen asked; nil for code outside any.
  private let origin: NodeID?

  init(own: NodeID, origin: NodeID?) {
    self.own = own
    self.origin = origin
  }

  /// Ends what can be written down.
  func close() { isOpen = false }

  /// Writes down an operation.
  ///
  /// - Parameters:
  ///   - flow: the flow that it changes.
  ///   - stored: it as data; nil where it cannot be stored, and so the plan cannot.
  /// - Throws: `planClosed` after the closure that the plan was given to.
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

  /// Carries all of it out.
  func carryOut(_ transaction: Transaction, own: Node, origin: Node?) throws {
    var run = Run(transaction: transaction, own: own, origin: origin)
    for step in steps { run.entries.append(try step.carryOut(&run)) }
  }

  /// The plan as data; nil where a part of it cannot be stored.
  var stored: StoredPlan? {
    let stored = steps.compactMap(\.stored)
    return stored.count == steps.count ? StoredPlan(steps: stored) : nil
  }
}

/// A flow that an operation of a plan changes.
enum PlanFlow {
  /// The one that the plan was made for.
  case own
  /// The one in the entry that an operation before led to.
  case result(Int)
}

@MainActor extension PlanDraft.Run {
  /// A flow's coordinator and node.
  ///
  /// - Throws: `unexpectedDestination` where there is another one.
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
  /// Sees to it that this node holds a flow of a type.
  ///
  /// - Throws: `unexpectedDestination` naming what it holds.
  func require<Child: Coordinator>(_ type: Child.Type) throws -> Child {
    guard let child = coordinator as? Child else {
      throw NavigationError(
        .unexpectedFlow(
          route: route?.description ?? "", found: coordinatorName ?? "a screen", wanted: "\(Child.self)"))
    }
    return child
  }
}
