import Gangway

/// A clock, to show changes that come by themselves, state that survives, and a back stack of a tab's own.
final class ClockPlugin: Plugin {
  static let id = "clock"
  static let version = "1.0.0"

  func register(in registry: Registrar) {
    registry.tab("time", title: "Clock", symbol: "◷", order: 20) { _ in ClockCoordinator() }
    registry.link("clock", toTab: "time")
    registry.link("clock/zones", to: ClockCoordinator.Route.zones)
  }
}

@c(gangway_plugin) public func gangwayPlugin() -> UnsafeMutableRawPointer { exportPlugin(ClockPlugin.self) }
