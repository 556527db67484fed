// swift-tools-version: 6.3
import PackageDescription

let package = Package(
  name: "Monitor",
  products: [.library(name: "Monitor", type: .dynamic, targets: ["Monitor"])],
  dependencies: [.package(name: "gangway", path: "../..")],
  targets: [
    .target(name: "Monitor", dependencies: [.product(name: "Gangway", package: "gangway")]),
    .testTarget(name: "MonitorTests", dependencies: ["Monitor", .product(name: "Gangway", package: "gangway")]),
  ],
  swiftLanguageModes: [.v6]
)
