@_spi(FrontEnd) import Gangway
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import GangwayTesting
import Observation
import Testing

/// The user goes back to any entry of the path at once.
@MainActor @Suite struct PathReturnTests {
  /// A flow of floors, with a cellar of its own as a flow inside.
  @Observable final class Tower: StackCoordinator {
    enum Route: NavigationRoute { case floor(Int), cellar, note, question }
    let start = Route.floor(0)
    var endings: [String] = []
    var isLocked = false

    func destination(for route: Route) -> Destination {
      switch route {
      case .floor(let number): .screen { Floor(number: number, tower: self, router: $0) }
      case .cellar:
        .flow {
          Cellar()
        } onCancel: { [weak self] reason in
          self?.endings.append("cellar \(reason)")
        }
      case .note: .screen(.modal) { Floor(number: 90, tower: self, router: $0) }
      case .question: .screen(.modal(dismissible: false)) { Floor(number: 91, tower: self, router: $0) }
      }
    }
  }

  struct Floor: Screen {
    let number: Int
    let tower: Tower
    let router: Router<Tower>
    var title: String? { "Floor \(number)" }
    var leaveGuard: NavigationGuard? {
      number == 2 && tower.isLocked ? NavigationGuard("locked") { _ in .deny("The door is locked.") } : nil
    }
    var body: some Content {
      Button("Up") { try await router.show(.floor(number + 1)) }
      Button("Cellar") { try await router.show(.cellar) }
      Button("Note") { try await router.show(.note) }
      Button("Question") { try await router.show(.question) }
      Toggle(
        "Locked",
        isOn: Binding {
          tower.isLocked
        } set: {
          tower.isLocked = $0
        })
    }
  }

  final class Cellar: StackCoordinator {
    enum Route: NavigationRoute { case stairs, wine }
    let start = Route.stairs
    func destination(for route: Route) -> Destination { .screen { Shelf(router: $0) } }
  }

  struct Shelf: Screen {
    let router: Router<Cellar>
    var title: String? { "Shelf" }
    var body: some Content { Button("Wine") { try await router.show(.wine) } }
  }

  private func node(_ title: String, _ flow: FlowTester<Tower>) throws -> NodeID {
    try #require(flow.presentation.path.first { $0.title == title }).node
  }

  private func titles(_ flow: FlowTester<Tower>) -> [String] { flow.presentation.path.map(\.title) }

  @Test func everythingAboveTheEntryIsRemovedInOneStep() async throws {
    let flow = try await FlowTester(Tower())
    for step in ["Up", "Up", "Cellar", "Wine"] { try await flow.tap(step) }
    #expect(titles(flow) == ["Floor 0", "Floor 1", "Floor 2", "Shelf", "Shelf"])
    // Within the inner flow, the flow stays.
    try await flow.send(.backTo(flow.presentation.path[3].node))
    #expect(titles(flow) == ["Floor 0", "Floor 1", "Floor 2", "Shelf"])
    #expect(flow.coordinator?.endings == [])
    try await flow.send(.backTo(try node("Floor 1", flow)))
    #expect(titles(flow) == ["Floor 0", "Floor 1"])
    #expect(flow.coordinator?.endings == ["cellar back"])
    // It is one commit, which can be undone.
    try await flow.undo()
    #expect(titles(flow) == ["Floor 0", "Floor 1", "Floor 2", "Shelf"])
    // The entry on top stays where it is.
    try await flow.send(.backTo(try node("Shelf", flow)))
    #expect(titles(flow) == ["Floor 0", "Floor 1", "Floor 2", "Shelf"])
  }

  @Test func aLeaveGuardOfAnyRemovedScreenIsAsked() async throws {
    let flow = try await FlowTester(Tower())
    for step in ["Locked", "Up", "Up", "Up"] { try await flow.tap(step) }
    let denied = await #expect(throws: FlowFailure.self) { try await flow.send(.backTo(node("Floor 0", flow))) }
    #expect(denied?.message.contains("The door is locked.") == true)
    #expect(titles(flow) == ["Floor 0", "Floor 1", "Floor 2", "Floor 3"])
    try await flow.send(.backTo(node("Floor 2", flow)))
    #expect(titles(flow) == ["Floor 0", "Floor 1", "Floor 2"])
  }

  @Test func aModalIsDismissedUnlessItMustBeAnswered() async throws {
    let flow = try await FlowTester(Tower())
    for step in ["Up", "Note"] { try await flow.tap(step) }
    try await flow.send(.backTo(node("Floor 0", flow)))
    #expect(titles(flow) == ["Floor 0"])
    for step in ["Up", "Question"] { try await flow.tap(step) }
    await #expect(throws: FlowFailure.self) { try await flow.send(.backTo(node("Floor 0", flow))) }
    #expect(titles(flow) == ["Floor 0", "Floor 1", "Floor 91"])
  }

  @Test func anEntryThatIsNotInThePathIsRefused() async throws {
    let flow = try await FlowTester(Tower())
    try await flow.tap("Up")
    let gone = try node("Floor 1", flow)
    try await flow.back()
    for id in [gone, 0, 1, 9_999, -1] {
      await #expect(throws: FlowFailure.self, "\(id)") { try await flow.send(.backTo(id)) }
    }
    #expect(titles(flow) == ["Floor 0"])
  }
}
