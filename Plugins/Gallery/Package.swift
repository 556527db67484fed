// swift-tools-version: 6.3
import PackageDescription

let package = Package(
  name: "Gallery",
  products: [.library(name: "Gallery", type: .dynamic, targets: ["Gallery"])],
  dependencies: [.package(name: "gangway", path: "../..")],
  targets: [
    .target(name: "Gallery", dependencies: [.product(name: "Gangway", package: "gangway")]),
    .testTarget(name: "GalleryTests", dependencies: ["Gallery", .product(name: "Gangway", package: "gangway")]),
  ],
  swiftLanguageModes: [.v6]
)
