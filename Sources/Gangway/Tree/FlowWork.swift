import GangwayProtocol

/// The work of flows: what was given before its flow began, what waits for the commit that shows it, and what runs.
@MainActor final class FlowWork {
  typealias Body = @MainActor () async throws -> Void

  /// What coordinators were given before they were part of a session: in their initialisers.
  private struct Early {
    weak var coordinator: AnyObject?
    var bodies: [Body]
  }

  private static var early: [ObjectIdentifier: Early] = [:]

  private var waiting: [(node: Node, body: Body)] = []
  private var running: [NodeID: [TrackedWork]] = [:]

  /// Notes work of a coordinator: to begin with its flow or, where that is shown, at the next opportunity.
  static func add(_ body: @escaping Body, of coordinator: any Coordinator) {
    if let attachment = Attachments.find(coordinator) {
      let hooks = attachment.navigation.hooks
      hooks.flowWork.waiting.append((attachment.node, body))
      return hooks.didChange()
    }
    let key = ObjectIdentifier(coordinator)
    if early[key]?.coordinator !== coordinator {
      // One that never was part of a session leaves nothing behind but this.
      early = early.filter { $0.value.coordinator != nil }
      early[key] = Early(coordinator: coordinator, bodies: [])
    }
    early[key]?.bodies.append(body)
  }

  /// Takes over what a coordinator was given before its flow began.
  func adopt(_ coordinator: any Coordinator, _ node: Node) {
    guard !Self.early.isEmpty, let early = Self.early.removeValue(forKey: ObjectIdentifier(coordinator)),
      early.coordinator === coordinator
    else { return }
    waiting += early.bodies.map { (node, $0) }
  }

  /// Starts what waits, for flows that are part of the tree now.
  ///
  /// - Parameter start: starts work that a plugin is to be blamed for.
  func start(_ start: (_ plugin: String?, @escaping Body) -> TrackedWork) {
    guard !waiting.isEmpty else { return }
    let due = waiting
    waiting = []
    for (node, body) in due where node.coordinator != nil {
      let work = start(node.plugin, body)
      guard !work.isFinished else { continue }
      // It may have ended its own flow.
      guard node.coordinator != nil else {
        work.abandon()
        continue
      }
      running[node.id, default: []].removeAll(where: \.isFinished)
      running[node.id, default: []].append(work)
    }
  }

  /// Cancels what runs for a flow that goes.
  func end(_ node: Node) {
    if !waiting.isEmpty { waiting.removeAll { $0.node === node } }
    guard !running.isEmpty, let works = running.removeValue(forKey: node.id) else { return }
    for work in works { work.abandon() }
  }
}
