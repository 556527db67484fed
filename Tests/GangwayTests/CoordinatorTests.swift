@_spi(FrontEnd) import Gangway
@_spi(FrontEnd) import GangwayTesting
import Testing

@MainActor @Suite struct CoordinatorTests {
  @Test func anActionTravelsUpToWhoHandlesIt() async throws {
    let flow = try await FlowTester(Pennant())
    let banner = try #require(flow.coordinator)
    try await flow.tap("Shout")
    #expect(banner.heard == ["hey"])
    try await flow.tap("Whisper")
    #expect(banner.heard == ["hey"])
  }

  @Test(arguments: ["Mumble", "Report"])
  func anActionNobodyHandlesIsReported(_ button: String) async throws {
    let flow = try await FlowTester(Pennant())
    let failure = await #expect(throws: FlowFailure.self) { try await flow.tap(button) }
    #expect(failure?.message.hasPrefix("No coordinator handled the action ") == true)
  }

  @Test func aWrapperCustomizesEveryScreenOfItsFlow() async throws {
    let flow = try await FlowTester(Pennant())
    #expect(flow.screen.hasPrefix("Stage\n--- banner ---\nWhisper\n"))
    try await flow.tap("Backstage")
    #expect(flow.screen.hasPrefix("Stage > Stairs\n--- banner ---\nBarrel\n"))
    let before = (flow.screen, flow.tree)
    try await flow.restart()
    #expect((flow.screen, flow.tree) == before)
  }

  @Test func aWrappedFlowInATabKeepsItsStack() async throws {
    let flow = try await FlowTester(House(tabs: [.plain, .wrapped]))
    try await flow.tab("Wrapped")
    try await flow.tap("Backstage")
    try await flow.tab("Plain")
    try await flow.restart()
    try await flow.tab("Wrapped")
    #expect(flow.screen.hasPrefix("[Plain] [Wrapped*]\nStage > Stairs\n--- banner ---\n"))
  }

  @Test func whatGoesIsReleased() async throws {
    let flow = try await FlowTester(Maze())
    let router = try #require(flow.coordinator).router
    weak let cellar = try await router.show(.child, as: Cellar.self).coordinator
    #expect(cellar != nil)
    try await flow.settle()
    try await router.popToRoot()
    try await flow.settle()
    #expect(cellar == nil)
  }
}
