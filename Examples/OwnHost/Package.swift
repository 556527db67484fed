// swift-tools-version: 6.3
import PackageDescription

let package = Package(
  name: "OwnHost",
  products: [.executable(name: "dayboard-host", targets: ["OwnHost"])],
  dependencies: [.package(name: "gangway", path: "../..")],
  targets: [
    .executableTarget(name: "OwnHost", dependencies: [.product(name: "Gangway", package: "gangway")])
  ],
  swiftLanguageModes: [.v6]
)
