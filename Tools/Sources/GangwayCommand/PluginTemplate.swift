/// The files of a new plugin's package.
///
/// CI creates, builds, tests and runs such a package outside of the repository.
struct PluginTemplate {
  let name: String
  /// The dependency on the framework, as a line of a manifest.
  let dependency: String

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
      ("Sources/\(name)/\(name)Plugin.swift", plugin), ("Sources/\(name)/\(name)Coordinator.swift", coordinator),
      ("Sources/\(name)/\(name)Screens.swift", screens), ("Tests/\(name)Tests/\(name)Tests.swift", tests),
    ]
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

  private var plugin: String {
    """
    import Gangway

    /// The feature's contributions to an app.
    final class \(name)Plugin: Plugin {
      static let id = "\(id)", version = "0.1.0"

      func register(in registry: Registrar) {
        registry.tab("main", title: "\(name)") { _ in \(name)Coordinator() }
        registry.link("\(id)/:number") { (number: Int) in \(name)Coordinator.Route.item(number) }
      }
    }

    /// The one symbol that a host looks for.
    @c(gangway_plugin) public func gangwayPlugin() -> UnsafeMutableRawPointer { exportPlugin(\(name)Plugin.self) }

    """
  }

  private var coordinator: String {
    """
    import Gangway
    import Observation

    /// The flow of this feature: its routes, and where each leads.
    @Observable final class \(name)Coordinator: StackCoordinator {
      enum Route: NavigationRoute { case list, item(Int) }

      let start = Route.list
      /// The user's notes, by item. As `state` it survives the crash of any feature, and the end of the app.
      var state: [Int: String] = [:]

      func destination(for route: Route) -> Destination {
        switch route {
        case .list: .screen { router in ListScreen(notes: self, router: router) }
        case .item(let number): .screen { ItemScreen(number: number, notes: self) }
        }
      }
    }

    """
  }

  private var screens: String {
    """
    import Gangway

    struct ListScreen: Screen {
      let notes: \(name)Coordinator
      let router: Router<\(name)Coordinator>

      var body: some Content {
        Text("Hello from \(name)")
        for number in 1...3 {
          Button("Item \\(number)") { try await router.show(.item(number)) }
        }
        Text("\\(notes.state.count) of 3 noted")
      }
    }

    struct ItemScreen: Screen {
      let number: Int
      let notes: \(name)Coordinator
      var title: String? { "Item \\(number)" }

      var body: some Content {
        TextField("Note", text: Binding(get: { notes.state[number] ?? "" }, set: { notes.state[number] = $0 }))
      }
    }

    """
  }

  private var tests: String {
    """
    import Gangway
    import GangwayTesting
    import Testing

    @testable import \(name)

    /// The flow in isolation: no host, no library, no front end.
    @MainActor @Suite struct \(name)Tests {
      @Test func aNoteIsKept() async throws {
        let flow = try await FlowTester(\(name)Coordinator())
        try await flow.tap("Item 2")
        #expect(flow.path == [.list, .item(2)])
        try await flow.type("Buy milk", into: "Note")
        try await flow.back()
        #expect(flow.screen.contains("1 of 3 noted"))
      }

      @Test func theNoteSurvivesARestart() async throws {
        let flow = try await FlowTester(\(name)Coordinator())
        try await flow.tap("Item 1")
        try await flow.type("Call Ann", into: "Note")
        try await flow.restart()
        #expect(flow.path == [.list, .item(1)])
        #expect(flow.screen.contains("Call Ann"))
      }
    }

    """
  }

  private var readme: String {
    """
    # \(name)

    A feature for applications built with Gangway: the plugin `\(id)`.

    ```sh
    swift build
    swift test
    gangway list --plugins-dir .build/debug
    gangway validate .build/debug/lib\(name).so
    ```

    `gangway dev .` runs the app with it. Change a source, and the screen follows. The compiler's errors appear on the
    feature's screens, while the previous version keeps running. `gangway run --plugins-dir .build/debug` runs the \
    current
    build; `gangway run --plugins-dir .build/debug --plugin \(id)` runs it alone.

    - `Sources/\(name)/\(name)Plugin.swift`: its contributions
    - `Sources/\(name)/\(name)Coordinator.swift`: its flow
    - `Sources/\(name)/\(name)Screens.swift`: its screens
    - `Tests/\(name)Tests`: the flow in isolation

    """
  }
}
