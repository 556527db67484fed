/// The sources of a plugin with all that a real feature has.
///
/// It has data that loads, fails and is loaded again, a badge, and a form with a rule. It has a link with a parameter,
/// a place with a result, and tests for each.
extension PluginTemplate {
  /// The paths and contents of the sources.
  var wholeSources: [(path: String, text: String)] {
    [
      ("Sources/\(name)/\(name)Plugin.swift", plugin), ("Sources/\(name)/\(name)Store.swift", store),
      ("Sources/\(name)/\(name)Coordinator.swift", coordinator), ("Sources/\(name)/\(name)Screens.swift", screens),
      ("Tests/\(name)Tests/\(name)Tests.swift", tests),
    ]
  }

  private var plugin: String {
    """
    import Gangway

    final class \(name)Plugin: Plugin {
      static let id = "\(id)", version = "0.1.0"

      func register(in registry: Registrar) {
        registry.service { ItemStore(file: $0.dataFolder.appending(path: "items.json")) }
        registry.tab("main", title: "\(name)", label: { (try? $0.service(ItemStore.self))?.label }) {
          \(name)Coordinator(try $0.service())
        }
        // `gangway validate` opens the link with its samples.
        registry.link("\(id)/:id", samples: [1]) { (id: Int) in \(name)Coordinator.Route.item(id) }
        // Other features show this place, and get the title of the new item.
        registry.place("add") { (_: NoPayload, context) in AddFlow(try context.service()) }
      }
    }

    /// The one symbol that a host looks for.
    @c(gangway_plugin) public func gangwayPlugin() -> UnsafeMutableRawPointer { exportPlugin(\(name)Plugin.self) }

    """
  }

  private var store: String {
    """
    import Foundation
    import Gangway

    struct Item: Codable, Hashable, Identifiable, Sendable { var id: Int, key: UUID?, title: String, isDone = false }

    struct Unreadable: Error, CustomStringConvertible { let description = "Could not read the items." }

    /// The items, in a file.
    @MainActor final class ItemStore {
      let items: Loadable<[Item]>
      private let file: URL
      /// The tab's badge: the number of open items. Nil until they are loaded, so that the last badge stays.
      var label: TabLabel? { items.value.map { items in TabLabel(badge: items.count { !$0.isDone }) } }

      init(file: URL) {
        self.file = file
        items = Loadable { try await Self.read(file) }
      }

      /// Adds an item once for each key, also if a crash makes the user press *Add* again.
      func add(_ title: String, key: UUID) async throws {
        try await change {
          guard !$0.contains(where: { $0.key == key }) else { return }
          $0.append(Item(id: ($0.map(\\.id).max() ?? 0) + 1, key: key, title: title))
        }
      }

      func finish(_ id: Item.ID) async throws {
        try await change { for index in $0.indices where $0[index].id == id { $0[index].isDone = true } }
      }

      /// Changes the items, after they have been loaded: so a file that cannot be read is never overwritten.
      private func change(_ change: (inout [Item]) -> Void) async throws {
        var all = try await items.get()
        change(&all)
        try JSONEncoder().encode(all).write(to: file, options: .atomic)
        items.value = all
      }

      @concurrent private nonisolated static func read(_ file: URL) async throws -> [Item] {
        guard FileManager.default.fileExists(atPath: file.path) else { return [] }
        guard let all = try? JSONDecoder().decode([Item].self, from: Data(contentsOf: file)) else { throw Unreadable() }
        return all
      }
    }

    """
  }

  private var coordinator: String {
    """
    import Foundation
    import Gangway

    /// The flow of this feature: its routes, and where each leads.
    final class \(name)Coordinator: StackCoordinator {
      enum Route: NavigationRoute { case list, item(Int), add }
      let start = Route.list
      private let store: ItemStore
      init(_ store: ItemStore) { self.store = store }

      func destination(for route: Route) -> Destination {
        switch route {
        case .list: .screen { [store] in ListScreen(store: store, router: $0) }
        case .item(let id): .screen { [store] in ItemScreen(id: id, store: store) }
        case .add:
          .flow(.modal) { [store] in AddFlow(store) } onFinish: { [router] in router.tell("\\($0) was added.") }
        }
      }
    }

    /// A flow that ends with a result: the title of the new item.
    final class AddFlow: StackCoordinator {
      typealias Output = String
      enum Route: NavigationRoute { case form }
      let start = Route.form
      /// The key of the new item, which comes back after a crash.
      var state = UUID()
      private let store: ItemStore
      init(_ store: ItemStore) { self.store = store }
      func destination(for route: Route) -> Destination {
        .screen { [store, state] in AddScreen(key: state, store: store, router: $0) }
      }
    }

    """
  }

  private var screens: String {
    """
    import Foundation
    import Gangway
    import Observation

    struct ListScreen: Screen {
      let store: ItemStore, router: Router<\(name)Coordinator>

      var body: some Content {
        Loading("Loading the items", store.items) { items in
          List(items) { item in
            Row(item.title, to: .item(item.id), in: router).badge(item.isDone ? "✓" : nil)
          }
          if items.isEmpty { Empty("No items yet", text: "Hello from \(name)") }
        }
        Button("Add") { try await router.show(.add) }
      }
    }

    struct ItemScreen: Screen {
      let id: Int, store: ItemStore
      var title: String? { store.items.value?.first { $0.id == id }?.title }

      var body: some Content {
        Loading("Loading the item", store.items) { items in
          if let item = items.first(where: { $0.id == id }) {
            Text(item.isDone ? "Done" : "Open")
            Button("Finish") { try await store.finish(id) }
          } else {
            Empty("This item is gone")
          }
        }
      }
    }

    @MainActor @Observable final class Draft { var title = "" }

    struct AddScreen: Screen {
      @Bindable var draft = Draft()
      let key: UUID, store: ItemStore, router: Router<AddFlow>

      var body: some Content {
        Form("New item", submit: "Add", isDirty: !draft.title.isEmpty) {
          TextField("Title", text: $draft.title).required()
            .rule(draft.title.count > 40 ? "At most 40 characters." : nil)
        } onSubmit: {
          try await store.add(draft.title, key: key)
          try await router.finish(draft.title)
        }
      }
    }

    """
  }

  private var tests: String {
    """
    import Foundation
    import Gangway
    import GangwayTesting
    import Testing

    @testable import \(name)

    /// The feature in isolation: no host, no library, no front end.
    @MainActor @Suite struct \(name)Tests {
      private let data = FileManager.default.temporaryDirectory.appending(path: "\(id)-\\(UUID().uuidString)")
      private var file: URL { data.appending(path: "\(id)/items.json") }

      private func write(_ text: String) throws {
        try FileManager.default.createDirectory(at: data.appending(path: "\(id)"), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
      }

      @Test func anItemIsAddedAndSurvivesARestart() async throws {
        try write("[]")
        let flow = try await FlowTester(\(name)Coordinator(ItemStore(file: file)))
        try await flow.tap("Add")
        try await flow.type(String(repeating: "long ", count: 9), into: "Title")
        await #expect(throws: FlowFailure.self) { try await flow.submit() }
        #expect(flow.screen.contains("At most 40 characters."))
        try await flow.type("Buy milk", into: "Title")
        try await flow.submit()
        try await flow.restart()
        #expect(flow.path == [.list] && flow.screen.contains("Buy milk"))
      }

      @Test func aFileThatCannotBeReadIsReadAgain() async throws {
        try write("nonsense")
        let flow = try await FlowTester(\(name)Coordinator(ItemStore(file: file)))
        #expect(flow.screen.contains("Could not read the items."))
        try write(#"[{"id": 1, "title": "Buy milk", "isDone": false}]"#)
        try await flow.tap("Try again")
        #expect(flow.screen.contains("Buy milk"))
      }

      @Test func theLinkOpensAnItemAndTheBadgeCounts() async throws {
        try write(#"[{"id": 1, "title": "Buy milk", "isDone": false}]"#)
        let app = try await FlowTester(plugins: [\(name)Plugin.self], data: data)
        try await app.open("gangway://\(id)/1")
        #expect(app.screen.contains("[\(name)* (1)]"))
        try await app.tap("Finish")
        #expect(app.screen.contains("[\(name)*]"))
      }

      @Test func thePlaceEndsWithTheTitle() async throws {
        try write("[]")
        let flow = try await FlowTester(AddFlow(ItemStore(file: file)))
        try await flow.type("Call Ann", into: "Title")
        try await flow.submit()
        #expect(flow.result == "Call Ann")
      }
    }

    """
  }
}
