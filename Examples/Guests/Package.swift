// swift-tools-version: 6.3
import PackageDescription

let package = Package(
  name: "Guests",
  products: [.library(name: "Guests", type: .dynamic, targets: ["Guests"])],
  dependencies: [.package(name: "gangway", path: "../..")],
  targets: [
    .target(name: "Guests", dependencies: [.product(name: "Gangway", package: "gangway")]),
    .testTarget(name: "GuestsTests", dependencies: ["Guests", .product(name: "Gangway", package: "gangway")]),
  ],
  swiftLanguageModes: [.v6]
)
