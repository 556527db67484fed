// swift-tools-version: 6.3
import PackageDescription

let package = Package(
  name: "Shapes",
  products: [.library(name: "Shapes", type: .dynamic, targets: ["Shapes"])],
  dependencies: [.package(name: "gangway", path: "../..")],
  targets: [
    .target(name: "Shapes", dependencies: [.product(name: "Gangway", package: "gangway")]),
    .testTarget(name: "ShapesTests", dependencies: ["Shapes", .product(name: "Gangway", package: "gangway")]),
  ],
  swiftLanguageModes: [.v6]
)
