// swift-tools-version: 6.3
import PackageDescription

let package = Package(
  name: "Diary",
  products: [.library(name: "Diary", type: .dynamic, targets: ["Diary"])],
  dependencies: [.package(name: "gangway", path: "../../.."), .package(name: "ForecastContract", path: "../Contract")],
  targets: [
    .target(
      name: "Diary",
      dependencies: [
        .product(name: "Gangway", package: "gangway"),
        .product(name: "ForecastContract", package: "ForecastContract"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
