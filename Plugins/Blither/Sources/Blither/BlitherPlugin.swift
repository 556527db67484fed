import Gangway

/// The game Blither, which is Hex, with the menus around it.
final class BlitherPlugin: Plugin {
  static let id = "blither"
  static let version = "1.0.0"

  func register(in registry: Registry) {
    registry.tab("main", title: "Blither", symbol: "⬢", order: 30) { context in
      BlitherCoordinator(store: BlitherStore(folder: context.dataFolder))
    }
  }
}

@c(gangway_plugin) public func gangwayPlugin() -> UnsafeMutableRawPointer { exportPlugin(BlitherPlugin.self) }
