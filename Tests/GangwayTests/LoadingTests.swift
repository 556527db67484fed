@_spi(FrontEnd) import Gangway
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) @testable import GangwayTesting
import Observation
import Testing

/// Content that loads, fails, is tried again and is loaded again.
@MainActor @Suite struct LoadingTests {
  @Test func itShowsProgressAndThenTheContent() async throws {
    let shelf = Bookcase()
    shelf.delay = .seconds(1)
    let flow = try await FlowTester(BookRoom(shelf))
    #expect(flow.screen.contains("Loading the books …"))
    #expect(!flow.screen.contains("Emma"))
    try await flow.advance(shelf.clock, by: .seconds(1))
    #expect(!flow.screen.contains("Loading"))
    #expect(flow.screen.contains("Emma"))
    #expect(shelf.loads == 1)
  }

  @Test func aFailureSaysWhyAndIsTriedAgain() async throws {
    let shelf = Bookcase()
    shelf.failure = "the shelf is locked"
    let flow = try await FlowTester(BookRoom(shelf))
    #expect(flow.screen.contains("This could not be loaded"))
    #expect(flow.screen.contains("the shelf is locked"))
    #expect(!flow.screen.contains("Loading"))
    shelf.failure = nil
    try await flow.tap("Try again")
    #expect(flow.screen.contains("Emma"))
    #expect(!flow.screen.contains("locked"))
    #expect(shelf.loads == 2)
  }

  @Test func aRefreshKeepsTheRowsAlsoWhenItFails() async throws {
    let shelf = Bookcase()
    let flow = try await FlowTester(BookRoom(shelf))
    #expect(flow.screen.contains("Emma"))
    (shelf.delay, shelf.books) = (.seconds(1), ["Persuasion"])
    try await flow.tap("Refresh")
    #expect(flow.screen.contains("Emma") && flow.screen.contains("Loading the books …"))
    try await flow.advance(shelf.clock, by: .seconds(1))
    #expect(flow.screen.contains("Persuasion") && !flow.screen.contains("Emma"))
    (shelf.delay, shelf.failure) = (nil, "the shelf is locked")
    try await flow.tap("Refresh")
    #expect(flow.screen.contains("Persuasion") && flow.screen.contains("the shelf is locked"))
  }

  @Test func leavingTheScreenCancelsTheLoadAndComingBackStartsIt() async throws {
    let shelf = Bookcase()
    shelf.delay = .seconds(1)
    let flow = try await FlowTester(BookRoom(shelf))
    try await flow.tap("Add")
    try await yieldUntil(shelf.cancellations > 0)
    #expect(!shelf.titles.isLoading)
    try await flow.back()
    #expect(shelf.titles.isLoading)
    try await flow.advance(shelf.clock, by: .seconds(1))
    #expect(flow.screen.contains("Emma"))
  }

  /// The covered list does not load after a restart, so the form must wait for the list itself.
  @Test func aFormDoesNotSaveOverAListThatIsNotLoadedYet() async throws {
    let shelf = Bookcase()
    let flow = try await FlowTester(BookRoom(shelf))
    try await flow.tap("Add")
    shelf.titles.value = nil
    try await flow.restart()
    #expect(shelf.titles.value == nil)
    try await flow.tap("Add one")
    #expect(shelf.books == ["Emma", "New"])
    #expect(shelf.titles.value == ["Emma", "New"])
  }

  /// Otherwise the list from before would overwrite content that could not be read.
  @Test func aFormDoesNotSaveOverAListThatCouldNotBeReadAgain() async throws {
    let shelf = Bookcase()
    _ = try await FlowTester(BookRoom(shelf))
    (shelf.books, shelf.failure) = (["Emma", "Persuasion"], "locked")
    await shelf.titles.reload()
    #expect(shelf.titles.value == ["Emma"])
    await #expect(throws: ShelfLocked.self) { try await shelf.add("New") }
    #expect(shelf.books == ["Emma", "Persuasion"])
    shelf.failure = nil
    try await shelf.add("New")
    #expect(shelf.books == ["Emma", "Persuasion", "New"])
  }

  @Test func aFormWaitsForARefreshThatRuns() async throws {
    let shelf = Bookcase()
    let flow = try await FlowTester(BookRoom(shelf))
    (shelf.books, shelf.delay) = (["Emma", "Persuasion"], .seconds(1))
    let refresh = Task { await shelf.titles.reload() }
    try await yieldUntil(shelf.loads >= 2)
    let addition = Task { try await shelf.add("New") }
    try await flow.advance(shelf.clock, by: .seconds(2))
    await refresh.value
    try await addition.value
    #expect(shelf.books == ["Emma", "Persuasion", "New"])
  }

  @Test func aValueThatIsSetWinsOverALoadThatRuns() async throws {
    let shelf = Bookcase()
    shelf.delay = .seconds(1)
    let flow = try await FlowTester(BookRoom(shelf))
    shelf.titles.value = ["Mine"]
    try await flow.settle()
    #expect(flow.screen.contains("Mine") && !flow.screen.contains("Loading"))
    try await flow.advance(shelf.clock, by: .seconds(2))
    #expect(flow.screen.contains("Mine") && !flow.screen.contains("Emma"))
  }

  @Test func aValueThatIsForgottenIsLoadedAgainWhileItIsShown() async throws {
    let shelf = Bookcase()
    let flow = try await FlowTester(BookRoom(shelf))
    shelf.titles.value = nil
    try await flow.settle()
    #expect(flow.screen.contains("Emma"))
    #expect(shelf.loads == 2)
  }

  @Test func oneLoadServesAllAndEndsWithTheLastOfThem() async throws {
    let shelf = Bookcase()
    shelf.delay = .seconds(1)
    let first = Task { try await shelf.titles.get() }
    let second = Task { try await shelf.titles.get() }
    try await yieldUntil(shelf.loads > 0)
    await Task.yield()
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    #expect(shelf.cancellations == 0)
    second.cancel()
    await #expect(throws: CancellationError.self) { try await second.value }
    #expect(shelf.loads == 1)
    try await yieldUntil(shelf.cancellations > 0)
    #expect(!shelf.titles.isLoading)
  }

  @Test func anOwnFailureContentIsShownAboveTheRetry() async throws {
    let source = Loadable<[String]> { throw ShelfLocked(description: "locked") }
    let flow = try await FlowTester(Reading(source))
    #expect(flow.screen.contains("Ask the librarian: locked"))
    #expect(flow.screen.contains("Try again"))
  }
}

/// Long work of a flow.
@MainActor @Suite struct WorkTests {
  @Test func itShowsProgressGoesOnUnderOtherScreensAndTellsItsResult() async throws {
    let shelf = Bookcase()
    let flow = try await FlowTester(BookRoom(shelf))
    #expect(!flow.screen.contains("Importing"))
    try await flow.tap("Import")
    #expect(flow.screen.contains("Importing books: 0%"))
    try await flow.advance(shelf.clock, by: .seconds(1))
    #expect(flow.screen.contains("Importing books: 25%"))
    #expect(flow.screen.contains("1 of 4"))
    try await flow.tap("Add")
    try await flow.advance(shelf.clock, by: .seconds(3))
    #expect(flow.told.notices.map(\.text) == ["4 books were imported."])
    try await flow.back()
    #expect(!flow.screen.contains("Importing"))
    #expect(!shelf.importing.isRunning)
  }

  /// The step that presses Cancel lasts as long as the work, so a test notices work that ignores it.
  @Test func cancelLastsUntilTheWorkHasEnded() async throws {
    let shelf = Bookcase()
    let flow = try await FlowTester(BookRoom(shelf))
    try await flow.start("Sort")
    try await flow.tap("Cancel")
    #expect(!shelf.importing.isRunning)
    #expect(shelf.sorted == 20, "the work ignores its cancellation")
  }

  @Test func theUserCancelsIt() async throws {
    let shelf = Bookcase()
    let flow = try await FlowTester(BookRoom(shelf))
    try await flow.tap("Import")
    try await flow.advance(shelf.clock, by: .seconds(1))
    try await flow.tap("Cancel")
    try await flow.settle()
    #expect(!flow.screen.contains("Importing"))
    #expect(!shelf.importing.isRunning && shelf.importing.error == nil)
    #expect(flow.told.notices.isEmpty)
    // A second run starts from the beginning.
    try await flow.tap("Import")
    #expect(flow.screen.contains("Importing books: 0%"))
  }

  @Test func aSecondStartDoesNothingWhileItRuns() async throws {
    let shelf = Bookcase()
    let flow = try await FlowTester(BookRoom(shelf))
    try await flow.tap("Import")
    try await flow.advance(shelf.clock, by: .seconds(1))
    try await flow.tap("Import")
    #expect(flow.screen.contains("Importing books: 25%"))
  }

  @Test func aFailureIsToldShownAndTriedAgain() async throws {
    let shelf = Bookcase()
    let flow = try await FlowTester(BookRoom(shelf))
    shelf.failure = "the shelf is locked"
    try await flow.tap("Import")
    flow.notices = []
    // The step in which the work fails does not pass.
    let failure = await #expect(throws: FlowFailure.self) { try await flow.advance(shelf.clock, by: .seconds(1)) }
    #expect(failure?.message.contains("the shelf is locked") == true)
    #expect(flow.screen.contains("Importing books did not finish"))
    #expect(flow.told.notices.map(\.text) == ["the shelf is locked"])
    shelf.failure = nil
    try await flow.tap("Try again")
    #expect(flow.screen.contains("Importing books: 0%"))
    try await flow.advance(shelf.clock, by: .seconds(4))
    #expect(!flow.screen.contains("Importing"))
  }

  @Test func itEndsWithTheFlow() async throws {
    let shelf = Bookcase()
    let flow = try await FlowTester(HouseFront(shelf))
    try await flow.tap("Enter")
    try await flow.tap("Import")
    #expect(shelf.importing.isRunning)
    try await flow.back()
    try await flow.settle()
    #expect(!shelf.importing.isRunning)
    #expect(flow.told.notices.isEmpty)
  }
}

// MARK: The flows

private struct ShelfLocked: Error, CustomStringConvertible { let description: String }

@MainActor @Observable private final class Bookcase {
  @ObservationIgnored let clock = TestClock()
  @ObservationIgnored var books = ["Emma"]
  @ObservationIgnored var delay: Duration?
  @ObservationIgnored var failure: String?
  @ObservationIgnored var loads = 0
  @ObservationIgnored var cancellations = 0
  let importing = Work()
  private(set) var sorted = 0
  @ObservationIgnored private(set) lazy var titles = Loadable { [unowned self] in try await read() }

  private func read() async throws -> [String] {
    loads += 1
    if let delay {
      do { try await clock.sleep(for: delay) } catch {
        cancellations += 1
        throw error
      }
    }
    if let failure { throw ShelfLocked(description: failure) }
    return books
  }

  func add(_ title: String) async throws {
    books = try await titles.get() + [title]
    titles.value = books
  }

  /// Ignores its cancellation.
  func sort() async {
    for _ in 0..<20 {
      await Task { try? await Task.sleep(for: .milliseconds(10)) }.value
      sorted += 1
    }
  }

  func importAll(_ work: Work) async throws -> String {
    for index in 0..<4 {
      work.fraction = Double(index) / 4
      work.detail = "\(index) of 4"
      try await clock.sleep(for: .seconds(1))
      if let failure { throw ShelfLocked(description: failure) }
    }
    return "4 books were imported."
  }
}

private final class BookRoom: StackCoordinator {
  enum Route: NavigationRoute { case books, add }
  let start = Route.books
  private let shelf: Bookcase
  init(_ shelf: Bookcase) { self.shelf = shelf }

  func destination(for route: Route) -> Destination {
    switch route {
    case .books: .screen { [shelf] in BooksScreen(shelf: shelf, router: $0) }
    case .add: .screen { [shelf] _ in AddScreen(shelf: shelf) }
    }
  }
}

private struct BooksScreen: Screen {
  let shelf: Bookcase, router: Router<BookRoom>
  var body: some Content {
    Loading("Loading the books", shelf.titles) { titles in
      List(titles, id: \.self) { Row($0) }
    }.refreshable { await shelf.titles.reload() }
    Progress("Importing books", work: shelf.importing)
    Button("Import") { try router.start(shelf.importing) { try await shelf.importAll($0) } }
    Button("Sort") {
      try router.start(shelf.importing) { _ in
        await shelf.sort()
        return nil
      }
    }
    Button("Add") { try await router.show(.add) }
  }
}

private struct AddScreen: Screen {
  let shelf: Bookcase
  var body: some Content { Button("Add one") { try await shelf.add("New") } }
}

private final class HouseFront: StackCoordinator {
  enum Route: NavigationRoute { case door, library }
  let start = Route.door
  private let shelf: Bookcase
  init(_ shelf: Bookcase) { self.shelf = shelf }

  func destination(for route: Route) -> Destination {
    switch route {
    case .door: .screen { router in FrontHall(router: router) }
    case .library: .flow { [shelf] in BookRoom(shelf) }
    }
  }
}

private struct FrontHall: Screen {
  let router: Router<HouseFront>
  var body: some Content { Button("Enter") { try await router.show(.library) } }
}

private final class Reading: StackCoordinator {
  struct Route: NavigationRoute {}
  let start = Route()
  private let source: Loadable<[String]>
  init(_ source: Loadable<[String]>) { self.source = source }

  func destination(for route: Route) -> Destination { .screen { [source] _ in SourceScreen(source: source) } }
}

private struct SourceScreen: Screen {
  let source: Loadable<[String]>
  var body: some Content {
    Loading("Loading", source) { titles in
      for title in titles { Text(title) }
    } failed: { error in
      Text("Ask the librarian: \(error)")
    }
  }
}
