/// The files of a new plugin's package.
///
/// CI creates, builds, tests and runs such a package outside of the repository.
struct PluginTemplate {
  let name: String
  /// The dependency on the framework, as a line of a manifest.
  let dependency: String
  /// Whether the plugin has no data of its own.
  var isMinimal = false

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

    If your shell does not find `gangway`, add the folder of this command to `PATH`. In a checkout of Gangway,
    `script/build` writes the command into the folder `.build/debug`. Replace CHECKOUT with the path of the checkout:
    `export PATH="CHECKOUT/.build/debug:$PATH"`.

    `gangway list` lists this plugin, the installed plugins, and the plugins beside the command. In a checkout, the
    sample plugins are beside the command.

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
