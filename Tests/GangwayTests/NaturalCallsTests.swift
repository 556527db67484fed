@_spi(FrontEnd) import Gangway
@_spi(FrontEnd) import GangwayTesting
import Testing

/// Calls as a developer would first write them. The test is that they compile.
@MainActor @Suite struct NaturalCallsTests {
  @Test func aTransactionIsWrittenWithoutCeremony() async throws {
    let flow = try await FlowTester(NaturalFlow())
    try await flow.tap("One")
    #expect(flow.path == [.home, .page(1)])
    try await flow.tap("Some")
    #expect(flow.path == [.home, .page(2)])
    try await flow.tap("Two")
    #expect(flow.path == [.home, .page(1), .page(2)])
  }
}

private final class NaturalFlow: StackCoordinator {
  enum Route: NavigationRoute { case home, page(Int) }
  let start = Route.home
  func destination(for route: Route) -> Destination { .screen { router in NaturalScreen(router: router) } }
}

private struct NaturalScreen: Screen {
  let router: Router<NaturalFlow>
  var body: some Content {
    Button("One") { try await router.transaction { p in try p.popToRoot().show(.page(1)) } }
    if true {
      Button("Some") { try await router.transaction { p in try p.popToRoot().show(.page(2)) } }
    }
    Button("Two") { try await router.transaction { try $0.popToRoot().show(.page(1)).show(.page(2)) } }
    Button("Set") { try await router.transaction { plan in try plan.set([.home]) } }
  }
}
