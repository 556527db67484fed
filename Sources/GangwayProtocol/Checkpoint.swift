/// What a session can be restored from: one record for each node of its navigation tree.
public struct Checkpoint: Codable, Hashable, Sendable {
  /// The version of this format. A file of another one is set aside, never guessed at.
  public static let currentFormat = 1
  /// The number of every session's root.
  public static let rootNode: NodeID = 1

  /// One node: an entry of a stack, a tab, or the root.
  public struct Record: Codable, Hashable, Sendable {
    /// The node.
    public var id: NodeID
    /// The node that contains it; nil for the root.
    public var parent: NodeID?
    /// Where it stands among its parent's children, from 0.
    public var position: Int
    /// How it is presented: `root`, `tab`, `push`, `modal`, `modal-fixed`, `fullScreen`, `fullScreen-fixed`.
    public var style: String
    /// The route, encoded once when it was shown; nil for the root and for a place.
    public var route: String?
    /// The route as a developer reads it: for a tree, never to restore by.
    public var routeText: String?
    /// The id of another feature's place, where the entry names one; its payload is then in `payload`.
    public var place: String?
    /// The encoded payload of a place.
    public var payload: String?
    /// The plugin whose code shows it.
    public var plugin: String?
    /// The version of the route's encoding.
    public var schema: Int
    /// What it was called when last shown.
    public var title: String?
    /// The coordinator's type when last made: to read in a tree, never to restore by.
    public var coordinator: String?
    /// The coordinator's state, encoded.
    public var state: String?
    /// The version of the state's encoding; nil stands for the first.
    public var stateSchema: Int?
    /// The navigation that goes on, in this host or the next, when the entry's flow has finished.
    public var parkedIntent: String?
    /// Which child of a tab coordinator is shown.
    public var selection: NodeID?
    /// Whether code was waiting for its result; it no longer is in the next host.
    public var isAwaited: Bool?
    /// Whether it came from a file and its guards have not been asked since.
    public var isUnadmitted: Bool?
    /// What fields, toggles and pickers hold, by element; never a secure one.
    public var values: [ElementID: String]?
    /// The element that has the keyboard.
    public var focus: ElementID?
    /// How far it was scrolled, in lines.
    public var scroll: Int?

    /// Makes a record of a node without content.
    public init(id: NodeID, parent: NodeID?, position: Int, style: String, schema: Int = 1) {
      self.id = id
      self.parent = parent
      self.position = position
      self.style = style
      self.schema = schema
    }
  }

  /// What changed since the update before.
  public struct Change: Codable, Hashable, Sendable {
    /// Records that are new or different, whole.
    public var changed: [Record]
    /// Nodes that are gone.
    public var removed: [NodeID]
    /// The number the next node gets, so that none is used twice.
    public var nextNode: NodeID

    /// Makes a change.
    public init(changed: [Record], removed: [NodeID], nextNode: NodeID) {
      self.changed = changed
      self.removed = removed
      self.nextNode = nextNode
    }
  }

  /// The version of the format it was written in.
  public var format: Int
  /// The number the next node gets.
  public var nextNode: NodeID
  /// Every node, by its number.
  public var records: [NodeID: Record]

  /// Makes a checkpoint; without records it is that of a session not yet opened.
  public init(nextNode: NodeID = 1, records: [NodeID: Record] = [:]) {
    self.format = Self.currentFormat
    self.nextNode = nextNode
    self.records = records
  }

  /// Takes in what an update carried.
  public mutating func fold(_ change: Change) {
    for id in change.removed { records[id] = nil }
    // A host that is not itself may say anything; what is stored has to be restored by the next one.
    let known = change.changed.filter { (1...Self.maximumNode).contains($0.id) }
    for record in known { records[record.id] = record }
    let next = (1...Self.maximumNode + 1).contains(change.nextNode) ? change.nextNode : 1
    nextNode = max(nextNode, next, (known.lazy.map(\.id).max() ?? 0) + 1)
  }

  /// The children of each node, in their order; the root stands under nil.
  public var children: [NodeID?: [Record]] {
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

  /// Writes a checkpoint, its records sorted by number, so that equal checkpoints are equal text.
  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: CodingKeys.self)
    try fields.encode(format, forKey: .format)
    try fields.encode(nextNode, forKey: .nextNode)
    try fields.encode(records.values.sorted { $0.id < $1.id }, forKey: .records)
  }
}
