import Foundation
@_spi(FrontEnd) import GangwayProtocol
import GangwayTesting
import Testing

@testable import Blither

@MainActor @Suite final class BlitherFlowTests {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("blither-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private func makeFlow() async throws -> FlowTester<BlitherCoordinator> {
    let folder = folder
    return try await FlowTester(BlitherCoordinator(store: BlitherStore(folder: folder)))
  }

  private func start(_ flow: FlowTester<BlitherCoordinator>, size: String = "5", computer: Bool = false) async throws {
    try await flow.tap("New Game")
    try await flow.type(size, into: "Board size")
    if computer { try await flow.toggle("Computer player") }
    try await flow.tap("Start")
  }

  /// Places red stones down the first column, and blue ones down the second.
  private func win(_ flow: FlowTester<BlitherCoordinator>) async throws {
    for row in 0..<5 {
      try await flow.tapCell(row: row, column: 0)
      if row < 4 { try await flow.tapCell(row: row, column: 1) }
    }
  }

  @Test(arguments: ["gangway://blither", "gangway://blither/new", "gangway://blither/rules", "gangway://blither/stats"])
  func eachLinkLeadsWhereItSaysAndBack(_ url: String) async throws {
    let flow = try await FlowTester(plugins: [BlitherPlugin.self])
    try await flow.open(url)
    #expect(flow.url == url)
  }

  @Test func theMainMenuOffersEverything() async throws {
    let flow = try await makeFlow()
    #expect(flow.screen == "Blither\n⬢ Blither\nNew Game\nRules\nOptions\nStats\nAbout\nApp Icon")
  }

  @Test(arguments: ["Rules", "Options", "Stats", "About", "App Icon"])
  func everyPlaceIsPushedAndLeftAgain(_ place: String) async throws {
    let flow = try await makeFlow()
    try await flow.tap(place)
    #expect(flow.screen.hasPrefix("Blither > \(place)\n"))
    try await flow.restart()
    #expect(flow.screen.hasPrefix("Blither > \(place)\n"))
    try await flow.back()
    #expect(flow.path == [.mainMenu])
  }

  @Test func aWonGameIsCountedOnce() async throws {
    let flow = try await makeFlow()
    try await start(flow)
    try await win(flow)
    #expect(flow.screen.hasPrefix("Blither > Game\nWinner: Red\n"))
    try await flow.restart()
    #expect(flow.screen.hasPrefix("Blither > Game\nWinner: Red\n"))
    try await flow.back()
    #expect(!flow.screen.contains("Continue"))
    try await flow.tap("Stats")
    #expect(flow.screen.contains("Games played: 1\nWinner | Games | Moves\nRed | 1 | 9\nBlue | 0 | 0"))
  }

  @Test func theKeyUIsTheGamesFromItsBeginningToItsEnd() async throws {
    let flow = try await makeFlow()
    func undo() -> Element? { flow.presentation.reachable.first { $0.label == "Undo" } }
    try await start(flow)
    #expect(undo()?.shortcut == "u" && undo()?.detail == "no moves yet")
    try await flow.tapCell(row: 0, column: 0)
    #expect(undo()?.shortcut == "u" && undo()?.isEnabled == true)
    try await flow.tap("Undo")
    try await win(flow)
    #expect(undo()?.shortcut == "u" && undo()?.detail == "the game is over")
  }

  @Test func aGameIsCountedOnceAlsoWhenTheHostDiesWhileCounting() async throws {
    let flow = try await makeFlow()
    try await start(flow)
    for row in 0..<4 {
      try await flow.tapCell(row: row, column: 0)
      try await flow.tapCell(row: row, column: 1)
    }
    let game = try #require(flow.coordinator?.state.game)
    // The winning move was counted, and the host crashed before its update. The checkpoint is one move behind.
    BlitherStore(folder: folder).count(game, winner: .red)
    try await flow.restart()
    try await flow.tapCell(row: 4, column: 0)
    #expect(flow.screen.contains("Winner: Red"))
    #expect(BlitherStore(folder: folder).games.count == 1)
  }

  @Test func menuConfigurationGameGameEndsAsMenuAndAFreshGame() async throws {
    let flow = try await makeFlow()
    try await start(flow)
    try await flow.tapCell(row: 0, column: 0)
    let first = flow.coordinator?.state.game?.id
    try await flow.coordinator?.startGame(size: 5, isAgainstComputer: false)
    try await flow.settle()
    #expect(flow.path == [.mainMenu, .game])
    #expect(flow.presentation.layers.count == 1)
    #expect(flow.coordinator?.state.game?.id != first)
    #expect(flow.coordinator?.state.game?.moves == [])
  }

  @Test func playAgainReplacesTheGame() async throws {
    let flow = try await makeFlow()
    try await start(flow)
    try await win(flow)
    try await flow.tap("Play Again")
    #expect(flow.path == [.mainMenu, .game])
    #expect(flow.screen.contains("Red to move"))
  }

  @Test func aRematchIsRemindedOfByWhoeverOffersThat() async throws {
    let folder = folder
    let flow = try await FlowTester(
      BlitherCoordinator(store: BlitherStore(folder: folder)),
      stubs: [.place("todos.create", taking: [String: String].self, endingWith: Made.self)])
    try await start(flow)
    try await win(flow)
    try await flow.tap("Remind me about a rematch")
    #expect(flow.navigations.count == 1)
    #expect(flow.screen.contains("Rematch on 5 × 5") && flow.screen.contains("Red won. Moves: 9"))
    try await flow.restart()
    try await flow.finishStub("todos.create", with: Made(id: 3, title: "Rematch"))
    #expect(flow.screen.contains("Reminder: Rematch"))
    #expect(!flow.screen.contains("Remind me"))
    try await flow.restart()
    #expect(flow.screen.contains("Reminder: Rematch"))
    try await flow.tap("Play Again")
    #expect(!flow.screen.contains("Reminder"))
  }

  private struct Made: Codable, Sendable {
    let id: Int
    let title: String
  }

  @Test func withoutTodosTheButtonSaysWhy() async throws {
    let flow = try await makeFlow()
    try await start(flow)
    try await win(flow)
    #expect(flow.screen.contains("about a rematch (unavailable: This needs a feature that is not installed.)"))
  }

  @Test func theMenuOverTheMenuChangesNothing() async throws {
    let flow = try await makeFlow()
    let before = flow.checkpoint
    try await flow.coordinator?.navigate(to: .mainMenu)
    #expect(flow.checkpoint == before)
  }

  @Test func anyNavigationDismissesTheConfigurationFirst() async throws {
    let flow = try await makeFlow()
    try await flow.tap("New Game")
    try await flow.coordinator?.navigate(to: .rules)
    try await flow.settle()
    #expect(flow.path == [.mainMenu, .rules])
  }

  /// Blither's own `.back` dismisses the sheet and pops too. Here, one step back is one step.
  @Test func backLeavesTheConfigurationAndNothingElse() async throws {
    let flow = try await makeFlow()
    try await flow.tap("Rules")
    try await flow.coordinator?.navigate(to: .newGameConfig)
    try await flow.settle()
    try await flow.back()
    #expect(flow.path == [.mainMenu, .rules])
  }

  @Test func aGameGoesOnAfterARestartAndFromTheMenu() async throws {
    let flow = try await makeFlow()
    try await start(flow)
    try await flow.tapCell(row: 2, column: 2)
    let before = flow.screen
    try await flow.restart()
    #expect(flow.screen == before)
    try await flow.back()
    try await flow.tap("Continue")
    #expect(flow.screen == before)
  }

  @Test(arguments: ["4", "12", "", "x", "-5"])
  func aBoardOfAnotherSizeCannotBeStarted(_ size: String) async throws {
    let flow = try await makeFlow()
    try await flow.tap("New Game")
    try await flow.type(size, into: "Board size")
    #expect(flow.screen.hasSuffix("Start (unavailable: choose 5 to 11 cells a side)"))
    await #expect(throws: FlowFailure.self) { try await flow.tap("Start") }
  }

  @Test func theComputerAnswers() async throws {
    let flow = try await makeFlow()
    try await start(flow, size: "7", computer: true)
    try await flow.tapCell(row: 0, column: 0)
    #expect(flow.coordinator?.state.game?.moves.count == 2)
    #expect(flow.screen.contains("Red to move"))
    try await flow.tap("Undo")
    #expect(flow.coordinator?.state.game?.moves == [])
  }

  @Test func swappingTakesTheStoneOver() async throws {
    let flow = try await makeFlow()
    try await start(flow)
    try await flow.tapCell(row: 1, column: 3)
    try await flow.tap("Swap")
    #expect(flow.coordinator?.state.game?.stones == [Cell(row: 3, column: 1): .blue])
    #expect(!flow.screen.contains("Swap"))
  }

  @Test func resigningAsksFirstUnlessItIsTurnedOff() async throws {
    let flow = try await makeFlow()
    try await start(flow)
    try await flow.tapCell(row: 0, column: 0)
    try await flow.tap("Resign")
    #expect(flow.screen.contains("(alert) Resign?\nIf you resign, Red wins.\nResign the game\nCancel"))
    try await flow.tap("Cancel")
    #expect(flow.screen.contains("Blue to move"))
    try await flow.back()
    try await flow.tap("Options")
    try await flow.toggle("Ask before resigning")
    try await flow.back()
    try await flow.tap("Continue")
    try await flow.tap("Resign")
    #expect(flow.screen.contains("Winner: Red"))
  }

  @Test func optionsAreKept() async throws {
    let flow = try await makeFlow()
    try await flow.tap("App Icon")
    try await flow.choose("♞", in: "Icon")
    let next = try await makeFlow()
    #expect(next.screen.contains("♞ Blither"))
  }

  @Test func aCorruptFileIsSaidAndKeptAndTheGameGoesOn() async throws {
    let file = folder.appendingPathComponent("blither.sqlite")
    let garbage = Data("this is no database, whatever else it may be".utf8)
    try garbage.write(to: file)
    let flow = try await makeFlow()
    #expect(flow.screen.contains("The statistics could not be read:"))
    try await start(flow)
    try await win(flow)
    #expect(flow.screen.contains("Winner: Red"))
    #expect(try Data(contentsOf: file) == garbage)
  }

  @Test func aFileThatCannotBeWrittenIsSaidAndKept() async throws {
    _ = BlitherStore(folder: folder).games
    let store = BlitherStore(folder: folder, isReadOnly: true)
    let flow = try await FlowTester(BlitherCoordinator(store: store))
    try await start(flow)
    try await win(flow)
    #expect(flow.screen.contains("Winner: Red"))
    #expect(flow.screen.contains("The result of this game could not be saved:"))
    #expect(BlitherStore(folder: folder).games.isEmpty)
  }
}
