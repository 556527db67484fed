@_spi(FrontEnd) import GangwayProtocol

/// The recorded steps of a plan.
///
/// Recording runs the author's closure only once. The plan can then be tried several times, and stored as a whole.
@MainActor final class PlanDraft {
  // On the path of every transaction, and not checked for overlapping access: see ``Node``.
  @exclusivity(unchecked) private(set) var plan: StoredPlan
  /// The checks of the steps' entries, by the index of the step.
  @exclusivity(unchecked) private(set) var checks: [Int: @MainActor (Node) throws -> Void] = [:]
  @exclusivity(unchecked) private var isOpen = true

  /// Begins a plan without steps.
  ///
  /// - Parameters:
  ///   - own: the id of the node of the flow that the plan is made for.
  ///   - origin: the id of the entry whose screen made the request; nil for code outside any screen.
  init(own: NodeID, origin: NodeID?) {
    plan = StoredPlan([], flow: own, origin: origin)
    plan.steps.reserveCapacity(4)
  }

  /// Ends the recording.
  func close() { isOpen = false }

  /// Records a step.
  ///
  /// - Parameters:
  ///   - step: the step.
  ///   - result: the index of the step whose entry holds the flow to change; nil for the plan's own flow.
  ///   - check: checks the entry that the step shows or finds.
  /// - Returns: the index of the step.
  /// - Throws: `planClosed` after the plan's closure has returned.
  @discardableResult func add(
    _ step: NavigationStep, in result: Int?, _ check: (@MainActor (Node) throws -> Void)? = nil
  ) throws -> Int {
    guard isOpen else { throw NavigationError(.planClosed) }
    let index = plan.steps.count
    plan.steps.append(.init(step: step, result: result))
    if let check { checks[index] = check }
    return index
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
          route: route?.description ?? "of this entry", found: coordinatorName ?? "a screen", wanted: "\(Child.self)"))
    }
    return child
  }
}
