// swift-tools-version: 6.3
import PackageDescription

let package = Package(
  name: "Clock",
  products: [.library(name: "Clock", type: .dynamic, targets: ["Clock"])],
  dependencies: [.package(name: "gangway", path: "../..")],
  targets: [
    .target(name: "Clock", dependencies: [.product(name: "Gangway", package: "gangway")]),
    .testTarget(name: "ClockTests", dependencies: ["Clock", .product(name: "Gangway", package: "gangway")]),
  ],
  swiftLanguageModes: [.v6]
)
