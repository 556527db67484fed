// swift-tools-version: 6.3
import PackageDescription

// Features that know nothing of each other, tried together: in one process here, as libraries and in the terminal by the
// tests of the command, all by the same scripts.
let package = Package(
  name: "Journeys",
  dependencies: [
    .package(name: "gangway", path: "../.."),
    .package(name: "Account", path: "../../Plugins/Account"),
    .package(name: "Blither", path: "../../Plugins/Blither"),
    .package(name: "Todos", path: "../../Plugins/Todos"),
  ],
  targets: [
    .testTarget(
      name: "JourneysTests",
      dependencies: [
        .product(name: "Gangway", package: "gangway"), "Account", "Blither", "Todos",
      ])
  ],
  swiftLanguageModes: [.v6]
)
