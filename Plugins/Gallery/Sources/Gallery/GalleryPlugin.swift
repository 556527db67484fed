import Gangway

/// A sample of every element and attribute of screens, with its code.
final class GalleryPlugin: Plugin {
  static let id = "gallery"
  static let version = "1.0.0"

  func register(in registry: Registrar) {
    registry.tab("main", title: "Gallery", symbol: "✦", order: 900) { _ in GalleryCoordinator() }
    registry.link("gallery", tab: "main")
    registry.link("gallery/:sample", samples: Sample.allCases.map(SampleLink.init)) { (link: SampleLink) in
      GalleryCoordinator.Route.sample(link.sample)
    } url: { route in
      if case .sample(let sample) = route { SampleLink(sample: sample) } else { nil }
    }
  }
}

/// The parameter of a link to a sample.
private struct SampleLink: Codable, Sendable { let sample: Sample }

@c(gangway_plugin) public func gangwayPlugin() -> UnsafeMutableRawPointer { exportPlugin(GalleryPlugin.self) }
