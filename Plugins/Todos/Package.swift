// swift-tools-version: 6.3
import PackageDescription

let package = Package(
  name: "Todos",
  products: [.library(name: "Todos", type: .dynamic, targets: ["Todos"])],
  dependencies: [
    .package(name: "gangway", path: "../.."),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
  ],
  targets: [
    .target(
      name: "Todos",
      dependencies: [
        .product(name: "Gangway", package: "gangway"),
        .product(name: "GRDB", package: "GRDB.swift"),
      ]
    ),
    .testTarget(name: "TodosTests", dependencies: ["Todos", .product(name: "Gangway", package: "gangway")]),
  ],
  swiftLanguageModes: [.v6]
)
