import FoundationEssentials
import Gangway
import Observation

@Observable final class TodayCoordinator: StackCoordinator {
  enum Route: NavigationRoute {
    case today
    case remember

    var title: String? { self == .today ? "Today" : "Remember" }
  }

  /// A todo that was created here.
  struct Remembered: Codable, Hashable, Sendable {
    let id: Int
    let title: String
  }

  let start = Route.today
  var state: [Remembered] = []
  private(set) var user: String?

  /// - Parameter session: the service of the feature that knows the user; nil if the feature is not installed.
  init(session: ServiceHandle?) {
    guard let session else { return }
    work { flow in
      for try await user in try await session.changes("user", as: String?.self) { flow.user = user }
    }
  }

  func destination(for route: Route) -> Destination {
    switch route {
    case .today: .screen { router in TodayScreen(today: self, router: router) }
    case .remember:
      .place("todos.create", with: ["title": ""], style: .modal) { [weak self] (made: Remembered) in
        self?.state.append(made)
      }
    }
  }
}

struct TodayScreen: Screen {
  let today: TodayCoordinator
  let router: Router<TodayCoordinator>

  var body: some Content {
    Heading("Good day\(today.user.map { ", \($0)" } ?? "")")
    for todo in today.state { LabeledContent("Remembered", value: todo.title) }
    Button("Remember something") { try await router.show(.remember) }
      .disabled(because: router.unavailability(of: "todos.create")).keyboardShortcut("n")
  }
}
