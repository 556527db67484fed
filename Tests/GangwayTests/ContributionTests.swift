@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import Gangway
@_spi(FrontEnd) import GangwayTesting
import Observation
import Testing

@MainActor @Suite struct ContributionTests {
  @Test func aSlotShowsWhatOthersContributeInOrderAndMakesItOnUse() async throws {
    Carpenter.made = 0
    let flow = try await FlowTester(plugins: [Carpenter.self, Castle.self])
    flow.checksRestoration = false
    #expect(flow.screen.contains("This is gate\nOak door\nIron door\n"))
    #expect(Carpenter.made == 0)
    try await flow.tap("Oak door")
    #expect(Carpenter.made == 1)
    #expect(flow.presentation.path.map(\.title) == ["Gate", "Stairs"])
  }

  @Test func whatDoesNotFitIsReportedWithBothEnds() throws {
    let registry = Registry()
    try registry.register(Carpenter.self)
    #expect(
      registry.problems == [
        "The plugin carpenter uses the place castle.sign-in, but the plugin castle is not loaded.",
        "The plugin carpenter uses the place lodge.room, but the plugin lodge is not loaded.",
        "The plugin carpenter uses the service castle.crier, but the plugin castle is not loaded.",
        "The plugin carpenter contributes carpenter.bad to castle.doors, but the plugin castle is not loaded.",
        "The plugin carpenter contributes carpenter.iron to castle.doors, but the plugin castle is not loaded.",
        "The plugin carpenter contributes carpenter.oak to castle.doors, but the plugin castle is not loaded.",
      ])
    try registry.register(Castle.self)
    try registry.register(Lodge.self)
    #expect(
      registry.problems == [
        #"The plugin carpenter shows lodge.room with the String "seven", but the plugin lodge takes Int: "#
          + "Int was expected.",
        "The plugin carpenter calls castle.crier.whisper, but the plugin castle offers only: cry.",
        "The plugin carpenter contributes carpenter.bad to castle.doors with a value of type Int, but the plugin "
          + "castle expects Door: Dictionary<String, Any> was expected. Value: 5",
      ])
  }

  /// A result that its user cannot read, and ids that an installed plugin does not have.
  @Test func resultsAndIdsOfAnInstalledPluginAreCompared() throws {
    let registry = Registry()
    // The other plugin is optional, so nothing is wrong without it.
    try registry.register(ReviewClerk.self)
    #expect(registry.misfits(of: "clerk") == [])
    try registry.register(ReviewOffice.self)
    #expect(
      registry.misfits(of: "clerk") == [
        "The plugin clerk expects Wanted from office.review, but in the plugin office, office.review ends with "
          + #"Decision, such as {"isApproved":false}: it lacks 'isFine'."#,
        "The plugin clerk expects String from office.talk, but in the plugin office, office.talk ends with no value: "
          + "the flow ends without a value.",
        "The plugin clerk expects Wanted from office.desk.decide, but the plugin office returns "
          + #"Decision, such as {"isApproved":false}: it lacks 'isFine'."#,
        "The plugin clerk uses the place office.reviw, but the plugin office does not offer the place office.reviw. "
          + "Did you mean 'office.review'?",
        "The plugin clerk contributes clerk.note to office.papers, but the plugin office has no slot office.papers.",
      ])
    #expect(registry.uncheckedResults(of: "clerk") == ["office.review"])
  }

  @Test func aServiceIsCalledAcrossPluginsEachWithItsOwnTypes() async throws {
    let flow = try await FlowTester(plugins: [Castle.self])
    try await flow.tap("Cry")
    #expect(flow.screen.contains(#"This is search("HEAR 1", page: 1)"#))
    try await flow.tap("Cry")
    #expect(flow.screen.contains(#"This is search("HEAR 2", page: 1)"#))
  }

  @Test func aServiceThatIsNotThereIsATypedVisibleCondition() async throws {
    let flow = try await FlowTester(Halls())
    let router = try #require(flow.coordinator).router
    #expect(router.unavailability(ofService: "castle.crier") == "This needs a feature that is not installed.")
    let error = #expect(throws: NavigationError.self) { _ = try router.service("castle.crier") }
    #expect(error?.code == .noService)
  }

  @Test(arguments: [
    ("shout", "castle.crier has no operation 'shout', which castle calls. It has cry."),
    (
      "cry",
      "castle.crier.cry of the plugin castle takes Word and returns String; castle called it with Int and "
        + "expects String: "
        + "Dictionary<String, Any> was expected."
    ),
  ])
  func aCallThatDoesNotFitNamesBothEnds(_ operation: String, _ message: String) async throws {
    let flow = try await FlowTester(plugins: [Castle.self])
    let router = try #require(flow.router(of: Halls.self))
    let error = await #expect(throws: NavigationError.self) {
      let _: String = try await router.service("castle.crier").call(operation, with: 5)
    }
    #expect(error?.message == message)
  }

  @Test func changesThatAServiceDoesNotOfferAreNamed() async throws {
    let flow = try await FlowTester(plugins: [Castle.self])
    let router = try #require(flow.router(of: Halls.self))
    let error = await #expect(throws: NavigationError.self) {
      _ = try await router.service("castle.crier").changes("cry", as: String.self)
    }
    #expect(
      error?.message
        == "castle.crier has no changes named 'cry', which castle follows. It has none. In a test, "
        + "add the missing changes with .service(_:changes:).")
  }

  /// A feature uses its own object by type, also if others call the object by name.
  @Test func aNamedServiceIsAlsoFoundByItsTypeInItsPlugin() async throws {
    let flow = try await FlowTester(plugins: [Bakery.self])
    #expect(flow.screen.contains("Heat: 0"))
    let router = try #require(flow.router(of: OvenFlow.self))
    let _: NoPayload = try await router.service("bakery.oven").call("heat")
    try await flow.settle()
    #expect(flow.screen.contains("Heat: 1"))
  }

  /// The values of a stub arrive some turns later, and the flow only waits for them.
  @Test func aFlowThatFollowsAStubSeesItsChangeInTheNextStep() async throws {
    let oven = Oven()
    let stub = Stub.service("bakery.oven", changes: "heat") { Observations { oven.heat } }
    let flow = try await FlowTester(plugins: [Kitchen.self], stubs: [stub])
    for heat in 1...20 {
      oven.heat = heat
      try await flow.settle()
      #expect(flow.screen.contains("Heat: \(heat)"))
    }
  }

  @Test func aServiceOfTheHostIsOneForAllSessions() throws {
    let registry = Registry()
    try registry.register(Archive.self)
    let first = SessionFixture(registry, root: { RootCoordinator($0) })
    let second = SessionFixture(registry, root: { RootCoordinator($0) })
    _ = try first.session.start()
    _ = try second.session.start()
    #expect(first.session.presentation.plainText.contains("shared 1, own 1"))
    #expect(second.session.presentation.plainText.contains("shared 2, own 1"))
  }

  @Test func stubsStandForOtherPluginsAndRecordWhatTheyHear() async throws {
    let flow = try await FlowTester(
      Halls(),
      stubs: [
        .place("lodge.room", taking: Int.self, endingWith: String.self),
        .service("castle.crier", operation: "cry") { (word: Word) in "stubbed \(word.text)" },
        .contributions(to: "castle.doors", ["smith.steel": Door(title: "Steel door")]),
      ])
    try await flow.tap("Cry")
    #expect(flow.screen.contains("stubbed hear"))
    #expect(flow.calls.map(\.description) == [#"castle.crier.cry(Word(text: "hear"))"#])
    try await flow.tap("Steel door")
    try await #require(flow.coordinator).router.show(Place("lodge.room", with: 3))
    try await flow.settle()
    #expect(flow.screen.hasSuffix("lodge.room\n(stub)\n3"))
    #expect(flow.navigations.map(\.description) == ["smith.steel", "lodge.room(3)"])
    try await flow.finishStub("lodge.room", with: "done")
    #expect(flow.path.count == 3)
  }

  @Test func aResultCrossesPlugins() async throws {
    let flow = try await FlowTester(Asker(), stubs: [.place("clerk.form", endingWith: Reply.self)])
    try await flow.tap("Ask")
    try await flow.restart()
    try await flow.finishStub("clerk.form", with: Reply(text: "yes"))
    #expect(flow.coordinator?.heard == ["yes"])
  }
}

private struct Reply: Codable, Sendable { let text: String }

@MainActor private final class Asker: StackCoordinator {
  enum Route: NavigationRoute { case home, form }
  /// The asker's own type for a reply.
  struct Answer: Codable, Sendable { let text: String }
  let start = Route.home
  var heard: [String] = []
  func destination(for route: Route) -> Destination {
    switch route {
    case .home: .screen { router in AskerScreen(router: router) }
    case .form:
      .place("clerk.form") { [weak self] (answer: Answer) in self?.heard.append(answer.text) }
    }
  }
}

private struct AskerScreen: Screen {
  let router: Router<Asker>
  var body: some Content { Button("Ask") { try await router.show(.form) } }
}

/// A plugin that contributes to a slot of the castle without knowing it.
final class Carpenter: Plugin {
  static let id = "carpenter"
  static let version = "1.0.0"
  static var made = 0
  struct Label: Codable { let title: String }
  func register(in registry: Registrar) {
    registry.contribute("iron", to: "castle.doors", Label(title: "Iron door"), order: 20) { _ in Cellar() }
    registry.contribute("oak", to: "castle.doors", Label(title: "Oak door"), order: 10) { _ in
      Self.made += 1
      return Cellar()
    }
    registry.contribute("bad", to: "castle.doors", 5) { _ in Cellar() }
    registry.uses(place: "castle.sign-in")
    registry.uses(place: "lodge.room", with: "seven")
    registry.uses(service: "castle.crier", operation: "cry", with: ["text": "hear"])
    registry.uses(service: "castle.crier", operation: "whisper", with: ["text": "hear"])
  }
}

/// Uses another feature with mistakes.
final class ReviewClerk: Plugin {
  static let id = "clerk"
  static let version = "1.0.0"
  struct Wanted: Codable { var isFine = true }
  func register(in registry: Registrar) {
    registry.uses(place: "office.review", endingWith: Wanted(), isOptional: true)
    registry.uses(place: "office.review", isOptional: true)
    registry.uses(place: "office.talk", endingWith: "x", isOptional: true)
    registry.uses(service: "office.desk", operation: "decide", returning: Wanted(), isOptional: true)
    registry.uses(place: "office.reviw", isOptional: true)
    registry.contribute("note", to: "office.papers", "a note") { _ in Cellar() }
  }
}

final class ReviewOffice: Plugin {
  static let id = "office"
  static let version = "1.0.0"
  struct Decision: Codable { var isApproved: Bool }
  final class Desk {}
  final class Review: StackCoordinator {
    typealias Output = Decision
    enum Route: NavigationRoute { case paper }
    let start = Route.paper
    func destination(for route: Route) -> Destination { .screen { LineScreen(text: "A paper") } }
  }
  func register(in registry: Registrar) {
    registry.place("review") { (_: NoPayload) in Review() }
    registry.place("talk") { (_: NoPayload) in Cellar() }
    registry.service("desk") { _ in
      Desk()
    } operations: { contract in
      contract.operation("decide") { (_: Desk, _: NoPayload) in Decision(isApproved: true) }
    }
  }
}

@MainActor final class Ledger { var count = 0 }
@MainActor final class Purse { var count = 0 }

final class Archive: Plugin {
  static let id = "archive"
  static let version = "1.0.0"
  func register(in registry: Registrar) {
    registry.service(scope: .host) { _ in Ledger() }
    registry.service { _ in Purse() }
    registry.tab("desk", title: "Desk") { context in
      let (shared, own): (Ledger, Purse) = (try context.service(), try context.service())
      shared.count += 1
      own.count += 1
      return ArchiveDesk("shared \(shared.count), own \(own.count)")
    }
  }
}

@MainActor final class ArchiveDesk: StackCoordinator {
  enum Route: NavigationRoute { case desk }
  let start = Route.desk
  private let text: String
  init(_ text: String) { self.text = text }
  func destination(for route: Route) -> Destination { .screen { LineScreen(text: self.text) } }
}

struct LineScreen: Screen {
  let text: String
  var body: some Content { Text(text) }
}

@MainActor @Observable private final class Oven { var heat = 0 }

private final class Bakery: Plugin {
  static let id = "bakery"
  static let version = "1.0.0"
  func register(in registry: Registrar) {
    registry.service("oven") { _ in
      Oven()
    } operations: { contract in
      contract.operation("heat") { (oven: Oven, _: NoPayload) in
        oven.heat += 1
        return NoPayload()
      }
    }
    registry.tab("main", title: "Bakery") { OvenFlow(try $0.service()) }
  }
}

@MainActor private final class OvenFlow: StackCoordinator {
  enum Route: NavigationRoute { case start }
  let start = Route.start
  private let oven: Oven
  init(_ oven: Oven) { self.oven = oven }
  func destination(for route: Route) -> Destination { .screen { [oven] in OvenScreen(oven: oven) } }
}

private struct OvenScreen: Screen {
  let oven: Oven
  var body: some Content { Text("Heat: \(oven.heat)") }
}

private final class Kitchen: Plugin {
  static let id = "kitchen"
  static let version = "1.0.0"
  func register(in registry: Registrar) {
    registry.tab("main", title: "Kitchen") { KitchenFlow(try $0.service("bakery.oven")) }
  }
}

/// A flow that follows the service of another feature.
@MainActor private final class KitchenFlow: StackCoordinator {
  enum Route: NavigationRoute { case start }
  let start = Route.start
  private let seen = Oven()
  init(_ oven: ServiceHandle) {
    work { flow in
      for try await heat in try await oven.changes("heat", as: Int.self) { flow.seen.heat = heat }
    }
  }
  func destination(for route: Route) -> Destination { .screen { [seen] in OvenScreen(oven: seen) } }
}
