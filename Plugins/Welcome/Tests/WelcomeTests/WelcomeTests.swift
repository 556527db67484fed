import GangwayTesting
import Testing

@testable import Welcome

@MainActor @Suite struct WelcomeTests {
  @Test func theTextIsThereAfterARestart() async throws {
    let flow = try await FlowTester(WelcomeCoordinator())
    try await flow.type("Hello", into: "Type something")
    try await flow.restart()
    try await flow.expect("Type something: [Hello]")
  }
}
