import Gangway

/// Processor, memory, disks and network of this machine, and its processes.
final class MonitorPlugin: Plugin {
  static let id = "monitor"
  static let version = "1.0.0"

  func register(in registry: Registrar) {
    registry.tab("main", title: "Monitor", symbol: "∿", order: 60) { _ in MonitorCoordinator(Monitor()) }
    registry.link("monitor", tab: "main")
    registry.link("monitor/processes", to: MonitorCoordinator.Route.processes)
    registry.link("monitor/processes/:id", samples: [1]) { (id: Int32) in
      MonitorCoordinator.Route.process(id)
    } url: { route in
      if case .process(let id) = route { id } else { nil }
    }
  }
}

@c(gangway_plugin) public func gangwayPlugin() -> UnsafeMutableRawPointer { exportPlugin(MonitorPlugin.self) }
