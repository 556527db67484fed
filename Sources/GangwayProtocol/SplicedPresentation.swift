/// The number of a flow that another host runs, within its session; 0 stands for the session itself.
///
/// The nodes of all flows appear in one presentation. So the number is part of their ids there: see ``outer(_:)``.
package struct FlowNumber: RawRepresentable, Hashable, Comparable, Sendable {
  package let rawValue: Int
  package init(rawValue: Int) { self.rawValue = rawValue }

  /// The session that all flows are part of.
  package static let app = FlowNumber(rawValue: 0)

  /// The number of nodes that a flow can have. Clients in other languages read ids of up to 53 bits.
  private static let nodes = 1 << 32

  /// Returns the id of a flow's node in the whole presentation.
  package func outer(_ node: NodeID) -> NodeID { node + rawValue * Self.nodes }

  /// Returns the flow of a node of the whole presentation, and the node's id within the flow.
  package static func flow(of node: NodeID) -> (flow: FlowNumber, inner: NodeID) {
    let (flow, inner) = node.rawValue.quotientAndRemainder(dividingBy: nodes)
    return (FlowNumber(rawValue: flow), NodeID(rawValue: inner))
  }

  package static func < (first: Self, second: Self) -> Bool { first.rawValue < second.rawValue }
}

extension Presentation {
  /// Returns the presentation of a flow with the ids that its nodes have in the whole.
  package func renumbered(_ flow: FlowNumber) -> Presentation {
    guard flow != .app else { return self }
    var copy = self
    for bar in copy.tabBars.indices {
      for tab in copy.tabBars[bar].indices { copy.tabBars[bar][tab].node = flow.outer(tabBars[bar][tab].node) }
    }
    copy.path = path.map { PathItem(node: flow.outer($0.node), title: $0.title) }
    for index in copy.layers.indices {
      copy.layers[index].node = flow.outer(layers[index].node)
      copy.layers[index].activePane = layers[index].activePane.map(flow.outer)
      for pane in (layers[index].panes ?? []).indices {
        copy.layers[index].panes?[pane].node = flow.outer(layers[index].panes?[pane].node ?? 0)
      }
    }
    return copy
  }

  /// Returns the presentation with a flow in place of its entry.
  ///
  /// The flow's path, layers and panes stand where the entry stands, and its tab bars are the last ones. The result is
  /// unchanged if the entry is not visible, or if the flow shows nothing yet.
  ///
  /// - Parameters:
  ///   - flow: the presentation of the flow, with the ids that its nodes have in the whole.
  ///   - node: the node of the flow's entry.
  package func splicing(_ flow: Presentation, at node: NodeID) -> Presentation {
    guard let position = path.lastIndex(where: { $0.node == node }), !flow.layers.isEmpty else { return self }
    var whole = self
    let isOnTop = position == path.count - 1
    whole.path.replaceSubrange(position...position, with: flow.path)
    whole.layers = layers.flatMap { $0.splicing(flow.layers, at: node) }
    whole.tabBars += flow.tabBars
    if isOnTop {
      // The flow's modal must be answered before its entry can go.
      whole.canGoBack = flow.canGoBack || (canGoBack && flow.layers.count == 1)
    }
    whole.activity = activity ?? flow.activity
    if isOnTop, let address = flow.url { whole.url = address }
    if flow.asksBeforeLeaving == true { whole.asksBeforeLeaving = true }
    return whole
  }
}

extension Presentation.Layer {
  /// The maximum number of panes beside the layer's own screen.
  private static let maximumPanes = 2

  /// Returns the layers of a flow in place of this layer's own screen, or of one of its panes.
  fileprivate func splicing(_ flow: [Presentation.Layer], at node: NodeID) -> [Presentation.Layer] {
    guard let base = flow.first else { return [self] }
    let modals = flow.dropFirst()
    if self.node == node {
      var layer = base
      (layer.style, layer.isDismissible) = (style, isDismissible)
      let beside = ((panes ?? []) + (base.panes ?? [])).suffix(Self.maximumPanes)
      layer.panes = beside.isEmpty ? nil : Array(beside)
      layer.activePane = base.activePane ?? activePane
      return [layer] + modals
    }
    guard let position = panes?.firstIndex(where: { $0.node == node }), var beside = panes else { return [self] }
    beside.replaceSubrange(position...position, with: base.columns)
    var layer = self
    layer.panes = Array(beside.suffix(Self.maximumPanes))
    if activePane == node { layer.activePane = base.activePane ?? base.node }
    return [layer] + modals
  }
}

/// The presentation of a session with the presentations of its flows in other hosts.
///
/// It has the newest presentation of each flow, and numbers the whole. It also finds the flow that an event of a front
/// end is for.
package struct SplicedPresentation {
  private struct Part {
    /// The entry of the flow, as an id of the whole.
    let entry: NodeID
    var presentation: Presentation?
  }

  /// The presentation for front ends.
  package private(set) var whole: Presentation
  private var app: Presentation
  private var flows: [FlowNumber: Part] = [:]
  /// The revisions of the parts in each of the last presentations, the oldest first.
  private var seen: [(whole: Revision, parts: [FlowNumber: Revision])] = []

  /// The number of presentations whose events find the right revision of each part.
  private static let memory = 256

  /// Makes the presentation of a session without flows of other hosts.
  package init(_ app: Presentation) {
    (self.app, whole) = (app, app)
    note()
  }

  /// Adds a flow, which shows nothing yet.
  ///
  /// - Parameters:
  ///   - flow: the number of the flow, which no other flow of the session had before.
  ///   - node: the node of its entry.
  ///   - parent: the flow, or the session, that has the entry.
  package mutating func open(_ flow: FlowNumber, at node: NodeID, in parent: FlowNumber = .app) {
    flows[flow] = Part(entry: parent.outer(node))
  }

  /// Removes a flow, and the flows in it.
  package mutating func close(_ flow: FlowNumber) {
    flows[flow] = nil
    for (inner, part) in flows where FlowNumber.flow(of: part.entry).flow == flow { close(inner) }
    update()
  }

  /// Notes the new presentation of a flow, or of the session itself.
  package mutating func show(_ presentation: Presentation, of flow: FlowNumber) {
    if flow == .app { app = presentation } else { flows[flow]?.presentation = presentation }
    update()
  }

  private mutating func update() {
    var next = app
    // A flow in another flow has the higher number.
    for (number, part) in flows.sorted(by: { $0.key < $1.key }) {
      guard let presentation = part.presentation else { continue }
      next = next.splicing(presentation.renumbered(number), at: part.entry)
    }
    next.revision = whole.revision
    if next != whole { next.revision = next.revision + 1 }
    whole = next
    note()
  }

  private mutating func note() {
    var parts = flows.compactMapValues(\.presentation?.revision)
    parts[.app] = app.revision
    if seen.last?.whole == whole.revision { seen.removeLast() }
    seen.append((whole.revision, parts))
    if seen.count > Self.memory { seen.removeFirst() }
  }

  /// Returns the flow that an event is for, and the event as the flow's own session takes it.
  package func route(_ event: Event) -> (flow: FlowNumber, event: Event) {
    let flow = owner(of: event)
    var own = event
    own.action = event.action.inner
    own.revision = seen.last { $0.whole <= event.revision }?.parts[flow] ?? 0
    return (flow, own)
  }

  private func owner(of event: Event) -> FlowNumber {
    if let node = event.node { return FlowNumber.flow(of: node).flow }
    switch event.action {
    case .undoNotice(let id): return FlowNumber.flow(of: NodeID(rawValue: id.rawValue)).flow
    case .back: return owner { $0.canGoBack || $0.alert != nil || $0.layers.count > 1 }
    case .dismiss: return owner { $0.layers.count > 1 || $0.alert != nil }
    case .undo, .redo: return FlowNumber.flow(of: whole.layers.last?.node ?? 0).flow
    default: return .app
    }
  }

  /// Returns the innermost flow on top that can handle an event; the session itself if none can.
  private func owner(_ canHandle: (Presentation) -> Bool) -> FlowNumber {
    var flow = FlowNumber.flow(of: whole.layers.last?.node ?? 0).flow
    while flow != .app, let part = flows[flow] {
      if let presentation = part.presentation, canHandle(presentation) { return flow }
      flow = FlowNumber.flow(of: part.entry).flow
    }
    return .app
  }
}

extension Event.Action {
  /// The action with the ids that its node has within its flow.
  fileprivate var inner: Event.Action {
    func inner(_ node: NodeID) -> NodeID { FlowNumber.flow(of: node).inner }
    func inner(_ target: Event.ElementReference) -> Event.ElementReference {
      Event.ElementReference(node: inner(target.node), element: target.element)
    }
    switch self {
    case .tap(let target): return .tap(inner(target))
    case .edit(let target, let text): return .edit(inner(target), text: text)
    case .toggle(let target, let isOn): return .toggle(inner(target), isOn: isOn)
    case .choose(let target, let option): return .choose(inner(target), option: option)
    case .cell(let target, let row, let column): return .cell(inner(target), row: row, column: column)
    case .expand(let target, let isExpanded): return .expand(inner(target), isExpanded: isExpanded)
    case .select(let target, let keys): return .select(inner(target), keys: keys)
    case .sort(let target, let column, let order): return .sort(inner(target), column: column, order: order)
    case .submit(let target): return .submit(inner(target))
    case .file(let target, let file): return .file(inner(target), file)
    case .window(let target, let first, let count): return .window(inner(target), first: first, count: count)
    case .tab(let node): return .tab(inner(node))
    case .backTo(let node): return .backTo(inner(node))
    case .focus(let node, let element): return .focus(inner(node), element)
    case .scroll(let node, let lines): return .scroll(inner(node), lines: lines)
    case .undoNotice(let id): return .undoNotice(NoticeID(rawValue: inner(NodeID(rawValue: id.rawValue)).rawValue))
    case .back, .dismiss, .open, .undo, .redo: return self
    }
  }
}
