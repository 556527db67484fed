import Gangway
import Observation

@Observable final class WelcomeCoordinator: StackCoordinator {
  enum Route: NavigationRoute {
    case home
    var title: String? { "Welcome" }
  }

  /// The restored state.
  struct State: Codable { var text = "" }

  let start = Route.home
  var state = State()

  func destination(for route: Route) -> Destination { .screen { _ in WelcomeScreen(coordinator: self) } }
}

struct WelcomeScreen: Screen {
  @Bindable var coordinator: WelcomeCoordinator

  var body: some Content {
    Text(
      "This is the sample app of Gangway. Each tab is a feature: a separately built library, loaded at run time.")
    Section("Try it") {
      TextField("Type something", text: $coordinator.state.text)
      Button("Crash this feature", role: .destructive) { fatalError("'Crash this feature' was pressed.") }
      Markdown(
        """
        Your text survives the crash. It also survives `pkill -9 gangway-host` in another terminal.

        Run `.build/debug/gangway dev Plugins/Clock`, change the code of *Clock*, and save it.
        """)
    }
    Section("The tabs") {
      Markdown(
        """
        - [Todos](gangway://todos): lists with search, forms and undo
        - [Files](gangway://files) and [Monitor](gangway://monitor): this computer
        - [Blither](gangway://blither): a board game against the computer
        - [Gallery](gangway://gallery): each element of a screen, with its code
        - [Account](gangway://account): the sign-in that other features use
        - [Scenes](gangway://scenes), [Clock](gangway://clock), [Shapes](gangway://shapes): short code to read first
        """)
    }
  }
}
