/// The files of a new plugin's package.
///
/// CI creates, builds, tests and runs such a package outside of the repository.
struct PluginTemplate {
  let name: String
  /// Where the package gets the framework from.
  let framework: Framework
  /// Whether the plugin has no data of its own.
  var isMinimal = false

  /// The framework of a package.
  enum Framework {
    /// A package with the sources, as a dependency in a manifest.
    case package(String)
    /// The binaries of an installed SDK, which the manifest finds.
    case sdk
  }

  /// The plugin's id, for example `my-todos` for `MyTodos`.
  var id: String {
    var id = ""
    for character in name {
      if character.isUppercase, !id.isEmpty, id.last != "-" { id.append("-") }
      id += character.lowercased()
    }
    return id
  }

  /// The paths and contents of the files.
  var files: [(path: String, text: String)] {
    [
      ("Package.swift", package), ("README.md", readme), (".gitignore", ".build/\nPackage.resolved\n"),
    ] + (isMinimal ? minimalSources : wholeSources)
  }

  private var package: String {
    switch framework {
    case .package(let dependency): packageOnSources(dependency)
    case .sdk: packageOnSDK
    }
  }

  /// Unsafe flags are allowed in root packages, and a feature is one.
  private var packageOnSDK: String {
    """
    // swift-tools-version: 6.3
    import Foundation
    import PackageDescription

    /// The folder of the Gangway SDK: in GANGWAY_SDK, or else the one of the command `gangway` in PATH.
    let sdk: String = {
      let environment = ProcessInfo.processInfo.environment
      let commands = (environment["PATH"] ?? "").split(separator: ":").map { "\\($0)/gangway" }
        .filter { FileManager.default.isExecutableFile(atPath: $0) }
        .map { URL(filePath: $0).resolvingSymlinksInPath().deletingLastPathComponent().path }
      let found = (environment["GANGWAY_SDK"].map { [$0] } ?? commands)
        .flatMap { [$0, "\\($0)/libexec/gangway", "\\($0)/../libexec/gangway"] }
        .first { FileManager.default.fileExists(atPath: $0 + "/sdk.json") }
      guard let found else {
        preconditionFailure(
          "The Gangway SDK was not found. Add its folder bin to PATH, or set GANGWAY_SDK to its folder.")
      }
      return URL(filePath: found).standardized.path
    }()
    let modules = SwiftSetting.unsafeFlags(["-I", sdk + "/modules"])

    let package = Package(
      name: "\(name)",
      products: [.library(name: "\(name)", type: .dynamic, targets: ["\(name)"])],
      targets: [
        .target(
          name: "\(name)", swiftSettings: [modules],
          linkerSettings: [.unsafeFlags(["-L", sdk]), .linkedLibrary("Gangway")]),
        .testTarget(
          name: "\(name)Tests", dependencies: ["\(name)"], swiftSettings: [modules],
          linkerSettings: [.unsafeFlags(["-L", sdk, "-Xlinker", "-rpath=" + sdk]), .linkedLibrary("Gangway")]),
      ],
      swiftLanguageModes: [.v6]
    )

    """
  }

  private func packageOnSources(_ dependency: String) -> String {
    """
    // swift-tools-version: 6.3
    import PackageDescription

    let package = Package(
      name: "\(name)",
      products: [.library(name: "\(name)", type: .dynamic, targets: ["\(name)"])],
      dependencies: [\(dependency)],
      targets: [
        .target(name: "\(name)", dependencies: [.product(name: "Gangway", package: "gangway")]),
        .testTarget(name: "\(name)Tests", dependencies: ["\(name)", .product(name: "Gangway", package: "gangway")]),
      ],
      swiftLanguageModes: [.v6]
    )

    """
  }

  private var storeLine: String { "\n- `Sources/\(name)/\(name)Store.swift`: its data" }

  /// The lines on `PATH`.
  private var pathHelp: String {
    switch framework {
    case .package:
      """
      If your shell does not find `gangway`, add the folder of this command to `PATH`. In a checkout of Gangway,
      `script/build` writes the command into the folder `.build/debug`, beside the sample plugins. Replace CHECKOUT with
      the path of the checkout: `export PATH="CHECKOUT/.build/debug:$PATH"`.
      """
    case .sdk:
      """
      The package is built with the Gangway SDK. `Package.swift` finds the SDK through the command `gangway` in `PATH`.
      If your shell does not find `gangway`, add the folder `bin` of the SDK to `PATH`: `export PATH="SDK/bin:$PATH"`.
      Instead, you can set `GANGWAY_SDK` to the folder of the SDK.
      """
    }
  }

  private var readme: String {
    """
    # \(name)

    A feature for applications built with Gangway: the plugin `\(id)`.

    ```sh
    swift build
    swift test --disable-xctest
    gangway list --plugins-dir .build/debug
    gangway validate .build/debug/lib\(name).so
    ```

    \(pathHelp)

    `gangway list` lists this plugin, the installed plugins, and the plugins beside the command.

    `gangway dev .` runs the app with this plugin. Change a source, and the screen follows. The compiler's errors appear
    on the feature's screens, while the previous version keeps running. The app also has the other plugins that
    `gangway list` finds.

    `gangway run --plugins-dir .build/debug` runs the app with the current build of this plugin. To leave out the other
    plugins, add `--plugin \(id)`.

    - `Sources/\(name)/\(name)Plugin.swift`: its contributions
    - `Sources/\(name)/\(name)Coordinator.swift`: its flow\(isMinimal ? "" : storeLine)
    - `Sources/\(name)/\(name)Screens.swift`: its screens
    - `Tests/\(name)Tests`: the flow in isolation

    """
  }
}
