import Gangway
import GangwayHost

/// Dayboard, an application with a host of its own: one feature is part of it, the others are plugins beside it.
@main struct OwnHost {
  static func main() { Host.run(builtIn: [TodayPlugin.self]) }
}

/// What is built in: the day, who it is, and the way to what others offer.
final class TodayPlugin: Plugin {
  static let id = "today"
  static let version = "1.0.0"

  func register(in registry: Registrar) {
    registry.uses(place: "todos.create", with: ["title": ""], isOptional: true)
    registry.uses(service: "account.session", operation: "user", isOptional: true)
    registry.tab("main", title: "Today", symbol: "☀", order: 1) { context in
      TodayCoordinator(session: try? context.service("account.session"))
    }
    registry.link("today", toTab: "main")
  }
}
