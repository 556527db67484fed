@_spi(FrontEnd) import GangwayProtocol
import Testing

@Suite struct CheckpointTests {
  private func record(_ id: NodeID, _ parent: NodeID?) -> Checkpoint.Record {
    Checkpoint.Record(id: id, parent: parent, position: 0, style: "push")
  }

  private func checkpoint(_ records: [Checkpoint.Record]) -> Checkpoint {
    Checkpoint(nextNode: 1, records: Dictionary(uniqueKeysWithValues: records.map { ($0.id, $0) }))
  }

  @Test func aTreeIsValid() throws {
    try checkpoint([record(1, nil), record(2, 1), record(3, 2)]).validate()
    try Checkpoint().validate()
  }

  @Test func whatIsNoTreeIsRefused() {
    var other = checkpoint([record(1, nil)])
    other.format = 99
    #expect(throws: Checkpoint.Defect.format(found: 99, known: 1)) { try other.validate() }
    #expect(throws: Checkpoint.Defect.rootCount(2)) { try checkpoint([record(1, nil), record(2, nil)]).validate() }
    #expect(throws: Checkpoint.Defect.rootCount(1)) { try checkpoint([record(2, nil)]).validate() }
    #expect(throws: Checkpoint.Defect.orphan(2, parent: 9)) {
      try checkpoint([record(1, nil), record(2, 9)]).validate()
    }
    #expect(throws: Checkpoint.Defect.self) {
      try checkpoint([record(1, nil), record(2, 3), record(3, 2)]).validate()
    }
    let deep = [record(1, nil)] + (2...400).map { record(NodeID(rawValue: $0), NodeID(rawValue: $0 - 1)) }
    #expect(throws: Checkpoint.Defect.self) { try checkpoint(deep).validate() }
  }

  /// A number without room for the next one would stop every host that restores it.
  @Test(arguments: [Int.max, Int.max - 1, 1 << 54, -1, 0].map(NodeID.init(rawValue:)))
  func numbersThatNoSessionGivesOutAreRefused(_ number: NodeID) {
    var high = checkpoint([record(1, nil)])
    high.nextNode = number
    if number > 1 { #expect(throws: Checkpoint.Defect.number(number)) { try high.validate() } }
    #expect(throws: Checkpoint.Defect.number(number)) {
      try checkpoint([record(1, nil), record(number, 1)]).validate()
    }
  }

  @Test func moreThanAPersonComesToIsRefused() {
    let many = [record(1, nil)] + (2...Checkpoint.maximumRecords + 1).map { record(NodeID(rawValue: $0), 1) }
    #expect(throws: Checkpoint.Defect.tooMany(many.count, limit: Checkpoint.maximumRecords)) {
      try checkpoint(many).validate(maximumRecords: Checkpoint.maximumRecords)
    }
    // A session is restored at any size.
    #expect(throws: Never.self) { try checkpoint(many).validate() }
  }

  /// No message of a host can make the stored checkpoint unreadable.
  @Test func aChangeWithANumberThatNoSessionGivesOutKeepsTheRest() throws {
    var whole = checkpoint([record(1, nil), record(2, 1)])
    whole.fold(.init(changed: [record(3, 1)], removed: [], nextNode: NodeID(rawValue: Int.max)))
    try whole.validate()
    #expect(whole.nextNode == 4)
  }

  @Test func changesAreFoldedIn() {
    var folded = checkpoint([record(1, nil), record(2, 1)])
    folded.fold(.init(changed: [record(3, 1)], removed: [2], nextNode: 4))
    #expect(folded.records.keys.sorted() == [1, 3])
    #expect(folded.nextNode == 4)
  }

  @Test func equalCheckpointsAreEqualText() throws {
    let first = checkpoint([record(1, nil), record(2, 1), record(3, 1)])
    let second = checkpoint([record(3, 1), record(2, 1), record(1, nil)])
    #expect(try Line.encode(first) == Line.encode(second))
  }
}
