// swift-tools-version: 6.3
import PackageDescription

let package = Package(
  name: "Hello",
  products: [.library(name: "Hello", type: .dynamic, targets: ["Hello"])],
  dependencies: [.package(name: "gangway", path: "../..")],
  targets: [
    .target(name: "Hello", dependencies: [.product(name: "Gangway", package: "gangway")]),
    .testTarget(name: "HelloTests", dependencies: ["Hello", .product(name: "Gangway", package: "gangway")]),
  ],
  swiftLanguageModes: [.v6]
)
