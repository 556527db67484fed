// swift-tools-version: 6.3
import PackageDescription

let package = Package(
  name: "Account",
  products: [.library(name: "Account", type: .dynamic, targets: ["Account"])],
  dependencies: [
    .package(name: "gangway", path: "../.."),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
  ],
  targets: [
    .systemLibrary(name: "CSodium", providers: [.apt(["libsodium-dev"])]),
    .target(
      name: "Account",
      dependencies: [
        .product(name: "Gangway", package: "gangway"),
        .product(name: "GRDB", package: "GRDB.swift"),
        "CSodium",
      ]
    ),
    .testTarget(name: "AccountTests", dependencies: ["Account", .product(name: "Gangway", package: "gangway")]),
  ],
  swiftLanguageModes: [.v6]
)
