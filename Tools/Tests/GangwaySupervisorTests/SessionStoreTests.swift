import Foundation
@_spi(FrontEnd) import GangwayProtocol
import Synchronization
@_spi(FrontEnd) import TestSupport
import Testing

@_spi(FrontEnd) @testable import GangwaySupervisor

/// The session file, which contains the visible state even when the disk fails.
@MainActor @Suite struct SessionStoreTests {
  private let workshop: Workshop
  private var path: String { workshop.path("session.json") }

  init() throws { workshop = try Workshop() }

  /// A session of one entry, which contains the number of its changes.
  @MainActor private final class Session {
    let store: SessionStore
    private(set) var checkpoint = Checkpoint(nextNode: 2, records: [:])

    init(_ path: String) throws {
      store = try #require(try SessionStore.open(path, isFresh: false).store as? SessionStore)
      store.current = { [unowned self] in checkpoint }
    }

    func change(_ number: Int) {
      let record = Checkpoint.Record(id: 1, parent: nil, position: number, style: "root")
      let change = Checkpoint.Change(changed: [record], removed: [], nextNode: 2)
      checkpoint.fold(change)
      store.note(change, of: checkpoint)
    }
  }

  private var stored: Int? {
    guard case .checkpoint(let checkpoint) = StateFile(path: path).read() else { return nil }
    return checkpoint.records[1]?.position
  }

  /// After a slow write, the file becomes complete without another change and without the end of the app.
  @Test func whatChangesWhileTheWholeIsBeingWrittenIsWrittenToo() async throws {
    let session = try Session(path)
    let begun = Mutex(0)
    session.store.disk.write = { file, checkpoint in
      if begun.withLock({
        $0 += 1; return $0
      }) > 1 {
        usleep(400_000)
      }
      return try file.writeBeside(checkpoint)
    }
    // Every write counts as slow.
    session.store.patience = .zero
    session.change(1)
    #expect(stored == 1)
    session.change(2)
    try await eventually { begun.withLock(\.self) == 2 }
    session.change(3)
    session.store.patience = .seconds(60)
    try await eventually { stored == 3 }
    await session.store.finish(session.checkpoint)
  }

  /// A line that cannot be appended is part of the next full write, and no later line is appended before that.
  @Test func whatCannotBeAppendedComesWithTheWhole() async throws {
    let session = try Session(path)
    var told: [String] = []
    session.store.didFail = { told.append($0) }
    session.store.patience = .seconds(60)
    session.store.disk.write = { file, checkpoint in
      let written = try file.writeBeside(checkpoint)
      close(written.descriptor)
      return .init(descriptor: open(written.path, O_RDONLY | O_CLOEXEC), path: written.path, size: written.size)
    }
    session.change(1)
    session.store.disk.write = { try $0.writeBeside($1) }
    session.change(2)
    #expect(told.count == 1)
    session.change(3)
    #expect(stored == 1)
    try await eventually { stored == 3 }
    session.change(4)
    #expect(stored == 4)
    await session.store.finish(session.checkpoint)
  }

  /// A session that is set aside during a write is not written again.
  @Test func whatIsSetAsideIsNotWrittenAgain() async throws {
    let session = try Session(path)
    let begun = Mutex(false)
    session.change(1)
    session.store.patience = .zero
    session.change(2)
    session.store.disk.write = { file, checkpoint in
      begun.withLock { $0 = true }
      usleep(400_000)
      return try file.writeBeside(checkpoint)
    }
    session.change(3)
    try await eventually { begun.withLock(\.self) }
    #expect(session.store.setAside("it is of no use")?.contains("was moved to") == true)
    try await Task.sleep(for: .milliseconds(800))
    #expect(!FileManager.default.fileExists(atPath: path))
    #expect(try FileManager.default.contentsOfDirectory(atPath: workshop.folder).filter { $0.hasSuffix(".new") } == [])
  }
}
