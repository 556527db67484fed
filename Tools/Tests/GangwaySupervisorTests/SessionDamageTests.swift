import Foundation
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import TestSupport
import Testing

@_spi(FrontEnd) @testable import GangwaySupervisor

/// Session files whose bytes a disk or a program has changed.
@Suite struct SessionDamageTests {
  private let workshop: Workshop
  private let (path, folder): (String, String)

  @MainActor init() throws {
    workshop = try Workshop()
    (path, folder) = (workshop.path("state/session.json"), workshop.path("state"))
  }

  /// Stores a session with some screens, and then changes to all of them.
  @MainActor private func store() async throws -> Checkpoint {
    let opening = try SessionStore.open(path, isFresh: false)
    let store = try #require(opening.store)
    var checkpoint = Checkpoint(nextNode: 2, records: [1: .init(id: 1, parent: nil, position: 0, style: "root")])
    for number in 2...6 {
      let id = NodeID(rawValue: number)
      var record = Checkpoint.Record(id: id, parent: 1, position: number - 2, style: "push")
      record.values = ["text": "Typed into \(id)"]
      checkpoint.records[id] = record
    }
    checkpoint.nextNode = 7
    store.current = { checkpoint }
    store.note(.init(changed: Array(checkpoint.records.values), removed: [], nextNode: 7), of: checkpoint)
    for number in 2...6 {
      let id = NodeID(rawValue: number)
      var record = try #require(checkpoint.records[id])
      record.values = ["text": "Typed again into \(id)"]
      checkpoint.records[id] = record
      store.note(.init(changed: [record], removed: [], nextNode: 7), of: checkpoint)
    }
    return checkpoint
  }

  /// A changed bit is reported, and costs at most one line.
  @Test func aChangedBitCostsItsLineAndIsTold() async throws {
    let whole = try await store()
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    guard case .checkpoint(let read) = StateFile(path: path).read(), read == whole else {
      Issue.record("The file is not read back as it was written")
      return
    }
    var random = SeededRandom()
    var (told, silent) = (0, [String]())
    // A check most easily misses changed line breaks.
    let places =
      (0..<300).map { _ in Int.random(in: 0..<bytes.count, using: &random) }
      + bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }
    for place in places {
      var damaged = bytes
      damaged[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      try damaged.write(to: URL(fileURLWithPath: path))
      chmod(path, 0o600)
      switch StateFile(path: path).read() {
      case .partial(let rest, let notice):
        told += 1
        #expect(notice.contains("is damaged"), "\(notice)")
        let lost = whole.records.values.filter { rest.records[$0.id]?.values != $0.values }.map(\.id)
        #expect(lost.count <= 1, "Byte \(place): \(lost) are lost. \(notice)")
      case .checkpoint(let rest):
        if rest != whole { silent.append("byte \(place) of \(bytes.count)") }
      case .setAside(let notice):
        Issue.record("Byte \(place): \(notice)")
      case .nothing, .notNow: Issue.record("Byte \(place)")
      }
      for file in try FileManager.default.contentsOfDirectory(atPath: folder)
      where file.contains(".set-aside-") {
        try FileManager.default.removeItem(atPath: "\(folder)/\(file)")
      }
    }
    #expect(silent.isEmpty, "Lost without a word: \(silent)")
    #expect(told > 250)
  }
}
