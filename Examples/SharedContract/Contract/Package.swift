// swift-tools-version: 6.3
import PackageDescription

// The contract is a dynamic library of its own, so that both plugins use the same type.
let package = Package(
  name: "ForecastContract",
  products: [.library(name: "ForecastContract", type: .dynamic, targets: ["ForecastContract"])],
  targets: [.target(name: "ForecastContract")],
  swiftLanguageModes: [.v6]
)
