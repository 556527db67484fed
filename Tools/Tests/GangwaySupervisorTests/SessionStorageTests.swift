import Foundation
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import TestSupport
import Testing

@_spi(FrontEnd) @testable import GangwaySupervisor

/// The contract of ``SessionStorage``, for each implementation.
@MainActor @Suite struct SessionStorageTests {
  /// An implementation.
  enum Kind: CaseIterable { case files }

  private let workshop: Workshop

  init() throws { workshop = try Workshop() }

  /// Opens the storage of this test, as an app does at its start.
  private func storage(_ kind: Kind, maximum: Int = 200) -> any SessionStorage {
    switch kind {
    case .files: FileStorage(path: workshop.path("sessions"), maximum: maximum)
    }
  }

  /// A session with some entries.
  private static func checkpoint(_ title: String) -> Checkpoint {
    var root = Checkpoint.Record(id: 1, parent: nil, position: 0, style: "root")
    root.title = title
    return Checkpoint(nextNode: 2, records: [1: root])
  }

  private static func store(_ title: String, in store: any StoredSession) -> Checkpoint {
    let checkpoint = checkpoint(title)
    store.current = { checkpoint }
    store.note(
      .init(changed: Array(checkpoint.records.values), removed: [], nextNode: checkpoint.nextNode), of: checkpoint)
    return checkpoint
  }

  @Test(arguments: Kind.allCases) func aChangeIsStoredWhenTheCallReturns(_ kind: Kind) async throws {
    let first = storage(kind)
    #expect(!first.isStored("s", of: "ann"))
    #expect(!first.hasSessions(of: "ann"))
    do {
      let opened = try await first.open("s", of: "ann")
      #expect(opened.checkpoint == nil)
      #expect(opened.notice == nil)
      let store = try #require(opened.store)
      let stored = Self.store("one", in: store)
      #expect(first.isStored("s", of: "ann"))
      #expect(first.hasSessions(of: "ann"))
      #expect(!first.isStored("s", of: "bob"))
      #expect(!store.isBehind)
      #expect(stored.records[1]?.title == "one")
    }
    // Without `finish`, as after the end of the process.
    let second = try await storage(kind).open("s", of: "ann")
    #expect(second.checkpoint == Self.checkpoint("one"))
  }

  @Test(arguments: Kind.allCases) func onlyOneAppHasASession(_ kind: Kind) async throws {
    let first = try await storage(kind).open("s", of: "ann")
    let store = try #require(first.store)
    _ = Self.store("one", in: store)
    let second = try await storage(kind).open("s", of: "ann")
    #expect(second.store == nil)
    #expect(second.notice != nil)
    #expect(await store.finish(Self.checkpoint("one")))
  }

  @Test(arguments: Kind.allCases) func aFinishedSessionGoesOn(_ kind: Kind) async throws {
    do {
      let opened = try await storage(kind).open("s", of: "ann")
      let store = try #require(opened.store)
      let one = Self.store("one", in: store)
      #expect(await store.finish(one))
      store.goOn()
      let two = Self.store("two", in: store)
      #expect(await store.finish(two))
    }
    #expect(try await storage(kind).open("s", of: "ann").checkpoint == Self.checkpoint("two"))
  }

  @Test(arguments: Kind.allCases) func aSessionBeginsWhenItIsFirstUsed(_ kind: Kind) async throws {
    let storage = storage(kind)
    do {
      let begun = try storage.begin("s", of: "ann")
      #expect(!storage.isStored("s", of: "ann"))
      _ = Self.store("one", in: try #require(begun.store))
    }
    #expect(try await storage.open("s", of: "ann").checkpoint == Self.checkpoint("one"))
  }

  @Test(arguments: Kind.allCases) func aSessionThatIsSetAsideIsKeptElsewhere(_ kind: Kind) async throws {
    do {
      let opened = try await storage(kind).open("s", of: "ann")
      let store = try #require(opened.store)
      _ = Self.store("one", in: store)
      #expect(store.setAside("it is of no use")?.contains("it is of no use") == true)
      _ = Self.store("two", in: store)
    }
    #expect(try await storage(kind).open("s", of: "ann").checkpoint == Self.checkpoint("two"))
  }

  @Test(arguments: Kind.allCases) func theSessionsOfAProfileAreRemovedExceptThoseInUse(_ kind: Kind) async throws {
    let storage = storage(kind)
    let used = try await storage.open("used", of: "ann")
    _ = Self.store("one", in: try #require(used.store))
    for id: SessionID in ["a", "b"] {
      _ = Self.store("one", in: try #require(try await storage.open(id, of: "ann").store))
    }
    _ = Self.store("one", in: try #require(try await storage.open("a", of: "bob").store))
    storage.removeSessions(of: "ann")
    #expect(storage.isStored("used", of: "ann"))
    #expect(!storage.isStored("a", of: "ann") && !storage.isStored("b", of: "ann"))
    #expect(storage.isStored("a", of: "bob"))
    withExtendedLifetime(used) {}
  }

  /// A newcomer's session takes the place of the least recently used one that is not in use.
  @Test(arguments: Kind.allCases) func aProfileHasALimitedNumberOfSessions(_ kind: Kind) async throws {
    let storage = storage(kind, maximum: 2)
    let used = try await storage.open("used", of: "ann")
    _ = Self.store("one", in: try #require(used.store))
    for id: SessionID in ["a", "b", "c"] {
      _ = Self.store("one", in: try #require(try await storage.open(id, of: "ann").store))
      try await Task.sleep(for: .milliseconds(20))
    }
    #expect(storage.isStored("used", of: "ann"))
    #expect(!storage.isStored("a", of: "ann"))
    #expect(storage.isStored("c", of: "ann"))
    withExtendedLifetime(used) {}
  }

  @Test(arguments: Kind.allCases) func aCopyIsKeptUntilTheNextStart(_ kind: Kind) async throws {
    let storage = storage(kind)
    let opened = try await storage.open("s", of: "ann")
    let store = try #require(opened.store)
    let checkpoint = Self.store("one", in: store)
    #expect(store.keepCopy(of: checkpoint))
    storage.removeCopies()
    #expect(storage.isStored("s", of: "ann"))
  }
}
