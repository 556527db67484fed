// swift-tools-version: 6.3
import PackageDescription

let package = Package(
  name: "gangway-tools",
  products: [
    .executable(name: "gangway", targets: ["gangway-command"]),
    .executable(name: "gangway-serve", targets: ["gangway-serve"]),
    .library(name: "GangwaySupervisor", targets: ["GangwaySupervisor"]),
    .library(name: "GangwayWeb", targets: ["GangwayWeb"]),
    .library(name: "TestSupport", targets: ["TestSupport"]),
  ],
  dependencies: [
    .package(name: "gangway", path: ".."),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2"),
    .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
  ],
  targets: [
    .target(
      name: "GangwaySupervisor",
      dependencies: [
        "CZlib",
        .product(name: "Gangway", package: "gangway"),
        .product(name: "Subprocess", package: "swift-subprocess"),
        .product(name: "SystemPackage", package: "swift-system"),
      ]
    ),
    .systemLibrary(name: "CNcurses", providers: [.apt(["libncurses-dev"])]),
    .systemLibrary(name: "CEditline", providers: [.apt(["libedit-dev"])]),
    .systemLibrary(name: "CSodium", providers: [.apt(["libsodium-dev"])]),
    .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
    .target(
      name: "GangwayTerminal",
      dependencies: ["CEditline", "CNcurses", .product(name: "Gangway", package: "gangway")]
    ),
    .target(
      name: "GangwayWeb",
      dependencies: [
        "CSodium", "CZlib",
        .product(name: "CoreMetrics", package: "swift-metrics"),
        .product(name: "Gangway", package: "gangway"),
        .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOWebSocket", package: "swift-nio"),
      ],
      resources: [
        .embedInCode("Client/gangway.js"), .embedInCode("Client/gangway.css"), .embedInCode("Words/en.json"),
        .embedInCode("Words/ar.json"), .embedInCode("Words/de.json"), .embedInCode("Words/fr.json"),
      ]
    ),
    .target(
      name: "GangwayCommand",
      dependencies: [
        "GangwaySupervisor",
        "GangwayTerminal",
        .product(name: "Gangway", package: "gangway"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      // Every product contains this code, which runs once a command.
      swiftSettings: [.unsafeFlags(["-Osize"], .when(configuration: .release))]
    ),
    .executableTarget(name: "gangway-command", dependencies: ["GangwayCommand"]),
    // A separate target, so that an app in a terminal builds without a web server.
    .executableTarget(
      name: "gangway-serve",
      dependencies: [
        "GangwayCommand",
        "GangwaySupervisor",
        "GangwayWeb",
        .product(name: "Gangway", package: "gangway"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]
    ),
    .target(
      name: "TestSupport",
      dependencies: [
        "GangwaySupervisor",
        .product(name: "Gangway", package: "gangway"),
        .product(name: "Subprocess", package: "swift-subprocess"),
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      path: "Tests/TestSupport"
    ),
    .testTarget(
      name: "GangwayWebTests",
      dependencies: [
        "GangwaySupervisor",
        "GangwayWeb",
        "TestSupport",
        .product(name: "CoreMetrics", package: "swift-metrics"),
        .product(name: "Gangway", package: "gangway"),
      ]
    ),
    .testTarget(
      name: "GangwaySupervisorTests",
      dependencies: [
        "GangwaySupervisor",
        "TestSupport",
        .product(name: "Gangway", package: "gangway"),
        .product(name: "Subprocess", package: "swift-subprocess"),
        .product(name: "SystemPackage", package: "swift-system"),
      ]
    ),
    .target(
      name: "GangwaySimulation",
      dependencies: ["GangwaySupervisor", "TestSupport", .product(name: "Gangway", package: "gangway")],
      path: "Tests/GangwaySimulation"
    ),
    // The long runs are an executable, because a release build is several times as fast, and cannot have tests.
    .executableTarget(
      name: "gangway-simulate", dependencies: ["GangwaySimulation"], path: "Tests/gangway-simulate"),
    .testTarget(
      name: "GangwaySimulationTests",
      dependencies: ["GangwaySimulation", "GangwaySupervisor", .product(name: "Gangway", package: "gangway")]
    ),
    .systemLibrary(name: "CSQLite", path: "Tests/CSQLite", providers: [.apt(["libsqlite3-dev"])]),
    .testTarget(name: "GangwaySoakTests", dependencies: ["CSQLite", "TestSupport"]),
    .testTarget(
      name: "GangwayTerminalTests",
      dependencies: [
        "GangwayTerminal",
        "TestSupport",
        .product(name: "Gangway", package: "gangway"),
        .product(name: "Subprocess", package: "swift-subprocess"),
        .product(name: "SystemPackage", package: "swift-system"),
      ]
    ),
  ],
  swiftLanguageModes: [.v6]
)

// script/check-sanitizers compiles the supervisor and its tests again, and needs nothing else.
if Context.environment["GANGWAY_SUPERVISOR_ONLY"] != nil {
  let needed = ["CZlib", "GangwaySupervisor", "TestSupport", "GangwaySupervisorTests"]
  package.targets.removeAll { !needed.contains($0.name) }
  package.products.removeAll { !needed.contains($0.name) }
  package.dependencies = package.dependencies.filter {
    guard case .sourceControl(_, let location, _) = $0.kind else { return true }
    return location.hasSuffix("/swift-subprocess") || location.hasSuffix("/swift-system")
  }
}
