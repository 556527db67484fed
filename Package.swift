// swift-tools-version: 6.3
import PackageDescription

// A plugin stays valid when the framework changes, because these modules are built with library evolution. Plugins use
// no other module; tests and front ends are built again with the framework.
let staysCompatible: [SwiftSetting] = [
  .unsafeFlags(["-enable-library-evolution", "-no-verify-emitted-module-interface"])
]

// The framework has no dependencies and one dynamic product. All other code that links it is in separate packages, so
// that a process holds exactly one copy. Documentation/Linking.md explains why.
let package = Package(
  name: "gangway",
  products: [
    .library(
      name: "Gangway",
      type: .dynamic,
      targets: ["Gangway", "GangwayHost", "GangwayTesting", "GangwayClient", "GangwayProtocol"]
    ),
    .executable(name: "gangway-host", targets: ["gangway-host"]),
  ],
  dependencies: [],
  targets: [
    .target(name: "GangwayProtocol", swiftSettings: staysCompatible),
    .target(name: "GangwayClient", dependencies: ["GangwayProtocol"]),
    .target(name: "Gangway", dependencies: ["GangwayProtocol"], swiftSettings: staysCompatible),
    .target(name: "GangwayHost", dependencies: ["Gangway", "GangwayClient", "GangwayProtocol"]),
    .target(name: "GangwayTesting", dependencies: ["Gangway", "GangwayClient", "GangwayProtocol"]),
    .executableTarget(name: "gangway-host"),
    .testTarget(name: "GangwayProtocolTests", dependencies: ["GangwayProtocol"]),
    .testTarget(
      name: "GangwayTests",
      dependencies: ["Gangway", "GangwayClient", "GangwayHost", "GangwayProtocol", "GangwayTesting"]),
    .testTarget(
      name: "GangwayHostTests", dependencies: ["Gangway", "GangwayClient", "GangwayHost", "GangwayProtocol"]),
  ],
  swiftLanguageModes: [.v6]
)
