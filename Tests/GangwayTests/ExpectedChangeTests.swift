@_spi(FrontEnd) import Gangway
@_spi(FrontEnd) import GangwayTesting
import Observation
import Testing

/// A test states the expected change of a step, and fails for any other change.
@MainActor @Suite struct ExpectedChangeTests {
  private func castle() async throws -> FlowTester<RootCoordinator> {
    try await FlowTester(plugins: [Castle.self, Lodge.self])
  }

  @Test func whatIsExpectedPasses() async throws {
    let flow = try await castle()
    try await flow.expectChange {
      $0.push("hall(7)")
    } when: {
      try await flow.tap("Hall 7")
    }
    try await flow.expectChange {
      $0.update("hall(8)")
    } when: {
      try await flow.router(of: Halls.self)?.update(.hall(8))
      try await flow.settle()
    }
    try await flow.expectChange {
      $0.pop()
    } when: {
      try await flow.back()
    }
    // A tab that is shown for the first time gets its flow.
    try await flow.expectChange {
      $0.select("Towers") { $0.push("yard") }
    } when: {
      try await flow.tab("Towers")
    }
    // A place of another feature brings its flow, over the entries on the link's way.
    try await flow.expectChange {
      $0.select("Halls")
      $0.push("hall(1)")
      $0.push("lodge.room") { $0.push("number(7)") }
    } when: {
      try await flow.open("gangway://tour")
    }
    try await flow.expectChange {
      $0.pop(2)
    } when: {
      try await flow.back()
      try await flow.back()
    }
    try await flow.expectChange {
      $0.push("sheet", as: "modal")
    } when: {
      try await flow.router(of: Halls.self)?.show(.sheet)
      try await flow.settle()
    }
  }

  @Test func whatElseChangedFailsWithTheDifference() async throws {
    let flow = try await castle()
    let failure = await #expect(throws: FlowFailure.self) {
      try await flow.expectChange {
        $0.push("hall(1)")
      } when: {
        try await flow.open("gangway://tour")
      }
    }
    #expect(failure?.line == #line - 7)
    #expect(
      failure?.message.contains("+     push  lodge.room\n+       push  number(7)") == true, "\(failure?.message ?? "")")
    let nothing = await #expect(throws: FlowFailure.self) {
      try await flow.expectChange { try await flow.back() }
    }
    #expect(nothing?.message.contains("-     push  lodge.room") == true, "\(nothing?.message ?? "")")
    // An entry that appeared and disappeared again is not a change.
    try await flow.expectChange {
      try await flow.open("gangway://halls/3")
      try await flow.open("gangway://halls/1")
    }
  }

  @Test func stateAndInputsAreCompared() async throws {
    let flow = try await FlowTester(Lamps())
    try await flow.expectChange {
      $0.setState(of: Lamps.self, Lamps.State(count: 1))
    } when: {
      try await flow.tap("Light")
    }
    let failure = await #expect(throws: FlowFailure.self) {
      try await flow.expectChange { try await flow.tap("Light") }
    }
    #expect(failure?.message.contains("+ root  state {\"count\":2}") == true, "\(failure?.message ?? "")")
    try await flow.expectChange {
      $0.set("name", to: "hall")
    } when: {
      try await flow.type("hall", into: "Name")
    }
  }
}

private final class Lamps: StackCoordinator {
  struct State: Codable { var count = 0 }
  enum Route: NavigationRoute { case all }
  let start = Route.all
  var state = State()
  func destination(for route: Route) -> Destination { .screen { LampScreen(lamps: self) } }
}

private struct LampScreen: Screen {
  weak var lamps: Lamps?
  @Bindable var lamp = Lamp()
  var body: some Content {
    Button("Light") { lamps?.state.count += 1 }
    TextField("Name", text: $lamp.name).id("name")
  }
}

@MainActor @Observable private final class Lamp { var name = "" }
