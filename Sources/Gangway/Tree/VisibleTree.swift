import GangwayProtocol

/// The part of a tree that a person sees: layers of entries, the screen of each on top.
@MainActor struct VisibleTree {
  struct Layer {
    let style: Presentation.Layer.Style
    let isDismissible: Bool
    /// The node that shows the layer's screen, or the reason why there is none.
    var top: Node
  }

  private(set) var layers: [Layer] = []
  private(set) var path: [Node] = []
  private(set) var tabBars: [Node] = []

  init(_ table: NodeTable) {
    visit(table.root, startingLayer: (.base, false))
  }

  private mutating func visit(_ node: Node, startingLayer pending: (Presentation.Layer.Style, Bool)?) {
    var pending = pending
    if let modal = node.modalStyle {
      pending = (modal.kind == .fullScreen ? .fullScreen : .modal, modal.isDismissible)
    }
    if case .flow(_, let kind) = node.phase {
      if case .tabs = kind { tabBars.append(node) }
      if let selection = node.selection { return visit(selection, startingLayer: pending) }
      for (index, child) in node.children.enumerated() where !child.isParked {
        visit(child, startingLayer: index == 0 ? pending : nil)
      }
      if node.children.contains(where: { !$0.isParked }) { return }
    }
    path.append(node)
    if let pending {
      layers.append(Layer(style: pending.0, isDismissible: pending.1, top: node))
    } else if !layers.isEmpty {
      layers[layers.count - 1].top = node
    }
  }
}
