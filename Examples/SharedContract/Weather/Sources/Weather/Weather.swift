import ForecastContract
import Gangway

/// A plugin that offers the service of the contract.
final class WeatherPlugin: Plugin {
  static let id = "weather"
  static let version = "1.0.0"
  func register(in registry: Registrar) {
    registry.service { _ -> ForecastService in Almanac() }
  }
}

final class Almanac: ForecastService {
  override func forecast(day: Int) -> String { day.isMultiple(of: 2) ? "sunny" : "wet" }
}

@c(gangway_plugin) public func gangwayPlugin() -> UnsafeMutableRawPointer { exportPlugin(WeatherPlugin.self) }
