import Gangway

/// The game Blither, a version of Hex, with its menus.
final class BlitherPlugin: Plugin {
  static let id = "blither"
  static let version = "1.0.0"

  func register(in registry: Registrar) {
    registry.uses(
      place: "todos.create", with: BlitherCoordinator.ReminderDraft(title: "Rematch", note: ""), isOptional: true)
    registry.tab("main", title: "Blither", symbol: "⬢", order: 30) { context in
      BlitherCoordinator(store: BlitherStore(folder: context.dataFolder))
    }
    registry.link("blither", tab: "main")
    registry.link("blither/new", to: BlitherCoordinator.Route.newGameConfig)
    registry.link("blither/rules", to: BlitherCoordinator.Route.rules)
    registry.link("blither/stats", to: BlitherCoordinator.Route.stats)
  }
}

@c(gangway_plugin) public func gangwayPlugin() -> UnsafeMutableRawPointer { exportPlugin(BlitherPlugin.self) }
