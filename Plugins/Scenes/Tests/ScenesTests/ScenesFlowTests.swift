import FoundationEssentials
import Gangway
import GangwayTesting
import Testing

@testable import Scenes

@MainActor @Suite struct ScenesFlowTests {
  @Test func theTextArrivesInScene2() async throws {
    let flow = try await FlowTester(ScenesCoordinator())
    try await flow.type("hello", into: "Text")
    try await flow.tap("Go to Scene 2")
    #expect(flow.path == [.scene1, .scene2(text: "hello")])
    #expect(flow.screen == "Scene 1 > Scene 2\nYou typed: hello")
    try await flow.back()
    #expect(flow.screen.contains("Text: [hello]"))
  }

  @Test func theTextArrivesInTheSheetOfScene3() async throws {
    let flow = try await FlowTester(ScenesCoordinator())
    try await flow.type("hello", into: "#text")
    try await flow.tap("Open Scene 3")
    #expect(flow.screen == "Scene 1 > Scene 3\n(modal) Scene 3\nYou typed: hello")
    try await flow.dismiss()
    #expect(flow.path == [.scene1])
  }

  @Test(arguments: ["Go to Scene 2", "Open Scene 3"])
  func theScreenSurvivesARestart(_ button: String) async throws {
    let flow = try await FlowTester(ScenesCoordinator())
    try await flow.type("hello", into: "Text")
    try await flow.tap(button)
    let before = (flow.screen, flow.tree)
    try await flow.restart()
    #expect((flow.screen, flow.tree) == before)
    try await flow.back()
    #expect(flow.screen.contains("Text: [hello]"))
  }

  /// Runs the script that also runs in a host with the loaded library, and in the terminal.
  @Test func theScriptRunsInIsolation() async throws {
    let script = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Scripts/scenes.txt")
    let flow = try await FlowTester(plugins: [ScenesPlugin.self])
    try await flow.run(script: String(contentsOf: script, encoding: .utf8))
  }

  @Test func eachLinkLeadsWhereItSaysAndBack() async throws {
    let flow = try await FlowTester(plugins: [ScenesPlugin.self], stubs: [.place("hello.greet", taking: String.self)])
    for url in [
      "gangway://scenes", "gangway://scenes/2?text=a%26b", "gangway://scenes/3?text=", "gangway://scenes/greet/Ann%20B",
    ] {
      try await flow.open(url)
      #expect(flow.url == url)
    }
    #expect(flow.navigations.map(\.description) == ["hello.greet(Ann B)"])
  }

  @Test func aScreenIsComparedWithItsSnapshot() async throws {
    let flow = try await FlowTester(ScenesCoordinator())
    try flow.snapshot("first")
    try await flow.type("hello", into: "Text")
    try await flow.tap("Open Scene 3")
    try flow.snapshot("sheet")
  }

  @Test func withoutHelloGreetSaysWhyItIsUnavailable() async throws {
    let flow = try await FlowTester(ScenesCoordinator())
    #expect(flow.screen.hasSuffix("Greet (unavailable: This needs a feature that is not installed.)"))
    let failure = await #expect(throws: FlowFailure.self) { try await flow.tap("Greet") }
    #expect(failure?.message.contains("'Greet' is not available: This needs a feature that is not installed.") == true)
    #expect(flow.path == [.scene1])
  }

  @Test func greetShowsWhatAnotherPluginOffers() async throws {
    let flow = try await FlowTester(ScenesCoordinator(), plugins: [GreeterDouble.self])
    try await flow.type("Ann", into: "Text")
    try await flow.tap("Greet")
    #expect(flow.screen == "Scene 1 > Double\nHello from a double, Ann")
    #expect(flow.path == [.scene1, .greeting(name: "Ann")])
  }
}

/// A double of the plugin `hello`.
final class GreeterDouble: Plugin {
  static let id = "hello"
  static let version = "0.0.1"
  func register(in registry: Registrar) {
    registry.place("greet") { (name: String) in Greeter(name) }
  }

  final class Greeter: StackCoordinator {
    enum Route: NavigationRoute { case double }
    let start = Route.double
    let name: String
    init(_ name: String) { self.name = name }
    func destination(for route: Route) -> Destination { .screen { Line(text: "Hello from a double, \(self.name)") } }
  }

  struct Line: Screen {
    let text: String
    var body: some Content { Text(text) }
  }
}
