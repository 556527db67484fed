import Gangway
import Observation

struct MainMenu: Screen {
  let blither: BlitherCoordinator

  var body: some Content {
    Heading("\(blither.settings.options.icon) Blither")
    if let problem = blither.settings.problem { Text(problem) }
    Button("New Game") { try await blither.navigate(to: .newGameConfig) }
    if let game = blither.state.game, game.winner == nil {
      Button("Continue") { try await blither.navigate(to: .game) }
    }
    Button("Rules") { try await blither.navigate(to: .rules) }
    Button("Options") { try await blither.navigate(to: .options) }
    Button("Stats") { try await blither.navigate(to: .stats) }
    Button("About") { try await blither.navigate(to: .about) }
    Button("App Icon") { try await blither.navigate(to: .appIcon) }
  }
}

@MainActor @Observable final class NewGame {
  var size = "7"
  var isAgainstComputer = false

  /// The typed size, if a board can have it.
  var validSize: Int? { Int(size).flatMap { HexGame.sizes.contains($0) ? $0 : nil } }
}

struct NewGameConfig: Screen {
  let blither: BlitherCoordinator
  @Bindable var game = NewGame()

  var body: some Content {
    TextField("Board size", text: $game.size)
    Toggle("Computer player", isOn: $game.isAgainstComputer)
    Button("Start") {
      guard let size = game.validSize else { return }
      try await blither.startGame(size: size, isAgainstComputer: game.isAgainstComputer)
    }
    .disabled(
      because: game.validSize == nil
        ? "choose \(HexGame.sizes.lowerBound) to "
          + "\(HexGame.sizes.upperBound) cells a side" : nil)
  }
}

struct OptionsScreen: Screen {
  @Bindable var settings: Settings

  var body: some Content {
    if let problem = settings.problem { Text(problem) }
    Toggle("Swap rule", isOn: $settings.options.allowsSwap)
    Toggle("Ask before resigning", isOn: $settings.options.asksBeforeResigning)
  }
}

struct AppIcon: Screen {
  @Bindable var settings: Settings

  var body: some Content {
    Picker("Icon", selection: $settings.options.icon, options: ["⬢", "⬡", "♞", "☯"])
  }
}

struct Stats: Screen {
  let settings: Settings

  var body: some Content {
    if let problem = settings.problem { Text(problem) }
    Text("Games played: \(settings.games.count)")
    Table(
      columns: ["Winner", "Games", "Moves"], data: Player.allCases,
      row: { player in
        let won = settings.games.filter { $0.winner == player.rawValue }
        return [player.rawValue, "\(won.count)", "\(won.reduce(0) { $0 + $1.moves })"]
      })
  }
}

struct Rules: Screen {
  var body: some Content {
    Text("Red connects top and bottom, Blue connects left and right. Red begins.")
    Text("Players take turns and place a stone on an empty cell. Stones never move.")
    Text("A cell has six neighbours: left, right, two above and two below.")
    Text("With the swap rule, the second player may take over the first stone instead of placing one.")
    Text("There is always a winner.")
  }
}

struct About: Screen {
  var body: some Content {
    Text("Blither plays Hex, a game that Piet Hein described in 1942.")
    Text("Blither is a sample feature of the navigation framework Gangway.")
  }
}
