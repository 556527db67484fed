import Gangway

/// The home of the sample app: what it is, and what to try.
///
/// An app of your own leaves this plugin out.
final class WelcomePlugin: Plugin {
  static let id = "welcome"
  static let version = "1.0.0"

  func register(in registry: Registrar) {
    // `Plugins/app.json` shows it first.
    registry.tab("main", title: "Welcome", symbol: "⌂", order: 1_000) { _ in WelcomeCoordinator() }
    registry.link("welcome", tab: "main")
  }
}

@c(gangway_plugin) public func gangwayPlugin() -> UnsafeMutableRawPointer { exportPlugin(WelcomePlugin.self) }
