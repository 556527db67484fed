@_spi(FrontEnd) import GangwayProtocol

/// Another host, which runs the flows of some plugins for a session.
///
/// The session's tree has one entry for each such flow. The other host has a session of its own for the flow, whose
/// presentation stands where the entry stands: see ``SplicedPresentation``.
@MainActor package protocol FlowHost: AnyObject {
  /// Starts a flow, or continues it from the state that the host keeps for it.
  ///
  /// This returns at once; longer work continues in the background. The flow's entry may be part of a plan that fails.
  /// Then ``discard(_:)`` follows.
  func start(_ flow: HostedFlow)

  /// Stops a flow whose entry stays in the tree, as when the session ends.
  ///
  /// The host keeps the state of the flow, for the next start with the same ``HostedFlow/node``.
  func stop(_ flow: HostedFlow)

  /// Ends a flow whose entry is gone.
  ///
  /// An undo starts the flow again, with the same ``HostedFlow/node``.
  func end(_ flow: HostedFlow)

  /// Ends a flow whose entry never became visible, because its plan failed.
  ///
  /// The host forgets the flow's state: the next entry may have the same ``HostedFlow/node``.
  func discard(_ flow: HostedFlow)
}

/// A flow of a session that another host runs.
///
/// The session makes it, and gives it to the ``FlowHost``. The host tells it what the flow does.
@MainActor package final class HostedFlow {
  /// The content that the flow begins with.
  package enum Start: Hashable, Sendable {
    /// The flow of a registered tab.
    case tab(ContributionID)
    /// A place with its payload.
    case place(Place)
  }

  /// The end of a flow in its own host.
  package enum Ending: Hashable, Sendable {
    /// The flow ended with a value, as JSON text; nil for no value.
    case finished(String?)
    /// The flow ended without a value.
    case cancelled
    /// The flow ended with an error, whose text is for developers.
    case failed(String)
  }

  /// The node of the flow's entry, the flow's name in its session.
  package let node: NodeID
  /// The plugin whose flow it is.
  package let plugin: PluginID
  /// The content that the flow begins with.
  package let start: Start

  /// The title of the flow's entry; nil for the title of its route.
  ///
  /// A front end shows it until the flow has a presentation.
  package var title: String? { didSet { if title != oldValue { noteChange() } } }
  /// The guard that runs before the entry goes; nil if nothing in the flow asks.
  package var leaveGuard: NavigationGuard? { didSet { noteChange() } }

  /// The planner and the entry, until the flow has stopped.
  private var owner: (planner: Planner, node: Node)?
  private weak var host: (any FlowHost)?

  init(_ node: Node, of plugin: PluginID, _ start: Start, _ planner: Planner, _ host: any FlowHost) {
    self.node = node.id
    self.plugin = plugin
    self.start = start
    self.host = host
    owner = (planner, node)
  }

  /// The fate of a flow's entry when the flow loses its connection to the session.
  enum Fate { case stays, ends, neverWas }

  /// Breaks the connection to the session.
  func disconnect(_ fate: Fate) {
    guard owner != nil else { return }
    owner = nil
    switch fate {
    case .stays: host?.stop(self)
    case .ends: host?.end(self)
    case .neverWas: host?.discard(self)
    }
  }

  private func noteChange() {
    owner?.node.noteChange()
    owner?.planner.hooks.noteChange()
  }

  /// Ends the flow, as its coordinator did in the other host: removes its entry, and runs the entry's handlers.
  ///
  /// After an error, the entry stays.
  ///
  /// - Throws: `noParent` if the flow is a tab; `rootEntry` if it is the first entry of its stack. `denied` by a leave
  ///   guard of a flow above it. `detached` after the flow has stopped.
  package func end(_ ending: Ending) async throws {
    guard let owner else { throw NavigationError(.routerGone(coordinator: "\(plugin)")) }
    let step: NavigationStep =
      switch ending {
      case .finished(let text): .finish(result: FlowResult(text: text))
      case .cancelled: .cancel
      case .failed(let text): .fail(error: FlowError(HostedFailure(description: text)))
      }
    try await owner.planner.carryOut { transaction in
      // The entry may have gone while this plan waited for its turn.
      guard case .hosted(let flow) = owner.node.phase, flow === self else {
        throw NavigationError(.routerGone(coordinator: "\(self.plugin)"))
      }
      _ = try transaction.apply(step, at: owner.node)
    }
  }

  /// Shows the reason why the flow cannot run, with a button that starts it again.
  package func park(_ reason: String) {
    guard let owner else { return }
    owner.planner.maker.park(owner.node, reason)
  }
}

/// The error of a flow that failed in another host.
private struct HostedFailure: Error, CustomStringConvertible {
  let description: String
}

extension HostedFlow.Start {
  /// The destination of the flow's root, in the flow's own session.
  @MainActor var destination: AnyDestination {
    switch self {
    case .tab(let id): AnyDestination(.push, .registered(id))
    case .place(let place): AnyDestination(.push, .place(id: place.id) { place })
    }
  }
}

extension HostedFlow.Ending {
  /// Makes the ending of a flow from its outcome.
  ///
  /// - Throws: `unexpectedDestination` if the value has no coding; the error of its coding.
  init(_ outcome: Completion.Outcome) throws {
    switch outcome {
    case .finished(let value):
      do {
        self = .finished(try FlowResult(value).encoded())
      } catch is NotStorable {
        throw NavigationError(.unexpectedResult(found: "\(type(of: value))", wanted: "a Codable value"))
      }
    case .cancelled: self = .cancelled
    case .failed(let error): self = .failed("\(error)")
    }
  }
}

/// Entries whose flows another host runs.
extension ContentMaker {
  /// Gives the flow of a node to another host.
  func host(_ node: Node, of plugin: PluginID, _ start: HostedFlow.Start) {
    guard let flowHost, let planner = navigation?.planner else {
      node.phase = .absent(.init(plugin: plugin, reason: Self.noFlowHost), node.origin)
      return
    }
    let flow = HostedFlow(node, of: plugin, start, planner, flowHost)
    node.phase = .hosted(flow)
    flowHost.start(flow)
  }

  private static let noFlowHost = "it runs in a host of its own, and this session has no connection to that host"

  /// Shows the reason why a hosted flow cannot run.
  func park(_ node: Node, _ reason: String) {
    guard case .hosted(let flow) = node.phase else { return }
    flow.disconnect(.stays)
    node.phase = .absent(.init(plugin: flow.plugin, reason: reason), .checkpoint)
    table.markChanged(node)
    hooks.noteChange()
  }
}
