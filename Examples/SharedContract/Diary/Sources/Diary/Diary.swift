import ForecastContract
import Gangway

/// A plugin that uses the service of the contract, and also works without it.
final class DiaryPlugin: Plugin {
  static let id = "diary"
  static let version = "1.0.0"
  func register(in registry: Registrar) {
    registry.depends(on: "weather", from: "1.0.0", isOptional: true)
    registry.tab("week", title: "Diary") { context in
      DiaryCoordinator(forecast: try? context.service(ForecastService.self))
    }
  }
}

final class DiaryCoordinator: StackCoordinator {
  enum Route: NavigationRoute { case week, day(Int) }
  let start = Route.week
  private let forecast: ForecastService?
  init(forecast: ForecastService?) { self.forecast = forecast }

  func destination(for route: Route) -> Destination {
    switch route {
    case .week: .screen { router in WeekScreen(router: router) }
    case .day(let day): .screen { DayScreen(day: day, weather: self.forecast?.forecast(day: day)) }
    }
  }
}

struct WeekScreen: Screen {
  let router: Router<DiaryCoordinator>
  var body: some Content {
    for day in 1...3 { Link("Day \(day)", to: .day(day), in: router) }
  }
}

struct DayScreen: Screen {
  let day: Int
  let weather: String?
  var body: some Content {
    Text(weather.map { "It will be \($0)." } ?? "Nobody knows what the weather will be.")
  }
}

@c(gangway_plugin) public func gangwayPlugin() -> UnsafeMutableRawPointer { exportPlugin(DiaryPlugin.self) }
