// swift-tools-version: 6.3
import PackageDescription

let package = Package(
  name: "Blither",
  products: [.library(name: "Blither", type: .dynamic, targets: ["Blither"])],
  dependencies: [
    .package(name: "gangway", path: "../.."),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
  ],
  targets: [
    .target(
      name: "Blither",
      dependencies: [
        .product(name: "Gangway", package: "gangway"),
        .product(name: "GRDB", package: "GRDB.swift"),
      ]
    ),
    .testTarget(name: "BlitherTests", dependencies: ["Blither", .product(name: "Gangway", package: "gangway")]),
  ],
  swiftLanguageModes: [.v6]
)
