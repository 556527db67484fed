/// The sources of a plugin without data: a list, a detail, and state that survives a crash.
extension PluginTemplate {
  /// The paths and contents of the sources.
  var minimalSources: [(path: String, text: String)] {
    [
      ("Sources/\(name)/\(name)Plugin.swift", minimalPlugin),
      ("Sources/\(name)/\(name)Coordinator.swift", minimalCoordinator),
      ("Sources/\(name)/\(name)Screens.swift", minimalScreens), ("Tests/\(name)Tests/\(name)Tests.swift", minimalTests),
    ]
  }

  private var minimalPlugin: String {
    """
    import Gangway

    /// The feature's contributions to an app.
    final class \(name)Plugin: Plugin {
      static let id = "\(id)", version = "0.1.0"

      func register(in registry: Registrar) {
        registry.tab("main", title: "\(name)") { _ in \(name)Coordinator() }
        registry.link("\(id)/:number", samples: [1]) { (number: Int) in \(name)Coordinator.Route.item(number) }
      }
    }

    /// The one symbol that a host looks for.
    @c(gangway_plugin) public func gangwayPlugin() -> UnsafeMutableRawPointer { exportPlugin(\(name)Plugin.self) }

    """
  }

  private var minimalCoordinator: String {
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

  private var minimalScreens: String {
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

  private var minimalTests: String {
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
}
