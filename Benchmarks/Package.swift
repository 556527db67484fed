// swift-tools-version: 6.3
import PackageDescription

let package = Package(
  name: "gangway-benchmarks",
  dependencies: [
    .package(name: "gangway", path: ".."),
    .package(name: "gangway-tools", path: "../Tools"),
    .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.1", traits: []),
    .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2"),
  ],
  targets: [
    .executableTarget(
      name: "GangwayBenchmarks",
      dependencies: [
        .product(name: "Gangway", package: "gangway"),
        .product(name: "GangwaySupervisor", package: "gangway-tools"),
        .product(name: "GangwayWeb", package: "gangway-tools"),
        .product(name: "TestSupport", package: "gangway-tools"),
        .product(name: "Benchmark", package: "benchmark"),
        .product(name: "Subprocess", package: "swift-subprocess"),
      ],
      path: "GangwayBenchmarks",
      plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]
    )
  ],
  swiftLanguageModes: [.v6]
)
