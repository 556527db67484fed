import FoundationEssentials
@_spi(FrontEnd) @testable import Gangway
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) @testable import GangwayTesting
import Testing

/// The notifications of commits, and their observers.
@MainActor @Suite(.serialized) struct CommitTests {
  private func castle(_ journal: Journal = Journal()) async throws -> FlowTester<RootCoordinator> {
    Journal.shared = journal
    return try await FlowTester(plugins: [Castle.self, Lodge.self, Press.self])
  }

  /// Returns the commits that wait in a stream now.
  private func take(_ count: Int, _ iterator: inout AsyncStream<NavigationCommit>.Iterator) async -> [NavigationCommit]
  {
    var commits: [NavigationCommit] = []
    while commits.count < count, let next = await iterator.next(isolation: #isolation) { commits.append(next) }
    return commits
  }

  @Test func aCommitSaysWhatCameWhatWentWhyAndWhoWantedIt() async throws {
    let flow = try await castle()
    var commits = flow.session.commits.makeAsyncIterator()
    let start = try #require(await take(1, &commits).first)
    #expect(start.operation == "start")
    #expect(start.came.map(\.location.title) == ["Gate"])
    try await flow.tap("Hall 7")
    try await flow.back()
    try await flow.open("gangway://tour")
    let told = await take(3, &commits)
    try #require(told.count == 3)
    #expect(told.map(\.number) == [start.number + 1, start.number + 2, start.number + 3])
    #expect(told.map(\.source) == [.code, .person, .link])
    #expect(told[0].operation == "show hall(7)")
    #expect(told[0].plugin == "castle")
    #expect(told[0].came.map(\.location.description) == ["hall(7)"])
    #expect(told[0].path.map(\.location.title) == ["Gate", "Hall"])
    #expect(told[1].went.map(\.entry.node) == told[0].came.map(\.node))
    #expect(told[1].went.map(\.reason) == [.cancelled(.back)])
    #expect(told[1].plugin == nil)
    // A place of another feature arrived with its flow.
    #expect(told[2].came.map(\.location.description) == ["hall(1)", "lodge.room", "number(7)"])
    #expect(told[2].came.map(\.isFlow) == [false, true, false])
    #expect(told[2].path.map(\.location.title) == ["Gate", "Hall", "Chamber"])
  }

  @Test func whatAFlowEndedWithIsTold() async throws {
    let flow = try await castle()
    try await flow.open("gangway://sign-in")
    var commits = flow.session.commits.makeAsyncIterator()
    _ = await take(1, &commits)
    try await flow.tap("Pretend")
    let end = try #require(await take(1, &commits).first)
    #expect(end.went.map(\.reason) == [.cancelled(.popped), .finished])
    #expect(end.path.map(\.location.title) == ["Gate"])
  }

  @Test func stepsThroughHistoryAndPayloadsInPlaceAreCommitsToo() async throws {
    let flow = try await castle()
    try await flow.tap("Hall 7")
    var commits = flow.session.commits.makeAsyncIterator()
    #expect(await take(1, &commits).first?.came.map(\.location.title) == ["Gate", "Hall"])
    try await flow.undo()
    try await flow.redo()
    try await flow.session.router(of: Halls.self)?.update(.hall(8))
    try await flow.settle()
    let told = await take(3, &commits)
    #expect(told.map(\.operation) == ["step through history", "step through history", "update hall(8)"])
    #expect(told[0].went.map(\.reason) == [.cancelled(.undone)])
    #expect(told[1].came.map(\.location.description) == ["hall(7)"])
    #expect(told[2].updated.map(\.location.description) == ["hall(8)"])
    #expect(told[2].came.isEmpty && told[2].went.isEmpty)
  }

  @Test func whatIsRefusedIsNoCommit() async throws {
    let flow = try await castle()
    var commits = flow.session.commits.makeAsyncIterator()
    _ = await take(1, &commits)
    await #expect(throws: NavigationError.self) { try await flow.session.open("gangway://broken-tour") }
    try await flow.tap("Hall 7")
    #expect(await take(1, &commits).map(\.operation) == ["show hall(7)"])
  }

  @Test func aStreamThatIsNotReadDelaysNobodyAndShowsWhatItMissed() async throws {
    let flow = try await castle()
    var commits = flow.session.commits.makeAsyncIterator()
    let router = try #require(flow.session.router(of: Halls.self))
    for number in 0..<300 {
      try await router.show(.hall(number))
      if number % 10 == 0 { try await flow.settle() }
    }
    try await flow.settle()
    let told = await take(256, &commits)
    #expect(told.count == 256)
    #expect(told.last?.path.last?.location.description == "hall(299)")
    #expect(zip(told, told.dropFirst()).allSatisfy { $1.number == $0.number + 1 })
    flow.session.close()
    #expect(await commits.next(isolation: #isolation) == nil)
  }

  // MARK: Plugins that observe

  @Test func aPluginIsToldOfEveryCommit() async throws {
    let journal = Journal()
    let flow = try await castle(journal)
    #expect(journal.lines == ["press start Gate"])
    try await flow.tap("Hall 7")
    try await flow.back()
    #expect(journal.lines == ["press start Gate", "press show hall(7) Hall", "press back Gate"])
  }

  @Test func anObserverThatIsSlowDelaysNobody() async throws {
    let journal = Journal()
    journal.isHeld = true
    let flow = try await castle(journal)
    flow.quietLimit = .milliseconds(20)
    try await flow.tap("Hall 7")
    #expect(flow.presentation.path.map(\.title) == ["Gate", "Hall"])
    #expect(flow.session.pending.isEmpty)
    #expect(journal.lines.isEmpty)
    journal.isHeld = false
    journal.gate?.resume()
    try await flow.settle()
    #expect(journal.lines == ["press start Gate", "press show hall(7) Hall"])
  }

  @Test func anObserverThatFailsIsLoggedAndGoesOn() async throws {
    let journal = Journal()
    let flow = try await castle(journal)
    journal.failsOnce = true
    try await flow.tap("Hall 7")
    try await flow.back()
    #expect(journal.lines == ["press start Gate", "press back Gate"])
    #expect(flow.notices.isEmpty)
  }

  @Test func anObserverThatIsNotLoadedYetMissesNothing() async throws {
    Journal.shared = Journal()
    let registry = Registry()
    try registry.register(Castle.self)
    try registry.register(Lodge.self)
    let source = LatePress(registry)
    registry.source = source
    registry.announce(try Registry().manifest(of: Press.self))
    let folder = FileManager.default.temporaryDirectory
    let session = Session(registry: registry, folders: PluginFolders(data: folder, cache: folder, log: { _ in }))
    _ = try session.start()
    try await session.router(of: Halls.self)?.show(.hall(7))
    try await yieldUntil(!session.observers.areTelling)
    #expect(Journal.shared.lines == ["press start Gate", "press show hall(7) Hall"])
  }

  @Test func nobodyObservesTwiceUnderOneName() throws {
    let error = #expect(throws: RegistrationError.self) { try Registry().register(Twice.self) }
    #expect(error?.problems == ["registers the observer 'eyes' twice"])
    let registry = try Registry(plugins: [Press.self])
    #expect(registry.contributions(of: "press") == ["observer journal"])
  }
}

@MainActor private final class Journal {
  static var shared = Journal()
  var lines: [String] = []
  var failsOnce = false
  var isHeld = false
  var gate: ControlledWait.Token?
}

private struct Torn: Error {}

private final class Press: Plugin {
  static let id = "press"
  static let version = "1.0.0"
  func register(in registry: Registrar) {
    registry.observe("journal") { commit, context in
      let journal = Journal.shared
      if journal.isHeld { await ControlledWait.suspend { journal.gate = $0 } }
      if journal.failsOnce {
        journal.failsOnce = false
        throw Torn()
      }
      journal.lines.append("\(context.plugin) \(commit.operation) \(commit.path.last?.location.title ?? "")")
    }
  }
}

private final class Twice: Plugin {
  static let id = "twice"
  static let version = "1.0.0"
  func register(in registry: Registrar) {
    registry.observe("eyes") { _, _ in }
    registry.observe("eyes") { _, _ in }
  }
}

/// A source that loads the press on request, after a while.
@MainActor private final class LatePress: PluginSource {
  private let registry: Registry
  init(_ registry: Registry) { self.registry = registry }

  func load(_ plugin: PluginID, finished: @escaping @MainActor (String?) -> Void) {
    Task {
      try await Task.sleep(for: .milliseconds(30))
      try registry.register(Press.self)
      finished(nil)
    }
  }
}
