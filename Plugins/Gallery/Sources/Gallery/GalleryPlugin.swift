import Gangway

/// Every element and attribute of screens, one sample each, with the code that makes it.
final class GalleryPlugin: Plugin {
  static let id = "gallery"
  static let version = "1.0.0"

  func register(in registry: Registrar) {
    registry.tab("main", title: "Gallery", symbol: "✦", order: 900) { _ in GalleryCoordinator() }
    registry.link("gallery/:sample", in: GalleryCoordinator.self) { (sample: Sample) in [.sample(sample)] }
  }
}

@c(gangway_plugin) public func gangwayPlugin() -> UnsafeMutableRawPointer { exportPlugin(GalleryPlugin.self) }
