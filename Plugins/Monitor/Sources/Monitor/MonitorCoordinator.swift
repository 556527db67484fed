import Gangway

/// The flow of the tab: the machine, its processes, and one process.
final class MonitorCoordinator: StackCoordinator {
  enum Route: NavigationRoute {
    case machine
    case processes
    case process(Int32)

    var title: String? {
      switch self {
      case .machine: "Monitor"
      case .processes: "Processes"
      case .process(let id): "Process \(id)"
      }
    }
  }

  let start = Route.machine
  private let monitor: Monitor

  init(_ monitor: Monitor) { self.monitor = monitor }

  func destination(for route: Route) -> Destination {
    switch route {
    case .machine: .screen { [monitor] router in MachineScreen(monitor: monitor, router: router) }
    case .processes:
      .screen { [monitor] router in ProcessesScreen(monitor: monitor, router: router, choice: Choice(monitor.proc)) }
    case .process(let id):
      .screen { [monitor] router in
        ProcessScreen(monitor: monitor, router: router, id: id, choice: Choice(monitor.proc))
      }
    }
  }
}
