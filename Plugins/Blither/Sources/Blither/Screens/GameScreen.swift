import Gangway

struct GameScreen: Screen {
  let blither: BlitherCoordinator
  @Bindable var play: Play

  var body: some Content {
    if let game = play.game {
      Text(status(of: game)).id("status")
      board(game)
      if let problem = blither.settings.problem { Text(problem) }
      if game.canSwap { Button("Swap") { try play.play(.swap) } }
      // The game keeps this key even if there is nothing to undo.
      Button("Undo") { try play.undo() }
        .disabled(because: game.winner != nil ? "the game is over" : game.moves.isEmpty ? "no moves yet" : nil)
        .keyboardShortcut("u", modifiers: [])
      if game.winner == nil {
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
        if let reminder = blither.state.reminder {
          LabeledContent("Reminder", value: reminder.title)
        } else {
          Button("Remind me about a rematch") { try await blither.navigate(to: .rematch) }
            .disabled(because: blither.router.unavailability(of: "todos.create"))
        }
      }
      Confirmation(
        "Resign?", message: "If you resign, \(game.turn.other.rawValue) wins.", isPresented: $play.isAskingToResign,
        button: "Resign the game"
      ) {
        try play.resign()
      }
    } else {
      Text("There is no game. Go back and start one.")
    }
  }

  private func board(_ game: HexGame) -> some Content {
    let marked = game.winner == nil ? Set([game.lastStone].compactMap { $0 }) : game.winningChain
    return Grid("Board", rows: game.size, columns: game.size, cell: { cell(game, marked, $0, $1) }) { row, column in
      try play.play(.place(Cell(row: row, column: column)))
    }
    .hexagonal(top: "red", bottom: "red", leading: "blue", trailing: "blue")
  }

  private func status(of game: HexGame) -> String {
    if let winner = game.winner { return "Winner: \(winner.rawValue)" }
    let edges = game.turn == .red ? "top and bottom" : "left and right"
    return "\(game.turn.rawValue) to move: connect \(edges)"
  }

  private func cell(_ game: HexGame, _ marked: Set<Cell>, _ row: Int, _ column: Int) -> GridCell {
    let cell = Cell(row: row, column: column)
    // Filled and hollow, so that users who see no colours can tell the stones apart.
    return switch game.stones[cell] {
    case .red: GridCell("●", isEnabled: false, tint: "red", isMarked: marked.contains(cell))
    case .blue: GridCell("○", isEnabled: false, tint: "blue", isMarked: marked.contains(cell))
    case nil: GridCell("·", isEnabled: game.winner == nil)
    }
  }
}
