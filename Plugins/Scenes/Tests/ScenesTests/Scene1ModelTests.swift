import Testing

@testable import Scenes

@MainActor @Suite struct Scene1ModelTests {
  @Test func everyWayOutCarriesTheText() async throws {
    let routing = RoutingDouble()
    let model = Scene1Model(routing: routing)
    model.text = "abc"
    try await model.goToScene2()
    try await model.openScene3()
    try await model.greet()
    #expect(routing.calls == ["scene2 abc", "scene3 abc", "greet abc"])
  }

  @Test func nobodyNamedIsTheWorld() async throws {
    let routing = RoutingDouble()
    try await Scene1Model(routing: routing).greet()
    #expect(routing.calls == ["greet World"])
  }

  @Test(arguments: [("", "Nothing was typed"), ("x", "You typed: x")])
  func aTextSceneShowsItsText(_ text: String, _ line: String) {
    #expect(TextModel(text: text).line == line)
  }
}

@MainActor final class RoutingDouble: Scene1Routing {
  private(set) var calls: [String] = []
  var greetingUnavailability: String?
  func showScene2(text: String) { calls.append("scene2 \(text)") }
  func showScene3(text: String) { calls.append("scene3 \(text)") }
  func greet(name: String) { calls.append("greet \(name)") }
}
