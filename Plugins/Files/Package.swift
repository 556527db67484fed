// swift-tools-version: 6.3
import PackageDescription

let package = Package(
  name: "Files",
  products: [.library(name: "Files", type: .dynamic, targets: ["Files"])],
  dependencies: [.package(name: "gangway", path: "../..")],
  targets: [
    .target(name: "Files", dependencies: [.product(name: "Gangway", package: "gangway")]),
    .testTarget(name: "FilesTests", dependencies: ["Files", .product(name: "Gangway", package: "gangway")]),
  ],
  swiftLanguageModes: [.v6]
)
