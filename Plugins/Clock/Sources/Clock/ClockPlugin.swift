import Gangway

/// A clock, which shows changes over time, state that survives a restart, and a tab's own back stack.
final class ClockPlugin: Plugin {
  static let id = "clock"
  static let version = "1.0.0"

  func register(in registry: Registrar) {
    registry.tab("time", title: "Clock", symbol: "◷", order: 20) { _ in ClockCoordinator() }
    registry.link("clock", tab: "time")
    registry.link("clock/zones", to: ClockCoordinator.Route.zones)
  }
}

@c(gangway_plugin) public func gangwayPlugin() -> UnsafeMutableRawPointer { exportPlugin(ClockPlugin.self) }
