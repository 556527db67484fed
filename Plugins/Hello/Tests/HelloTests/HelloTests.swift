import GangwayTesting
import Testing

@testable import Hello

@MainActor @Suite struct HelloTests {
  @Test func greetingAgainPushesAnother() async throws {
    let flow = try await FlowTester(Hello(name: "Ann"))
    #expect(flow.screen == "Greeting\nHello, Ann!\nGreet again")
    try await flow.tap("Greet again")
    try await flow.tap("Greet again")
    #expect(flow.path == [.greeting("Ann"), .greeting("Ann"), .greeting("Ann")])
    try await flow.back()
    #expect(flow.path.count == 2)
  }

  @Test func theNameSurvivesARestart() async throws {
    let flow = try await FlowTester(Hello(name: "Ann"))
    try await flow.tap("Greet again")
    let before = (flow.screen, flow.tree)
    try await flow.restart()
    #expect((flow.screen, flow.tree) == before)
  }
}
