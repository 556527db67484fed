/// The data that restores a session: one record for each node of its navigation tree.
public struct Checkpoint: Codable, Hashable, Sendable {
  /// The version of this format. A file of another version is set aside, never guessed at.
  @_spi(FrontEnd) public static let currentFormat = 1
  /// The id of every session's root.
  @_spi(FrontEnd) public static let rootNode: NodeID = 1

  /// One node: an entry of a stack, a tab, or the root.
  @_spi(FrontEnd) public struct Record: Codable, Hashable, Sendable {
    /// The node.
    public var id: NodeID
    /// The parent node; nil for the root.
    public var parent: NodeID?
    /// The index among the children of its parent, from 0.
    public var position: Int
    /// The presentation style: `root`, `tab`, `push`, `modal`, `modal-fixed`, `fullScreen`, `fullScreen-fixed`.
    public var style: String
    /// The route, encoded once when the entry was shown; nil for the root and for a place.
    public var route: String?
    /// The route as text for developers. It appears in trees, and restores nothing.
    public var routeText: String?
    /// The id of another feature's place, if the entry names one. Its payload is then in `payload`.
    package var place: String?
    /// The encoded payload of a place.
    package var payload: String?
    /// The plugin whose code shows the node.
    public var plugin: PluginID?
    /// The version of the route's encoding.
    package var schema: Int
    /// The title at its last appearance.
    public var title: String?
    /// The last badge of a registered tab.
    package var badge: String?
    /// The type of the last coordinator. It appears in trees, and restores nothing.
    package var coordinator: String?
    /// The coordinator's state, encoded.
    public var state: String?
    /// The version of the state's encoding; nil means the first version.
    package var stateSchema: Int?
    /// The navigation to continue after the entry's flow finishes, in this host or the next.
    package var parkedIntent: String?
    /// The selected child of a tab coordinator.
    public var selection: NodeID?
    /// Whether code awaited the result. In the next host, no code awaits it.
    package var isAwaited: Bool?
    /// Whether the node came from a file, and its guards have not run since.
    package var isUnadmitted: Bool?
    /// Whether a form of the screen has unsaved changes.
    package var isUnsaved: Bool?
    /// The values of fields, toggles and pickers, by element. Secure fields are never included.
    public var values: [ElementID: String]?
    /// The values that the framework keeps for elements, by element and kind, such as the sort order of a table.
    package var elementStates: [ElementID: [String: String]]?
    /// The focused element.
    package var focus: ElementID?
    /// The scroll position, in lines.
    package var scroll: Int?

    /// Removes the title and the badge, which may come from loaded data.
    public mutating func forgetLabels() { (title, badge) = (nil, nil) }

    /// Makes a record of a node without content.
    public init(id: NodeID, parent: NodeID?, position: Int, style: String, schema: Int = 1) {
      self.id = id
      self.parent = parent
      self.position = position
      self.style = style
      self.schema = schema
    }
  }

  /// The changes since the previous update's checkpoint.
  @_spi(FrontEnd) public struct Change: Codable, Hashable, Sendable {
    /// New or changed records, each one whole.
    public var changed: [Record]
    /// The removed nodes.
    public var removed: [NodeID]
    /// The id of the next node, so that no id is used twice.
    package var nextNode: NodeID

    /// Makes a change.
    public init(changed: [Record], removed: [NodeID], nextNode: NodeID) {
      self.changed = changed
      self.removed = removed
      self.nextNode = nextNode
    }
  }

  /// The format version of this checkpoint.
  @_spi(FrontEnd) public var format: Int
  /// The id of the next node.
  @_spi(FrontEnd) public var nextNode: NodeID
  /// Every node, by its id.
  @_spi(FrontEnd) public var records: [NodeID: Record]

  /// Makes a checkpoint. Without records, it is the checkpoint of a session that is not open yet.
  @_spi(FrontEnd) public init(nextNode: NodeID = 1, records: [NodeID: Record] = [:]) {
    self.format = Self.currentFormat
    self.nextNode = nextNode
    self.records = records
  }

  /// Merges the change of an update.
  @_spi(FrontEnd) public mutating func fold(_ change: Change) {
    for id in change.removed { records[id] = nil }
    // A corrupted host may send anything, but the next host must be able to restore the result.
    let known = change.changed.filter { (1...Self.maximumNode).contains($0.id) }
    for record in known { records[record.id] = record }
    let next = (1...Self.maximumNode + 1).contains(change.nextNode) ? change.nextNode : 1
    nextNode = max(nextNode, next, (known.lazy.map(\.id).max() ?? 0) + 1)
  }

  /// The children of each node, in order. The root is under nil.
  @_spi(FrontEnd) public var children: [NodeID?: [Record]] {
    Dictionary(grouping: records.values, by: \.parent).mapValues { $0.sorted { $0.position < $1.position } }
  }

  private enum CodingKeys: String, CodingKey {
    case format, nextNode, records
  }

  /// Reads a checkpoint, whose records are a list.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    format = try fields.decode(Int.self, forKey: .format)
    nextNode = try fields.decode(NodeID.self, forKey: .nextNode)
    let list = try fields.decode([Record].self, forKey: .records)
    records = Dictionary(list.map { ($0.id, $0) }, uniquingKeysWith: { _, last in last })
  }

  /// Writes a checkpoint with its records sorted by id, so that equal checkpoints are equal text.
  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: CodingKeys.self)
    try fields.encode(format, forKey: .format)
    try fields.encode(nextNode, forKey: .nextNode)
    try fields.encode(records.values.sorted { $0.id < $1.id }, forKey: .records)
  }
}
