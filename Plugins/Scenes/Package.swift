// swift-tools-version: 6.3
import PackageDescription

let package = Package(
  name: "Scenes",
  products: [.library(name: "Scenes", type: .dynamic, targets: ["Scenes"])],
  dependencies: [.package(name: "gangway", path: "../..")],
  targets: [
    .target(name: "Scenes", dependencies: [.product(name: "Gangway", package: "gangway")]),
    .testTarget(name: "ScenesTests", dependencies: ["Scenes", .product(name: "Gangway", package: "gangway")]),
  ],
  swiftLanguageModes: [.v6]
)
