// swift-tools-version: 6.3
import PackageDescription

// Tests that combine features which do not know each other. These tests run in one process. The command's tests run the
// same scripts with plugin libraries and in the terminal.
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
