import Gangway
import Observation

/// The game on the board. Every move goes through this model.
@MainActor @Observable final class Play {
  var isAskingToResign = false
  @ObservationIgnored private weak var blither: BlitherCoordinator?

  init(_ blither: BlitherCoordinator) { self.blither = blither }

  var game: HexGame? { blither?.state.game }

  /// Plays a move, and then the computer's answer if it is the opponent.
  func play(_ move: Move) throws {
    try change { game in
      try game.play(move)
      if game.isAgainstComputer, let answer = ComputerPlayer.move(in: game) { try game.play(answer) }
    }
  }

  func undo() throws { try change { $0.undo() } }

  func resign() throws { try change { $0.resign() } }

  private func change(_ change: (inout HexGame) throws -> Void) throws {
    guard let blither, var game = blither.state.game else { return }
    try change(&game)
    // Count before the state is stored. If the host crashes in between, the game is won again and counts once.
    if let winner = game.winner { blither.settings.count(game, winner: winner) }
    blither.state.game = game
  }
}
