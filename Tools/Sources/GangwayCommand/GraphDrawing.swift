@_spi(FrontEnd) import GangwayProtocol

/// A drawing of the plugin graph as Scalable Vector Graphics 1.1 (W3C), in the viewer's light or dark colours.
struct GraphDrawing {
  private static let boxWidth = 150.0
  private static let boxHeight = 44.0
  private static let columnGap = 210.0
  private static let rowGap = 34.0
  private static let margin = 24.0

  private struct Box {
    var node: GraphModel.Node
    var x: Double
    var y: Double
  }

  private let model: GraphModel
  private let boxes: [PluginID: Box]
  private let width: Double
  private let height: Double

  init(_ model: GraphModel) {
    self.model = model
    let columns = model.columns
    let rows = Double(columns.map(\.count).max() ?? 0)
    func extent(_ count: Double, _ size: Double, _ gap: Double) -> Double {
      2 * Self.margin + max(0, count * size + (count - 1) * gap)
    }
    width = extent(Double(columns.count), Self.boxWidth, Self.columnGap)
    height = extent(rows, Self.boxHeight, Self.rowGap)
    var boxes: [PluginID: Box] = [:]
    for (column, nodes) in columns.enumerated() {
      // A short column is centred.
      let top = Self.margin + (rows - Double(nodes.count)) * (Self.boxHeight + Self.rowGap) / 2
      for (row, node) in nodes.enumerated() {
        boxes[node.id] = Box(
          node: node, x: Self.margin + Double(column) * (Self.boxWidth + Self.columnGap),
          y: top + Double(row) * (Self.boxHeight + Self.rowGap))
      }
    }
    self.boxes = boxes
  }

  /// The lines of the drawing's text.
  var lines: [String] {
    [
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(Self.number(width)) \(Self.number(height))\" "
        + "width=\"\(Self.number(width))\" height=\"\(Self.number(height))\" role=\"img\" "
        + "aria-label=\"\(Self.escaped(Words.Graph.title))\">",
      """
      <style>
        text { font: 14px system-ui, sans-serif; fill: #1c1c24 }
        .small { font-size: 11px; fill: #5a5a68 }
        .page { fill: #ffffff }
        .box { fill: #f1f3f9; stroke: #7c86a8; stroke-width: 1.2 }
        .absent { stroke-dasharray: 4 3 }
        .refused { stroke: #c0392b }
        .edge { fill: none; stroke: #7c86a8; stroke-width: 1.4 }
        .soft { stroke-dasharray: 5 4 }
        .tip { fill: #7c86a8 }
        @media (prefers-color-scheme: dark) {
          text { fill: #e6e8f2 } .small { fill: #a4a9bf } .page { fill: #16171f } .box { fill: #232635 }
        }
      </style>
      """,
      "<defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" "
        + "orient=\"auto\"><path class=\"tip\" d=\"M0 0 8 4 0 8z\"/></marker></defs>",
      "<rect class=\"page\" width=\"100%\" height=\"100%\"/>",
    ] + arrows + boxes.values.sorted { ($0.x, $0.y) < ($1.x, $1.y) }.map(Self.text) + ["</svg>"]
  }

  private static func text(_ box: Box) -> String {
    let kind = box.node.version == nil ? " absent" : box.node.isRefused ? " refused" : ""
    let small =
      box.node.version.map { box.node.isRefused ? Words.Graph.refused(version: $0) : $0 } ?? Words.Graph.notInstalled
    let middle = number(box.x + boxWidth / 2)
    let name = escaped(shortened(box.node.id.rawValue, 20))
    return "<rect class=\"box\(kind)\" x=\"\(number(box.x))\" y=\"\(number(box.y))\" width=\"\(number(boxWidth))\" "
      + "height=\"\(number(boxHeight))\" rx=\"8\"/><text x=\"\(middle)\" y=\"\(number(box.y + 20))\" "
      + "text-anchor=\"middle\">\(name)</text><text class=\"small\" x=\"\(middle)\" "
      + "y=\"\(number(box.y + 35))\" text-anchor=\"middle\">\(escaped(small))</text>"
  }

  /// The edges with their labels; several edges between the same two plugins share an arrow and stack their labels.
  private var arrows: [String] {
    var drawn: Set<[PluginID]> = []
    var numbers: [[PluginID]: Int] = [:]
    return model.edges.flatMap { edge -> [String] in
      guard let from = boxes[edge.from], let to = boxes[edge.to], edge.from != edge.to else { return [] }
      let pair = [edge.from, edge.to]
      let isBack = to.x <= from.x
      let (startX, endX) = isBack ? (from.x, to.x + Self.boxWidth) : (from.x + Self.boxWidth, to.x - 1)
      let (startY, endY) = (from.y + Self.boxHeight / 2, to.y + Self.boxHeight / 2)
      let bend = (endX - startX) / 2
      var made: [String] = []
      if drawn.insert(pair).inserted {
        let kinds = model.edges.filter { $0.from == edge.from && $0.to == edge.to }.map(\.kind)
        let isSoft = !kinds.contains(.needs) && !kinds.contains(.contributes)
        made.append(
          "<path class=\"edge\(isSoft ? " soft" : "")\" marker-end=\"url(#tip)\" d=\"M\(Self.number(startX)) "
            + "\(Self.number(startY))C\(Self.number(startX + bend)) \(Self.number(startY)) "
            + "\(Self.number(endX - bend)) \(Self.number(endY)) \(Self.number(endX)) \(Self.number(endY))\"/>")
      }
      let number = numbers[pair, default: 0]
      numbers[pair] = number + 1
      let words = Words.Graph.label(edge.words)
      made.append(
        "<text class=\"small\" x=\"\(Self.number((startX + endX) / 2))\" "
          + "y=\"\(Self.number((startY + endY) / 2 - 6 + Double(number) * 13))\" text-anchor=\"middle\">"
          + "\(Self.escaped(Self.shortened(words, 34)))</text>")
      return made
    }
  }

  private static func shortened(_ text: String, _ count: Int) -> String {
    text.count <= count ? text : String(text.prefix(count - 1)) + "…"
  }

  private static func number(_ value: Double) -> String {
    value == value.rounded() ? "\(Int(value))" : "\((value * 10).rounded() / 10)"
  }

  private static func escaped(_ text: String) -> String {
    var made = ""
    for character in text {
      switch character {
      case "&": made += "&amp;"
      case "<": made += "&lt;"
      case ">": made += "&gt;"
      case "\"": made += "&quot;"
      default: made.append(character)
      }
    }
    return made
  }
}
