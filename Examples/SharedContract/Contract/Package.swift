// swift-tools-version: 6.3
import PackageDescription

// A library of its own, and dynamic: both plugins must mean the same type.
let package = Package(
  name: "ForecastContract",
  products: [.library(name: "ForecastContract", type: .dynamic, targets: ["ForecastContract"])],
  targets: [.target(name: "ForecastContract")],
  swiftLanguageModes: [.v6]
)
