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

  /// The restored state.
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
      .screen { router in TimeScreen(coordinator: self, model: TimeModel(source: self.source), router: router) }
    // If there is room, the clock stays visible beside the time zones.
    case .zones: .screen(.detail) { router in ZonesScreen(coordinator: self, router: router) }
    }
  }
}
