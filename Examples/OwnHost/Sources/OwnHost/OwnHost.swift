import Gangway
import GangwayHost

/// Dayboard, an app with its own host. One feature is built in, and the others are plugins beside it.
@main struct OwnHost {
  static func main() { Host.run(builtIn: [TodayPlugin.self]) }
}

/// The built-in feature: the day, the user, and a way to the other features.
final class TodayPlugin: Plugin {
  static let id = "today"
  static let version = "1.0.0"

  func register(in registry: Registrar) {
    registry.uses(place: "todos.create", with: ["title": ""], isOptional: true)
    registry.uses(service: "account.session", operation: "user", isOptional: true)
    registry.tab("main", title: "Today", symbol: "☀", order: 1) { context in
      TodayCoordinator(session: try? context.service("account.session"))
    }
    registry.link("today", tab: "main")
  }
}
