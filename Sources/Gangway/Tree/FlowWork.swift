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

  /// Work that starts with the next update.
  private struct Due {
    let node: Node
    let body: Body
    /// The user's event that started the work; nil for work of the flow itself.
    var event: EventID?
  }

  private static var early: [ObjectIdentifier: Early] = [:]

  private var waiting: [Due] = []
  private var running: [NodeID: [TrackedWork]] = [:]

  /// Adds work of a coordinator, which starts with the coordinator's flow, or soon if the flow has already begun.
  ///
  /// - Parameters:
  ///   - body: the work.
  ///   - coordinator: the coordinator of the flow.
  ///   - event: the user's event that started the work. After a crash, a message says that it was not finished.
  static func add(_ body: @escaping Body, of coordinator: any Coordinator, event: EventID? = nil) {
    if let attachment = Attachments.find(ObjectIdentifier(coordinator)) {
      let hooks = attachment.navigation.hooks
      hooks.flowWork.waiting.append(Due(node: attachment.node, body: body, event: event))
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
    waiting += early.bodies.map { Due(node: node, body: $0) }
  }

  /// Starts the waiting work of flows that are now part of the tree.
  ///
  /// - Parameter start: starts work on behalf of a plugin and an event.
  func start(_ start: (_ plugin: PluginID?, EventID?, @escaping Body) -> TrackedWork) {
    guard !waiting.isEmpty else { return }
    let due = waiting
    waiting = []
    for item in due where item.node.coordinator != nil {
      let node = item.node
      let work = start(node.plugin, item.event, item.body)
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
