@_spi(FrontEnd) @testable import Gangway
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) @testable import GangwayTesting
import Testing

/// Redirects, and navigations that continue after them.
extension GuardTests {
  @Test func aRedirectParksTheIntentAndResumesIt() async throws {
    let flow = try await castle(.redirect(Place("castle.sign-in")))
    try await flow.tap("Hall 7")
    try await flow.tap("Secret")
    #expect(flow.screen.hasPrefix("[Halls*] | [Towers] | [Hall]\nGate > Hall > Form\n(modal) Form\n"))
    WardenState.verdict = .allow
    try await flow.tap("Sign in")
    #expect(flow.presentation.path.map(\.title) == ["Gate", "Hall", "Secret"])
  }

  @Test func whatIsWantedInsteadGoesOnAfterTheSameRedirect() async throws {
    let flow = try await castle(.redirect(Place("castle.sign-in")))
    try await flow.tap("Hall 7")
    try await flow.tap("Secret")
    // Work that waits for the user does not count as busy.
    #expect(flow.session.pending.map(\.isWaiting) == [true])
    for _ in 0..<2 {
      try await flow.open("gangway://halls/secret")
      #expect(flow.presentation.layers.count == 2)
    }
    WardenState.verdict = .allow
    try await flow.tap("Sign in")
    #expect(flow.presentation.layers.count == 1)
    #expect(flow.presentation.path.map(\.title) == ["Gate", "Secret"])
    #expect(flow.told.notices.isEmpty, "\(flow.told)")
  }

  @Test func aLinkLandsWhereItPointedAfterSigningInAlsoInTheNextHost() async throws {
    let flow = try await castle(.redirect(Place("castle.sign-in")))
    try await flow.open("gangway://halls/secret")
    #expect(flow.presentation.layers.count == 2)
    try await flow.restart()
    WardenState.verdict = .allow
    try await flow.tap("Sign in")
    #expect(flow.presentation.path.map(\.title) == ["Gate", "Secret"])
    #expect(flow.notices.isEmpty)
  }

  @Test(arguments: ["a button", "Escape", "a link", "code"])
  func leavingARedirectGivesUpTheIntentAndTellsNothing(_ way: String) async throws {
    let flow = try await castle(.redirect(Place("castle.sign-in")))
    var code: Task<NavigationError.Code?, Never>?
    switch way {
    case "a link": try await flow.open("gangway://halls/secret")
    case "code":
      let router = try #require(flow.session.router(of: Halls.self))
      // Code receives an error, and may do something else.
      code = Task.immediate {
        do { try await router.show(.secret) } catch { return (error as? NavigationError)?.code }
        return nil
      }
      try await flow.settle()
    default: try await flow.tap("Secret")
    }
    #expect(flow.presentation.layers.count == 2)
    if way == "a button" { try await flow.tap("Give up") } else { try await flow.dismiss() }
    #expect(flow.presentation.layers.count == 1)
    #expect(flow.presentation.path.map(\.title) == ["Gate"])
    #expect(flow.told.notices.isEmpty, "\(flow.told.notices)")
    if let code { #expect(await code.value == .redirectCancelled) }
  }

  /// A finished flow need not satisfy the guard: the user may have no second factor yet.
  @Test(arguments: ["a button", "a link", "a restart"])
  func aGuardMayRedirectToAFinishedFlowAgain(_ way: String) async throws {
    let flow = try await castle(.redirect(Place("castle.sign-in")))
    if way == "a button" { try await flow.tap("Secret") } else { try await flow.open("gangway://halls/secret") }
    for _ in 0..<15 {
      try await flow.tap("Pretend")
      #expect(flow.presentation.layers.count == 2)
      #expect(flow.presentation.path.map(\.title) == ["Gate", "Form"])
      if way == "a restart" { try await flow.restart() }
    }
    WardenState.verdict = .allow
    try await flow.tap("Sign in")
    #expect(flow.presentation.path.map(\.title) == ["Gate", "Secret"])
    #expect(flow.told.notices.isEmpty, "\(flow.told)")
  }

  /// Without an action of the user, redirects would follow each other without end.
  @Test func aRedirectToAFlowThatEndsByItselfIsACircle() async throws {
    let flow = try await FlowTester(Ward(), plugins: [Circle.self])
    let router = try #require(flow.coordinator).router
    let error = await #expect(throws: NavigationError.self) { try await router.show(.guarded("hasty")) }
    #expect(error?.code == .redirectCycle)
    #expect(error?.message.contains("guarded(\"hasty\") → circle.hasty → circle.hasty") == true, "\(error!)")
    #expect(flow.path == [.home])
    #expect(flow.presentation.layers.count == 1)
    try await router.show(.free)
  }
}
