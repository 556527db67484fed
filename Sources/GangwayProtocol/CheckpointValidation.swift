extension Checkpoint {
  /// The reason why a checkpoint cannot be restored.
  @_spi(FrontEnd) public enum Defect: Error, Hashable, Sendable, CustomStringConvertible {
    case format(found: Int, known: Int)
    case rootCount(Int)
    case orphan(NodeID, parent: NodeID)
    case cycle(NodeID)
    case tooDeep(NodeID, limit: Int)
    case number(NodeID)
    case tooMany(Int, limit: Int)

    /// The defect, with the values that disagree.
    public var description: String {
      switch self {
      case .format(let found, let known): "its format is \(found), but this version reads format \(known)"
      case .rootCount(let count): "it must have one root, node \(Checkpoint.rootNode); roots found: \(count)"
      case .orphan(let node, let parent): "node \(node) has the parent \(parent), which does not exist"
      case .cycle(let node): "node \(node) is its own ancestor"
      case .tooDeep(let node, let limit): "node \(node) is nested deeper than \(limit) coordinators"
      case .tooMany(let count, let limit): "it has \(count) records; the maximum is \(limit)"
      case .number(let number):
        "node number \(number) is out of range: node numbers go from 1 to \(Checkpoint.maximumNode)"
      }
    }
  }

  /// The highest id of a node: any JSON reader takes it as an integer.
  @_spi(FrontEnd) public static let maximumNode = NodeID(rawValue: 1 << 53)

  /// The most nodes of a checkpoint from outside. No user opens so many, and the host would seem to hang.
  @_spi(FrontEnd) public static let maximumRecords = 20_000

  /// The deepest nesting of coordinators in a checkpoint from outside.
  @_spi(FrontEnd) public static let maximumDepth = 250

  /// Checks that the records form one tree that this version can read.
  ///
  /// - Parameter maximumRecords: the most records: ``maximumRecords`` for a checkpoint from outside. A session whose
  ///   host ended is restored at any size.
  /// - Throws: the first ``Defect``.
  @_spi(FrontEnd) public func validate(maximumRecords: Int = .max) throws {
    guard format == Self.currentFormat else { throw Defect.format(found: format, known: Self.currentFormat) }
    guard nextNode <= Self.maximumNode + 1, nextNode > 0 else { throw Defect.number(nextNode) }
    guard !records.isEmpty else { return }
    guard records.count <= maximumRecords else { throw Defect.tooMany(records.count, limit: maximumRecords) }
    if let id = records.keys.first(where: { !(1...Self.maximumNode).contains($0) }) { throw Defect.number(id) }
    let roots = records.values.count { $0.parent == nil }
    guard roots == 1, let root = records[Self.rootNode], root.parent == nil else { throw Defect.rootCount(roots) }
    for record in records.values {
      var ancestor = record
      var depth = 0
      while let parent = ancestor.parent {
        guard let next = records[parent] else { throw Defect.orphan(ancestor.id, parent: parent) }
        guard next.id != record.id else { throw Defect.cycle(record.id) }
        depth += 1
        guard depth <= Self.maximumDepth else { throw Defect.tooDeep(record.id, limit: Self.maximumDepth) }
        ancestor = next
      }
    }
  }
}
