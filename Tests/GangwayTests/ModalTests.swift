@_spi(FrontEnd) import Gangway
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import GangwayTesting
import Testing

@MainActor @Suite struct ModalTests {
  @Test func aNavigationFromBelowDismissesTheModalInTheSameCommit() async throws {
    let flow = try await FlowTester(Maze())
    let router = try #require(flow.coordinator).router
    try await router.show(.sheet)
    try await flow.settle()
    let revision = flow.presentation.revision
    try await router.show(.room(1))
    try await flow.settle()
    #expect(flow.path == [.entrance, .room(1)])
    #expect(flow.presentation.revision == revision + 1)
  }

  @Test func aModalOfAChildGivesWayToItsParent() async throws {
    let flow = try await FlowTester(Maze())
    let router = try #require(flow.coordinator).router
    try await router.show(.child, as: Cellar.self).show(.trapdoor)
    try await router.show(.room(1))
    try await flow.settle()
    #expect(flow.screen.hasPrefix("Entrance > Stairs > Room\n"))
    #expect(flow.presentation.layers.map(\.style) == [.base])
  }

  @Test func aModalFlowNavigatesWithinItself() async throws {
    let flow = try await FlowTester(Maze())
    try await #require(flow.coordinator).router.show(.childSheet)
    try await flow.settle()
    try await flow.tap("Barrel")
    #expect(flow.screen.hasPrefix("Entrance > Stairs > Barrel\n(modal) Barrel\n"))
    #expect(flow.presentation.layers.map(\.style) == [.base, .modal])
    try await flow.dismiss()
    #expect(flow.path == [.entrance])
  }

  @Test func modalsStandOnEachOther() async throws {
    let flow = try await FlowTester(Maze())
    try await #require(flow.coordinator).router.show(.childSheet, as: Cellar.self).show(.trapdoor)
    try await flow.settle()
    #expect(flow.presentation.layers.map(\.style) == [.base, .modal, .modal])
    try await flow.back()
    try await flow.back()
    #expect(flow.presentation.layers.map(\.style) == [.base])
  }

  @Test func aModalThatMustBeAnsweredRefuses() async throws {
    let flow = try await FlowTester(Maze())
    let router = try #require(flow.coordinator).router
    try await router.show(.fixedSheet)
    try await flow.settle()
    let before = flow.checkpoint
    #expect(!flow.presentation.canGoBack)
    await #expect(throws: FlowFailure.self) { try await flow.back() }
    await #expect(throws: FlowFailure.self) { try await flow.dismiss() }
    let error = await #expect(throws: NavigationError.self) { try await router.show(.room(1)) }
    #expect(error?.code == .modalNotDismissible)
    #expect(flow.checkpoint == before)
    try await flow.restart()
    #expect(!flow.presentation.canGoBack)
  }

  @Test func itsOwnScreenMayLeaveAModalThatMustBeAnswered() async throws {
    let flow = try await FlowTester(Maze())
    try await #require(flow.coordinator).router.show(.fixedSheet)
    try await flow.settle()
    try await flow.tap("Leave and play")
    #expect(flow.path == [.entrance, .game])
  }

  @Test func itsOwnScreenMayNavigateOnFromIt() async throws {
    let flow = try await FlowTester(Maze())
    try await #require(flow.coordinator).router.show(.fixedSheet)
    try await flow.settle()
    try await flow.tap("Go on")
    #expect(flow.path == [.entrance, .room(9)])
  }

  @Test func aFullScreenCoverIsALayerOfItsOwn() async throws {
    let flow = try await FlowTester(Maze())
    try await #require(flow.coordinator).router.show(.cover)
    try await flow.settle()
    #expect(flow.presentation.layers.map(\.style) == [.base, .fullScreen])
  }

  @Test func whatIsAppendedStaysUnderWhatFollows() async throws {
    let flow = try await FlowTester(Maze())
    let router = try #require(flow.coordinator).router
    try await router.append([.sheet, .room(1)])
    #expect(flow.path == [.entrance, .sheet, .room(1)])
    try await router.set([.entrance])
    try await router.append([.sheet, .sheet])
    #expect(flow.path == [.entrance, .sheet, .sheet])
    try await flow.settle()
    #expect(flow.presentation.layers.map(\.style) == [.base, .modal, .modal])
    try await router.set([.entrance])
    try await router.transaction { try $0.append([.room(1), .cover, .sheet, .room(2)]) }
    #expect(flow.path == [.entrance, .room(1), .cover, .sheet, .room(2)])
    // Existing entries give way, as they do for `show`.
    try await router.append([.sheet])
    #expect(flow.path == [.entrance, .room(1), .sheet])
  }

  @Test func aModalShownFromAModalStandsOverIt() async throws {
    let flow = try await FlowTester(Maze())
    try await #require(flow.coordinator).router.show(.sheet)
    try await flow.settle()
    try await flow.tap("Ask more")
    #expect(flow.path == [.entrance, .sheet, .sheet])
    try await flow.tap("Ask more")
    #expect(flow.presentation.layers.map(\.style) == [.base, .modal, .modal, .modal])
    try await flow.restart()
    #expect(flow.path == [.entrance, .sheet, .sheet, .sheet])
    try await flow.dismiss()
    #expect(flow.path == [.entrance, .sheet, .sheet])
    // As always, an entry pushed from the modal replaces it.
    try await flow.tap("Go on")
    #expect(flow.path == [.entrance, .room(9)])
  }

  @Test func dismissingWithNothingOpenSaysSo() async throws {
    let flow = try await FlowTester(Maze())
    let failure = await #expect(throws: FlowFailure.self) { try await flow.dismiss() }
    #expect(failure?.message.hasPrefix("No modal is open.") == true)
  }
}
