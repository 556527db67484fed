import Gangway
import Observation

@Observable final class ClockCoordinator: StackCoordinator {
  enum Route: NavigationRoute {
    case time
    case zones

    var title: String? {
      switch self {
      case .time: "Time"
      case .zones: "Time zones"
      }
    }
  }

  /// What comes back after a restart.
  struct State: Codable {
    var is24Hours = true
    var zone = TimeZoneChoice.utc
  }

  let start = Route.time
  var state = State()
  @ObservationIgnored private let source: any TimeSource

  init(source: any TimeSource = SystemTimeSource()) { self.source = source }

  func destination(for route: Route) -> Destination {
    switch route {
    case .time:
      .screen { TimeScreen(coordinator: self, model: TimeModel(source: self.source), router: self.router) }
    case .zones: .screen { ZonesScreen(coordinator: self, router: self.router) }
    }
  }
}
