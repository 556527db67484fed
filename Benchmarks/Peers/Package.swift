// swift-tools-version: 6.3
import PackageDescription

let package = Package(
  name: "Counter",
  products: [.library(name: "Counter", type: .dynamic, targets: ["Counter"])],
  dependencies: [.package(name: "gangway", path: "../..")],
  targets: [.target(name: "Counter", dependencies: [.product(name: "Gangway", package: "gangway")])],
  swiftLanguageModes: [.v6]
)
