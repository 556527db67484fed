// swift-tools-version: 6.3
import PackageDescription

let package = Package(
  name: "Account",
  products: [.library(name: "Account", type: .dynamic, targets: ["Account"])],
  dependencies: [
    .package(name: "gangway", path: "../.."),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
  ],
  targets: [
    .target(
      name: "Account",
      dependencies: [
        .product(name: "Gangway", package: "gangway"),
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "CryptoExtras", package: "swift-crypto"),
      ]
    ),
    .testTarget(name: "AccountTests", dependencies: ["Account", .product(name: "Gangway", package: "gangway")]),
  ],
  swiftLanguageModes: [.v6]
)
