@_spi(FrontEnd) import GangwayProtocol

/// A session in a simulated host: a tab for each feature, each with three fields, and screens over them.
struct SimulatedSession {
  static let fields: [ElementID] = ["first", "second", "third"]
  /// The node of a feature's tab.
  static func tab(_ index: Int) -> NodeID { NodeID(rawValue: 2 + index) }

  private(set) var checkpoint: Checkpoint
  var revision: Revision = 0
  private let host: Int
  var isNew = false

  init(_ checkpoint: Checkpoint?, host: Int) {
    self.host = host
    if let checkpoint, !checkpoint.records.isEmpty {
      self.checkpoint = checkpoint
      return
    }
    var root = Checkpoint.Record(id: 1, parent: nil, position: 0, style: "root")
    root.selection = Self.tab(0)
    var records: [NodeID: Checkpoint.Record] = [1: root]
    for (index, plugin) in SimulatedHost.features.enumerated() {
      var tab = Checkpoint.Record(id: Self.tab(index), parent: 1, position: index, style: "tab")
      tab.plugin = plugin
      records[tab.id] = tab
    }
    self.checkpoint = Checkpoint(nextNode: 5, records: records)
  }

  /// The change that makes this tree from nothing.
  var wholeChange: Checkpoint.Change {
    .init(
      changed: checkpoint.records.values.sorted { $0.id < $1.id }, removed: [], nextNode: checkpoint.nextNode)
  }

  private var selection: NodeID { checkpoint.records[1]?.selection ?? Self.tab(0) }

  /// The screens over the selected tab, the top last.
  private var pushed: [Checkpoint.Record] {
    checkpoint.records.values.filter { $0.parent == selection }.sorted { $0.position < $1.position }
  }

  private var front: NodeID { pushed.last?.id ?? selection }

  var presentation: Presentation {
    let elements = Self.fields.map { name -> Element in
      var field = Element(id: name, kind: .field)
      field.label = name.rawValue
      field.value = checkpoint.records[front]?.values?[name] ?? ""
      return field
    }
    let tabs = (0..<3).map {
      Presentation.Tab(node: Self.tab($0), title: "tab \($0)", isSelected: Self.tab($0) == selection)
    }
    return Presentation(
      revision: revision, tabBars: [tabs], path: [], canGoBack: !pushed.isEmpty,
      layers: [.init(node: front, style: .base, title: "host \(host)", elements: elements)])
  }

  /// Performs a user's action.
  ///
  /// - Returns: the change; nil if nothing changed.
  mutating func handle(_ action: Event.Action) -> Checkpoint.Change? {
    var changed: [NodeID] = []
    var removed: [NodeID] = []
    switch action {
    case .edit(let target, let text):
      guard var record = checkpoint.records[target.node] else { return nil }
      var values = record.values ?? [:]
      values[target.element] = text
      record.values = values
      checkpoint.records[target.node] = record
      changed = [target.node]
    case .tab(let node):
      checkpoint.records[1]?.selection = node
      changed = [1]
    case .tap:
      var screen = Checkpoint.Record(
        id: checkpoint.nextNode, parent: selection, position: pushed.count, style: "push")
      screen.plugin = checkpoint.records[selection]?.plugin
      checkpoint.records[screen.id] = screen
      checkpoint.nextNode = checkpoint.nextNode + 1
      changed = [screen.id]
    case .back:
      guard let top = pushed.last?.id else { return nil }
      checkpoint.records[top] = nil
      removed = [top]
    default: return nil
    }
    return .init(
      changed: changed.compactMap { checkpoint.records[$0] }, removed: removed, nextNode: checkpoint.nextNode)
  }
}
