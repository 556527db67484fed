import Gangway

/// Three scenes as of the MVVM-C article: a text typed into the first arrives in the others.
final class ScenesPlugin: Plugin {
  static let id = "scenes"
  static let version = "1.0.0"

  func register(in registry: Registry) {
    registry.tab("main", title: "Scenes", symbol: "◧", order: 10) { _ in ScenesCoordinator() }
  }
}

@c(gangway_plugin) public func gangwayPlugin() -> UnsafeMutableRawPointer { exportPlugin(ScenesPlugin.self) }
