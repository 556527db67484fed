@_spi(FrontEnd) import GangwayProtocol

/// The owner that ends entries: it forgets them, releases their flows, and runs each of their handlers once.
@MainActor final class EntryRemoval {
  private let table: NodeTable
  private let hooks: NavigationHooks
  /// The nodes whose result a task awaits.
  @exclusivity(unchecked) private(set) var awaited: Set<NodeID> = []
  /// The coordinators that ended, if a test asks for them.
  @exclusivity(unchecked) var departures: [Departure]?
  /// The handlers of ended entries, which run after the commit.
  @exclusivity(unchecked) private var handlers: [() -> Void] = []
  /// Continues a navigation that a redirect held up in an earlier host.
  var resume: (_ plan: String) async throws -> Void = { _ in }

  init(_ table: NodeTable, _ hooks: NavigationHooks) {
    self.table = table
    self.hooks = hooks
  }

  /// Notes that a task awaits the result of a node.
  func await(_ node: Node, _ awaiter: @escaping @MainActor (Completion.Outcome) -> Void) {
    node.completion.awaiter = awaiter
    awaited.insert(node.id)
  }

  /// Tells an entry whose guards wait for a redirect when the redirect's flow ends.
  func follow(_ node: Node, _ follower: @escaping @MainActor (Completion.Outcome) -> Void) {
    node.completion.followers.append(follower)
    awaited.insert(node.id)
  }

  /// Forgets a node that never became visible, with all its descendants.
  ///
  /// No handler runs.
  func discard(_ top: Node) {
    for node in top.subtree {
      table.forget(node)
      awaited.remove(node.id)
      release(node, .neverWas)
      node.parent = nil
    }
  }

  /// Ends an entry and its descendants: releases their flows and queues their handlers.
  func end(_ top: Node, _ outcome: Completion.Outcome) {
    if top.children.isEmpty { return endAlone(top, outcome) }
    let below: Completion.Outcome
    if case .cancelled = outcome { below = outcome } else { below = .cancelled(.popped) }
    for node in top.subtree { endAlone(node, node === top ? outcome : below) }
  }

  private func endAlone(_ node: Node, _ outcome: Completion.Outcome) {
    if !Defect.keepsOrphans.isSeeded { table.forget(node) }
    table.noteRemoved(node)
    resolve(node, outcome)
    if departures != nil, let coordinator = node.coordinator { departures?.append(Departure(coordinator)) }
    let isGone = if case .cancelled(.sessionEnded) = outcome { false } else { true }
    release(node, isGone ? .ends : .stays)
    node.parent = nil
  }

  /// Releases the content of a node.
  ///
  /// - Parameters:
  ///   - node: the node.
  ///   - fate: what becomes of the node itself.
  func release(_ node: Node, _ fate: HostedFlow.Fate = .stays) {
    switch node.phase {
    case .flow(let kind):
      Attachments.remove(kind.coordinator)
      hooks.flowWork.end(node)
      table.forgetFlow(node)
    case .screen(let screen): screen.end()
    case .hosted(let flow): flow.disconnect(fate)
    default: break
    }
    node.phase = .waiting(.new)
  }

  /// Queues the handlers of an ending until the commit is done.
  ///
  /// The entry forgets its handlers, so each runs once.
  private func resolve(_ node: Node, _ outcome: Completion.Outcome) {
    if case .cancelled = outcome, node.completion.isEmpty { return }
    let completion = node.completion
    node.completion = Completion()
    let owner = node.parent?.plugin
    let run = hooks.run
    switch outcome {
    case .finished(let value):
      if let handler = completion.onFinish {
        handlers.append { run(owner) { try await handler(value) } }
      } else if let parked = completion.parkedPlan, completion.awaiter == nil {
        handlers.append { [weak self] in run(owner) { try await self?.resume(parked) } }
      } else if completion.lostAwaiter {
        hooks.report(
          .init(
            .information,
            "The result of '\(node.title)' was lost because the app restarted while '\(node.title)' was open.",
            plugin: owner, detail: "Declare onFinish: at the destination of '\(node.title)' to keep its result."))
      }
    case .cancelled(let reason):
      if let handler = completion.onCancel { handlers.append { run(owner) { try await handler(reason) } } }
    case .failed(let error):
      if let handler = completion.onCancel { handlers.append { run(owner) { try await handler(.failed) } } }
      // A task that awaits the result gets the error itself.
      if completion.awaiter == nil, completion.followers.isEmpty {
        hooks.report(
          .init(
            .failure, "'\(node.title)' failed: \(NavigationError.personMessage(of: error))", plugin: node.plugin,
            detail: "'\(node.title)' failed: \(error)"))
      }
    }
    let awaiters = [completion.awaiter].compactMap(\.self) + completion.followers
    if !awaiters.isEmpty { awaited.remove(node.id) }
    for awaiter in awaiters { handlers.append { awaiter(outcome) } }
    if let handler = completion.onDismiss { handlers.append { run(owner) { try await handler() } } }
  }

  /// Runs the handlers of the entries that ended.
  func tell() {
    guard !handlers.isEmpty else { return }
    let due = handlers
    handlers = []
    for handler in due { handler() }
    if Defect.tellsEndingsTwice.isSeeded { for handler in due { handler() } }
  }
}

/// A coordinator whose node is gone, and which should be deallocated, too.
struct Departure {
  weak var coordinator: (any Coordinator)?
  let name: String
  init(_ coordinator: any Coordinator) {
    self.coordinator = coordinator
    name = "\(type(of: coordinator))"
  }
}
