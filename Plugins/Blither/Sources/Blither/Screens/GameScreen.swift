import Gangway

struct GameScreen: Screen {
  let blither: BlitherCoordinator
  @Bindable var play: Play

  var body: some Content {
    if let game = play.game {
      Text(status(of: game)).id("status")
      Grid("Board", rows: game.size, columns: game.size, cell: { cell(game, $0, $1) }) { row, column in
        try play.play(.place(Cell(row: row, column: column)))
      }
      if let problem = blither.settings.problem { Text(problem) }
      if game.canSwap { Button("Swap") { try play.play(.swap) } }
      if game.winner == nil {
        Button("Undo") { try play.undo() }.disabled(because: game.moves.isEmpty ? "nothing was played" : nil)
        Button("Resign", role: .destructive) {
          if blither.settings.options.asksBeforeResigning {
            play.isAskingToResign = true
          } else {
            try play.resign()
          }
        }
      } else {
        Button("Play Again") {
          try await blither.startGame(size: game.size, isAgainstComputer: game.isAgainstComputer)
        }
      }
      Confirmation(
        "Resign?", message: "\(game.turn.other.rawValue) wins then.", isPresented: $play.isAskingToResign,
        button: "Resign the game"
      ) {
        try play.resign()
      }
    } else {
      Text("No game is on. Go back and start one.")
    }
  }

  private func status(of game: HexGame) -> String {
    if let winner = game.winner { return "Winner: \(winner.rawValue)" }
    let way = game.turn == .red ? "top to bottom" : "left to right"
    return "\(game.turn.rawValue) to move, \(way)"
  }

  private func cell(_ game: HexGame, _ row: Int, _ column: Int) -> GridCell {
    switch game.stones[Cell(row: row, column: column)] {
    case .red: GridCell("R", isEnabled: false, tint: "red")
    case .blue: GridCell("B", isEnabled: false, tint: "blue")
    case nil: GridCell("·", isEnabled: game.winner == nil)
    }
  }
}
