import Foundation
@_spi(FrontEnd) import Gangway
@_spi(FrontEnd) import GangwayTesting
import Testing

/// Services that the sessions of a host share, as long as such a session exists.
@MainActor @Suite struct HostServiceTests {
  private func session(_ registry: Registry, of profile: String? = nil) throws -> Session {
    let all = PluginFolders(data: .temporaryDirectory, cache: .temporaryDirectory) { _ in }
    let folders = try profile.map { try #require(all.of(profile: $0)) } ?? all
    let session = Session(registry: registry, folders: folders)
    _ = try session.start()
    return session
  }

  /// Returns the service of the newest session.
  private func newest() throws -> Till { try #require(Shop.newest) }

  /// Otherwise, a host with a thousand users would keep all their open resources, such as databases, until it ends.
  @Test func whatAPersonsSessionsShareGoesWithTheLastOfThem() throws {
    let registry = Registry()
    try registry.register(Shop.self)
    var first: Session? = try session(registry, of: "ada")
    weak let shared = try newest()
    var second: Session? = try session(registry, of: "ada")
    #expect(try newest() === shared)
    var other: Session? = try session(registry, of: "grace")
    weak let others = try newest()
    #expect(others !== shared)
    Shop.newest = nil
    first?.close()
    first = nil
    #expect(shared != nil)
    second?.close()
    second = nil
    #expect(shared == nil)
    #expect(others != nil)
    // A user who comes back gets a new service.
    let third = try session(registry, of: "ada")
    #expect(try newest().count == 1)
    Shop.newest = nil
    other?.close()
    other = nil
    #expect(others == nil)
    third.close()
  }

  @Test func whereThereIsOnePersonItLivesAsLongAsTheHost() throws {
    var registry: Registry? = Registry()
    try registry?.register(Shop.self)
    for number in 1...3 {
      let session = try session(try #require(registry))
      #expect(try newest().count == number)
      session.close()
    }
    weak let shared = Shop.newest
    weak let ended = registry
    (Shop.newest, registry) = (nil, nil)
    #expect(ended == nil)
    #expect(shared == nil)
  }

  @Test func aTestedFlowLeavesNothingOfIt() async throws {
    weak var registry: Registry?
    do {
      let flow = try await FlowTester<RootCoordinator>(plugins: [Shop.self])
      #expect(flow.screen.contains("Customer 1"))
      registry = flow.contributions
    }
    Shop.newest = nil
    #expect(registry == nil)
  }

  /// A restart is the end of a host, so what its sessions shared in memory is lost.
  @Test func aTestedFlowThatRestartsHasNewServices() async throws {
    let flow = try await FlowTester<RootCoordinator>(plugins: [Shop.self])
    let first = try newest()
    try await flow.restart()
    #expect(try newest() !== first)
    #expect(flow.screen.contains("Customer 1"))
    let second = try newest()
    try await flow.reopen()
    #expect(try newest() !== second)
    Shop.newest = nil
  }
}

@MainActor private final class Till { var count = 0 }

private final class Shop: Plugin {
  static let id = "shop"
  static let version = "1.0.0"
  @MainActor static var newest: Till?
  func register(in registry: Registrar) {
    registry.service(scope: .host) { _ in Till() }
    registry.tab("counter", title: "Counter") { context in
      let till: Till = try context.service()
      till.count += 1
      Self.newest = till
      return ShopFlow(till)
    }
  }
}

@MainActor private final class ShopFlow: StackCoordinator {
  enum Route: NavigationRoute { case start }
  let start = Route.start
  private let till: Till
  init(_ till: Till) { self.till = till }
  func destination(for route: Route) -> Destination { .screen { CustomerScreen(number: self.till.count) } }
}

private struct CustomerScreen: Screen {
  let number: Int
  var body: some Content { Text("Customer \(number)") }
}
