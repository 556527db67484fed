@_spi(FrontEnd) @testable import Gangway
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) @testable import GangwayTesting
import Testing

@MainActor @Suite(.serialized) struct ApplicationGuardTests {
  @Test func anApplicationGuardHearsWhereTheUserIs() async throws {
    let flow = try await FlowTester(plugins: [Castle.self, Usher.self])
    Usher.left = []
    try await flow.tap("Hall 7")
    try await flow.tap("Secret")
    try await flow.tab("Towers")
    try await flow.open("gangway://halls/3")
    // The link shows a tab, and then a route.
    #expect(Usher.left == ["gate", "hall(7)", "secret", "yard", "yard"])
    // The plan has removed the entries before it comes to the guards.
    Usher.left = []
    let router = try #require(flow.session.router(of: Halls.self))
    try await router.show(.sheet)
    try await router.root(.hall(4))
    #expect(Usher.left == ["hall(3)", "sheet"])
  }

  @Test func anApplicationGuardOfARedirectHearsWhereTheUserIs() async throws {
    let flow = try await FlowTester(plugins: [Castle.self, Usher.self])
    Usher.isClosed = true
    Usher.left = []
    try await flow.tap("Secret")
    Usher.isClosed = false
    try await flow.tap("Sign in")
    #expect(Usher.left == ["gate", "gate", "gate"])
    // Nobody leaves anything if guards run for a stored entry.
    Usher.left = []
    try await flow.reopen()
    #expect(!Usher.left.isEmpty && Usher.left.allSatisfy { $0 == nil })
  }
}

/// A plugin whose guard notes where the user is, and may demand a sign-in for the secret route.
final class Usher: Plugin {
  static let id = "usher"
  static let version = "1.0.0"
  @MainActor static var left: [String?] = []
  @MainActor static var isClosed = false

  func register(in registry: Registrar) {
    registry.guard("usher") { request in
      Self.left.append(request.leaving?.description)
      return Self.isClosed && request.target.description == "secret" ? .redirect(Place("castle.sign-in")) : .allow
    }
  }
}
