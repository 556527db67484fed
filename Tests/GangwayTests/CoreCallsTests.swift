import Foundation
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import GangwayTesting
import Observation
import Testing

@_spi(FrontEnd) @testable import Gangway

/// The core's calls for authors, each as an author would use it.
@MainActor @Suite struct CoreCallsTests {
  // MARK: Dismissing

  final class Desk: StackCoordinator {
    enum Route: NavigationRoute { case desk, sheet, page }
    let start = Route.desk
    func destination(for route: Route) -> Destination {
      switch route {
      case .sheet: .screen(.modal) { router in Sheet(router: router) }
      default: .screen { router in Page(router: router) }
      }
    }
  }

  struct Sheet: Screen {
    let router: Router<Desk>
    var body: some Content { Button("Close") { try await router.dismiss() } }
  }

  struct Page: Screen {
    let router: Router<Desk>
    var body: some Content {
      Button("Sheet") { try await router.show(.sheet) }
      Button("Pop") { try await router.pop() }
    }
  }

  @Test func aSheetDismissesItselfAndLeavesWhatIsBelow() async throws {
    let desk = Desk()
    let flow = try await FlowTester(desk)
    try await desk.router.show(.page)
    try await flow.settle()
    try await flow.tap("Sheet")
    #expect(flow.path == [.desk, .page, .sheet])
    try await flow.tap("Close")
    #expect(flow.path == [.desk, .page])
    await #expect(throws: NavigationError.self) { try await desk.router.dismiss() }
    #expect(flow.path == [.desk, .page])
  }

  // MARK: Undo

  @Test func undoDoesNotCrossAPlanThatSaysSo() async throws {
    let desk = Desk()
    let flow = try await FlowTester(desk)
    try await desk.router.show(.page)
    try await desk.router.transaction { try $0.preventUndo().show(.page) }
    try await flow.settle()
    await #expect(throws: (any Error).self) { try await flow.undo() }
    #expect(flow.path == [.desk, .page, .page])
  }

  // MARK: Guards with a context

  @MainActor final class Gate { var isOpen = false }

  final class Fence: WrapperCoordinator {
    let gate: Gate
    init(_ gate: Gate) { self.gate = gate }
    var guards: [NavigationGuard] {
      [NavigationGuard("gate") { [gate] _ in gate.isOpen ? .allow : .deny("The gate is shut.") }]
    }
    func makeWrapped() -> Desk { Desk() }
  }

  final class Road: StackCoordinator {
    enum Route: NavigationRoute { case road, garden }
    let start = Route.road
    let gate: Gate
    init(_ gate: Gate) { self.gate = gate }
    func destination(for route: Route) -> Destination {
      switch route {
      case .road: .screen { router in RoadScreen(router: router) }
      case .garden: .flow { Fence(self.gate) }
      }
    }
  }

  struct RoadScreen: Screen {
    let router: Router<Road>
    var body: some Content { Button("In") { try await router.show(.garden) } }
  }

  @Test func theGuardsOfAWrapperAreAskedBeforeItIsShown() async throws {
    let gate = Gate()
    let road = Road(gate)
    let flow = try await FlowTester(road)
    let error = await #expect(throws: NavigationError.self) { try await road.router.show(.garden) }
    #expect(error?.code == .denied)
    #expect(flow.path == [.road])
    gate.isOpen = true
    try await road.router.show(.garden)
    try await flow.settle()
    #expect(flow.path == [.road, .garden])
  }

  // MARK: Services that change

  @MainActor final class Person {
    private var listeners: [AsyncStream<String>.Continuation] = []
    private(set) var name = "Ann"

    func names() -> AsyncStream<String> {
      AsyncStream { continuation in
        continuation.yield(name)
        listeners.append(continuation)
      }
    }

    func rename(_ name: String) -> String {
      defer { self.name = name }
      for listener in listeners { listener.yield(name) }
      return self.name
    }
  }

  final class Account: Plugin {
    static let id = "account", version = "1.0.0"
    func register(in registry: Registrar) {
      registry.service("person") { _ in
        Person()
      } operations: { service in
        service.operation("rename") { (person: Person, name: String) in person.rename(name) }
        service.changes("name") { (person: Person) in person.names() }
      }
    }
  }

  final class Greeter: Plugin {
    static let id = "greeter", version = "1.0.0"
    func register(in registry: Registrar) {
      registry.tab("main", title: "Greeter") { _ in Greeting() }
    }
  }

  @Observable final class Greeting: StackCoordinator {
    enum Route: NavigationRoute { case start }
    let start = Route.start
    var state = ""
    func destination(for route: Route) -> Destination {
      .screen { router in GreetingScreen(flow: self, router: router) }
    }
  }

  struct GreetingScreen: Screen {
    let flow: Greeting
    let router: Router<Greeting>
    var body: some Content {
      Text("Hello, \(flow.state)").task {
        do {
          for try await name in try await router.service("account.person").changes("name", as: String.self) {
            flow.state = name
          }
        } catch {}
      }
      Button("Rename") {
        let _: String = try await router.service("account.person").call("rename", with: "Bea")
      }
    }
  }

  /// A source whose plugins arrive on request of the test.
  private final class Slow: PluginSource {
    let registry: Registry
    var waiting: [() -> Void] = []
    init(_ registry: Registry) { self.registry = registry }
    func load(_ plugin: PluginID, finished: @escaping @MainActor (String?) -> Void) {
      waiting.append { [registry] in
        do {
          try registry.register(Account.self)
          finished(nil)
        } catch {
          finished("\(error)")
        }
      }
    }
  }

  @Test func aChangeInOneFeatureIsSeenInTheOtherThoughItsPluginCameLate() async throws {
    let registry = Registry()
    let slow = Slow(registry)
    registry.source = slow
    registry.announce(try Registry().manifest(of: Account.self))
    try registry.register(Greeter.self)
    let folder = FileManager.default.temporaryDirectory
    let session = Session(registry: registry, folders: PluginFolders(data: folder, cache: folder, log: { _ in }))
    _ = try session.start()
    func shows(_ text: String) async throws {
      try await eventually(session.presentation.plainText) { session.presentation.plainText.contains(text) }
    }
    try await shows("Hello, \nRename")
    // Nothing blocks while the plugin loads.
    try await yieldUntil(!slow.waiting.isEmpty)
    slow.waiting.removeFirst()()
    try await shows("Hello, Ann")
    let element = try #require(session.presentation.top?.elements.first { $0.label == "Rename" })
    let target = Event.ElementReference(node: session.presentation.top?.node ?? 0, element: element.id)
    _ = session.handle(Event(id: 1, revision: session.presentation.revision, action: .tap(target)))
    try await shows("Hello, Bea")
    session.close()
  }
}
