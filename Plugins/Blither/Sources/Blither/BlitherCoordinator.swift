import Foundation
import Gangway
import Observation

/// The coordinator of the game, with one `Route` and one `navigate(to:)`, as in Blither. The front end handles going
/// back.
@Observable final class BlitherCoordinator: StackCoordinator {
  enum Route: NavigationRoute {
    case mainMenu
    case newGameConfig
    case game
    case options
    case rules
    case stats
    case about
    case appIcon
    case rematch

    var title: String? {
      switch self {
      case .mainMenu: "Blither"
      case .newGameConfig: "New Game"
      case .game: "Game"
      case .options: "Options"
      case .rules: "Rules"
      case .stats: "Stats"
      case .about: "About"
      case .appIcon: "App Icon"
      case .rematch: "Rematch"
      }
    }

    var onRepeat: RepeatPolicy {
      switch self {
      // A game over a game replaces it. The menu over the menu changes nothing.
      case .game: .replaceTop
      case .mainMenu, .rematch: .reuseTop
      default: .push
      }
    }
  }

  /// The restored state: the current game.
  struct State: Codable {
    var game: HexGame?
    /// The reminder of a rematch of that game.
    var reminder: Reminder?
  }

  /// The input for the feature Todos, whose result is ``Reminder``. Neither feature needs the other one to build.
  struct ReminderDraft: Codable, Sendable {
    let title: String
    let note: String
  }
  struct Reminder: Codable, Sendable {
    let id: Int
    let title: String
  }

  let start = Route.mainMenu
  var state = State()
  @ObservationIgnored let settings: Settings
  @ObservationIgnored private let makeID: () -> String

  /// - Parameter makeID: makes the id of a new game. The statistics count each id once.
  init(store: BlitherStore, makeID: @escaping () -> String = { UUID().uuidString }) {
    settings = Settings(store)
    self.makeID = makeID
  }

  func destination(for route: Route) -> Destination {
    switch route {
    case .mainMenu: .screen { MainMenu(blither: self) }
    case .newGameConfig: .screen(.modal) { NewGameConfig(blither: self) }
    case .game: .screen { GameScreen(blither: self, play: Play(self)) }
    case .options: .screen { OptionsScreen(settings: self.settings) }
    case .rules: .screen { Rules() }
    case .stats: .screen { Stats(settings: self.settings) }
    case .about: .screen { About() }
    case .appIcon: .screen { AppIcon(settings: self.settings) }
    case .rematch:
      .place("todos.create", with: reminderDraft, style: .modal) { [weak self] (reminder: Reminder) in
        self?.state.reminder = reminder
        self?.router.tell("Reminder added: \(reminder.title).")
      }
    }
  }

  private var reminderDraft: ReminderDraft {
    let winner = state.game?.winner.map { "\($0.rawValue) won" } ?? "Nobody has won yet"
    return ReminderDraft(
      title: "Rematch on \(state.game?.size ?? 7) × \(state.game?.size ?? 7)",
      note: "\(winner). Moves: \(state.game?.moves.count ?? 0)")
  }

  /// Shows a screen of the game. An open sheet closes first.
  func navigate(to route: Route) async throws { try await router.show(route) }

  /// Starts a new game, which replaces a game on top.
  func startGame(size: Int, isAgainstComputer: Bool) async throws {
    state.reminder = nil
    state.game = HexGame(
      id: makeID(), size: size, isAgainstComputer: isAgainstComputer, allowsSwap: settings.options.allowsSwap)
    try await navigate(to: .game)
  }
}

/// The options and statistics, for screens to observe.
@MainActor @Observable final class Settings {
  var options: Options {
    didSet {
      store.options = options
      problem = store.problem
    }
  }
  private(set) var games: [CountedGame]
  private(set) var problem: String?
  @ObservationIgnored private let store: BlitherStore

  init(_ store: BlitherStore) {
    self.store = store
    options = store.options
    games = store.games
    problem = store.problem
  }

  func count(_ game: HexGame, winner: Player) {
    store.count(game, winner: winner)
    games = store.games
    problem = store.problem
  }
}
