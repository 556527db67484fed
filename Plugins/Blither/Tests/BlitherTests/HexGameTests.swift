import Testing

@testable import Blither

@Suite struct HexGameTests {
  private func game(_ moves: [(Int, Int)]) throws -> HexGame {
    var game = HexGame(id: "g", size: 5)
    for (row, column) in moves { try game.play(.place(Cell(row: row, column: column))) }
    return game
  }

  @Test func redJoinsTopAndBottom() throws {
    let moves = [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1), (3, 0), (3, 1)]
    #expect(try game(moves).winner == nil)
    #expect(try game(moves + [(4, 0)]).winner == .red)
  }

  @Test func blueJoinsLeftAndRight() throws {
    let moves = [(0, 0), (2, 0), (0, 1), (2, 1), (0, 2), (2, 2), (0, 3), (2, 3), (4, 4), (2, 4)]
    #expect(try game(moves).winner == .blue)
  }

  @Test func aBentWayCounts() throws {
    // Down along the slanted neighbours: row + 1, column - 1.
    let moves = [(0, 4), (0, 0), (1, 3), (0, 1), (2, 2), (1, 0), (3, 1), (1, 1), (4, 0)]
    #expect(try game(moves).winner == .red)
  }

  @Test func cellsThatOnlyLookAdjacentDoNotJoin() throws {
    // Row + 1, column + 1 is not a neighbour.
    let moves = [(0, 0), (0, 4), (1, 1), (1, 4), (2, 2), (2, 4), (3, 3), (3, 4), (4, 4)]
    #expect(try game(moves).winner == nil)
  }

  @Test func aTakenCellOrOneOutsideIsRefused() throws {
    var game = try game([(0, 0)])
    #expect(throws: HexGame.MoveError.taken(Cell(row: 0, column: 0))) { try game.play(.place(Cell(row: 0, column: 0))) }
    #expect(throws: HexGame.MoveError.outside(Cell(row: 5, column: 0), size: 5)) {
      try game.play(.place(Cell(row: 5, column: 0)))
    }
    #expect(game.moves.count == 1)
  }

  @Test func theSecondPlayerMaySwapOnce() throws {
    var game = try game([(1, 3)])
    #expect(game.canSwap)
    try game.play(.swap)
    #expect(game.stones == [Cell(row: 3, column: 1): .blue])
    #expect(game.turn == .red)
    #expect(throws: HexGame.MoveError.noSwap) { try game.play(.swap) }
    var plain = HexGame(id: "g", size: 5, allowsSwap: false)
    try plain.play(.place(Cell(row: 0, column: 0)))
    #expect(throws: HexGame.MoveError.noSwap) { try plain.play(.swap) }
  }

  @Test func undoTakesTheLastMoveBackAndAgainstTheComputerTwo() throws {
    var two = try game([(0, 0), (1, 1)])
    two.undo()
    #expect(two.moves == [.place(Cell(row: 0, column: 0))])
    var one = HexGame(id: "g", size: 5, isAgainstComputer: true)
    try one.play(.place(Cell(row: 0, column: 0)))
    try one.play(.place(Cell(row: 1, column: 1)))
    one.undo()
    #expect(one.moves.isEmpty)
    one.undo()
    #expect(one.moves.isEmpty)
  }

  @Test func resigningEndsTheGame() throws {
    var game = try game([(0, 0)])
    game.resign()
    #expect(game.winner == .red)
    #expect(throws: HexGame.MoveError.over(winner: .red)) { try game.play(.swap) }
  }

  @Test(arguments: 5...11) func oneOfTheTwoAlwaysWins(_ size: Int) throws {
    var game = HexGame(id: "g", size: size)
    while let move = ComputerPlayer.move(in: game) { try game.play(move) }
    #expect(game.winner != nil)
    #expect(game.moves.count <= size * size + 1)
  }

  @Test func theComputerFinishesWhatIsOneMoveAway() throws {
    let moves = [(0, 0), (2, 0), (0, 1), (2, 1), (0, 2), (2, 2), (0, 4), (2, 3), (4, 0)]
    var game = try game(moves)
    try game.play(try #require(ComputerPlayer.move(in: game)))
    #expect(game.winner == .blue)
  }

  @Test func theChainThatWinsIsTheShortest() throws {
    var game = HexGame(id: "a", size: 5, allowsSwap: false)
    for row in 0..<5 {
      try game.play(.place(Cell(row: row, column: 1)))
      #expect(game.lastStone == Cell(row: row, column: 1))
      if row < 4 { try game.play(.place(Cell(row: row, column: 3))) }
    }
    #expect(game.winner == .red)
    #expect(game.winningChain == Set((0..<5).map { Cell(row: $0, column: 1) }))
  }

  @Test func aGameThatGoesOnOrWasGivenUpHasNoChain() throws {
    var game = HexGame(id: "a", size: 5)
    #expect(game.lastStone == nil && game.winningChain.isEmpty)
    try game.play(.place(Cell(row: 1, column: 3)))
    try game.play(.swap)
    #expect(game.lastStone == Cell(row: 3, column: 1))
    game.resign()
    #expect(game.winner != nil && game.winningChain.isEmpty)
  }
}
