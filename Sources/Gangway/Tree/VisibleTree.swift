@_spi(FrontEnd) import GangwayProtocol

/// The visible part of a tree: layers of entries, each with its screen on top.
@MainActor struct VisibleTree {
  struct Layer {
    let style: Presentation.Layer.Style
    let isDismissible: Bool
    /// The node of the layer's screen, or of the reason why there is none.
    var top: Node
    /// The nodes that are shown beside it if there is room, each the detail of the pane before it.
    var panes: [Node] = []

    /// All nodes of the layer, the one on top last.
    var screens: [Node] { panes + [top] }
  }

  /// The maximum number of columns.
  static let columns = 3

  private(set) var layers: [Layer] = []
  private(set) var path: [Node] = []
  private(set) var tabBars: [Node] = []
  /// The flows around the visible entries.
  private(set) var flows: [Node] = []

  /// The layer or column that begins with the next node that has a screen.
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
    if case .flow(let kind) = node.phase {
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
