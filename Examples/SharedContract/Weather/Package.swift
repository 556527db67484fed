// swift-tools-version: 6.3
import PackageDescription

let package = Package(
  name: "Weather",
  products: [.library(name: "Weather", type: .dynamic, targets: ["Weather"])],
  dependencies: [.package(name: "gangway", path: "../../.."), .package(name: "ForecastContract", path: "../Contract")],
  targets: [
    .target(
      name: "Weather",
      dependencies: [
        .product(name: "Gangway", package: "gangway"),
        .product(name: "ForecastContract", package: "ForecastContract"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
