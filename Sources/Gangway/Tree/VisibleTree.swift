import GangwayProtocol

/// The part of a tree that a person sees: layers of entries, the screen of each on top.
@MainActor struct VisibleTree {
  struct Layer {
    let style: Presentation.Layer.Style
    let isDismissible: Bool
    /// The node that shows the layer's screen, or the reason why there is none.
    var top: Node
    /// Those that are shown beside it where there is room, each the detail of the one before.
    var panes: [Node] = []

    /// All that are shown, the one on top last.
    var screens: [Node] { panes + [top] }
  }

  /// How many columns are shown at the most.
  static let columns = 3

  private(set) var layers: [Layer] = []
  private(set) var path: [Node] = []
  private(set) var tabBars: [Node] = []
  /// The flows that the visible entries are in.
  private(set) var flows: [Node] = []

  /// What begins with the next node that shows a screen.
  private struct Beginning {
    var layer: (style: Presentation.Layer.Style, isDismissible: Bool)?
    var isColumn = false
  }

  init(_ table: NodeTable) {
    visit(table.root, Beginning(layer: (.base, false)))
  }

  private mutating func visit(_ node: Node, _ beginning: Beginning) {
    var beginning = beginning
    if let modal = node.modalStyle {
      beginning = Beginning(layer: (modal.kind == .fullScreen ? .fullScreen : .modal, modal.isDismissible))
    } else if node.isDetail, node.position > 0 {
      beginning.isColumn = true
    }
    if case .flow(_, let kind) = node.phase {
      flows.append(node)
      if case .tabs = kind { tabBars.append(node) }
      if let selection = node.selection { return visit(selection, beginning) }
      for (index, child) in node.children.enumerated() where !child.isParked {
        visit(child, index == 0 ? beginning : Beginning())
      }
      if node.children.contains(where: { !$0.isParked }) { return }
    }
    path.append(node)
    if let (style, isDismissible) = beginning.layer {
      layers.append(Layer(style: style, isDismissible: isDismissible, top: node))
    } else if !layers.isEmpty {
      let last = layers.count - 1
      if beginning.isColumn {
        layers[last].panes = (layers[last].panes + [layers[last].top]).suffix(Self.columns - 1)
      }
      layers[last].top = node
    }
  }
}
