// swift-tools-version: 6.3
import PackageDescription

let package = Package(
  name: "Welcome",
  products: [.library(name: "Welcome", type: .dynamic, targets: ["Welcome"])],
  dependencies: [.package(name: "gangway", path: "../..")],
  targets: [
    .target(name: "Welcome", dependencies: [.product(name: "Gangway", package: "gangway")]),
    .testTarget(name: "WelcomeTests", dependencies: ["Welcome", .product(name: "Gangway", package: "gangway")]),
  ],
  swiftLanguageModes: [.v6]
)
