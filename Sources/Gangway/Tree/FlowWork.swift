@_spi(FrontEnd) import GangwayProtocol

/// The work of flows: work added before the flow began, work that waits for the commit that shows the flow, and running
/// work.
@MainActor final class FlowWork {
  typealias Body = @MainActor () async throws -> Void

  /// The work that a coordinator added before it was part of a session, as in its initializer.
  private struct Early {
    weak var coordinator: AnyObject?
    var bodies: [Body]
  }

  private static var early: [ObjectIdentifier: Early] = [:]

  private var waiting: [(node: Node, body: Body)] = []
  private var running: [NodeID: [TrackedWork]] = [:]

  /// Adds work of a coordinator, which starts with the coordinator's flow, or soon if the flow has already begun.
  static func add(_ body: @escaping Body, of coordinator: any Coordinator) {
    if let attachment = Attachments.find(ObjectIdentifier(coordinator)) {
      let hooks = attachment.navigation.hooks
      hooks.flowWork.waiting.append((attachment.node, body))
      hooks.signal?.raise()
      return
    }
    let key = ObjectIdentifier(coordinator)
    if early[key]?.coordinator !== coordinator {
      // A coordinator that never becomes part of a session leaves only this record behind.
      early = early.filter { $0.value.coordinator != nil }
      early[key] = Early(coordinator: coordinator, bodies: [])
    }
    early[key]?.bodies.append(body)
  }

  /// Adopts the work that a coordinator added before its flow began.
  func adopt(_ coordinator: any Coordinator, _ node: Node) {
    guard !Self.early.isEmpty, let early = Self.early.removeValue(forKey: ObjectIdentifier(coordinator)),
      early.coordinator === coordinator
    else { return }
    waiting += early.bodies.map { (node, $0) }
  }

  /// Starts the waiting work of flows that are now part of the tree.
  ///
  /// - Parameter start: starts work on behalf of a plugin.
  func start(_ start: (_ plugin: PluginID?, @escaping Body) -> TrackedWork) {
    guard !waiting.isEmpty else { return }
    let due = waiting
    waiting = []
    for (node, body) in due where node.coordinator != nil {
      let work = start(node.plugin, body)
      guard !work.isFinished else { continue }
      // The work may have ended its own flow.
      guard node.coordinator != nil else {
        work.abandon()
        continue
      }
      running[node.id, default: []].removeAll(where: \.isFinished)
      running[node.id, default: []].append(work)
    }
  }

  /// Cancels the work of a flow that ends.
  func end(_ node: Node) {
    if !waiting.isEmpty { waiting.removeAll { $0.node === node } }
    guard !running.isEmpty, let works = running.removeValue(forKey: node.id) else { return }
    for work in works { work.abandon() }
  }
}
