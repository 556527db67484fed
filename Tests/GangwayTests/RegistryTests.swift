@_spi(FrontEnd) @testable import Gangway
import Testing

@MainActor @Suite struct RegistryTests {
  @Test func tabsStandInTheirDeclaredOrder() throws {
    let registry = Registry()
    try registry.register(Lodge.self)
    try registry.register(Counting.self)
    try registry.register(Ordered.self)
    #expect(registry.tabs.map(\.id) == ["ordered.first", "counting.main", "lodge.hall", "ordered.last"])
    #expect(registry.plugins.map(\.id) == ["lodge", "counting", "ordered"])
    #expect(registry.contributions(of: "lodge") == ["tab lodge.hall", "place lodge.room"])
  }

  @Test func aSecondPluginOfOneIDIsRefused() throws {
    let registry = Registry()
    try registry.register(Lodge.self)
    let error = #expect(throws: RegistrationError.self) { try registry.register(Lodge.self) }
    #expect(
      "\(try #require(error))" == "the plugin lodge has the id of a plugin that is already registered, version 1.0.0"
    )
    #expect(registry.plugins.count == 1)
  }

  @Test func everyProblemIsNamedAndNothingTakenOver() throws {
    let registry = Registry()
    let error = #expect(throws: RegistrationError.self) { try registry.register(Muddled.self) }
    #expect(
      error?.problems == [
        "registers the tab muddled.one twice, as 'First' and 'Second'",
        "registers the place 'Not an id', whose name does not match [a-z][a-z0-9-]*",
        "registers the place muddled.place twice",
      ])
    #expect(registry.tabs.isEmpty)
    #expect(registry.unavailability(of: "muddled.place") == "the plugin muddled is not loaded")
  }

  @Test(arguments: [("a", true), ("a-1", true), ("", false), ("1a", false), ("A", false), ("a_b", false), ("ä", false)])
  func anIDHasItsForm(_ id: String, _ isValid: Bool) {
    #expect(ContributionID.isName(id) == isValid)
  }

  @Test func whatIsMissingIsExplained() throws {
    let registry = Registry()
    try registry.register(Lodge.self)
    registry.leaveOut("cabin", because: "it was damp")
    #expect(registry.unavailability(of: "lodge.room") == nil)
    #expect(registry.unavailability(of: "lodge.attic") == "the plugin lodge does not offer the place lodge.attic")
    #expect(registry.unavailability(of: "cabin.bed") == "the plugin cabin is not loaded: it was damp")
    #expect(registry.unavailability(of: "tent.bed") == "the plugin tent is not loaded")
  }

  @Test func aCallOutsideRegistrationIsNoted() throws {
    let registry = Registry()
    var told: [String] = []
    registry.onLateCall = { told.append($0) }
    try registry.register(Latecomer.self)
    Latecomer.kept?.place("late") { (_: Int) in Cellar() }
    Latecomer.kept?.depends(on: "lodge")
    #expect(
      registry.lateCalls == [
        "the place late was registered outside register(in:) and is ignored",
        "the dependency on lodge was registered outside register(in:) and is ignored",
      ])
    #expect(told == registry.lateCalls)
    #expect(
      registry.unavailability(of: "latecomer.late") == "the plugin latecomer does not offer the place latecomer.late")
  }

  @Test func aPluginThatThrowsContributesNothing() throws {
    let registry = Registry()
    #expect(throws: Maze.BrokenRoom.self) { try registry.register(Throwing.self) }
    #expect(registry.tabs.isEmpty)
    try registry.register(Lodge.self)
    #expect(registry.tabs.count == 1)
  }
}

final class Ordered: Plugin {
  static let id = "ordered"
  static let version = "1.0.0"
  func register(in registry: Registrar) {
    registry.tab("last", title: "Last", order: 200) { _ in Cellar() }
    registry.tab("first", title: "First", order: 1) { _ in Cellar() }
  }
}

final class Muddled: Plugin {
  static let id = "muddled"
  static let version = "1.0.0"
  func register(in registry: Registrar) {
    registry.tab("one", title: "First") { _ in Cellar() }
    registry.tab("one", title: "Second") { _ in Cellar() }
    registry.place("Not an id") { (_: Int) in Cellar() }
    registry.place("place") { (_: Int) in Cellar() }
    registry.place("place") { (_: String) in Cellar() }
  }
}

final class Throwing: Plugin {
  static let id = "throwing"
  static let version = "1.0.0"
  func register(in registry: Registrar) throws {
    registry.tab("one", title: "First") { _ in Cellar() }
    throw Maze.BrokenRoom()
  }
}

/// A plugin that keeps its registrar.
final class Latecomer: Plugin {
  static let id = "latecomer"
  static let version = "1.0.0"
  @MainActor static var kept: Registrar?
  func register(in registry: Registrar) { Self.kept = registry }
}
