@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) @testable import Gangway
@_spi(FrontEnd) import GangwayTesting
import Testing

/// The behavior of Stinsen 2.0.15, with a test for each row of the comparison in Documentation/ComingFromStinsen.md.
///
/// If Stinsen traps or loses something, the test states the difference.
@MainActor @Suite struct StinsenParityTests {
  private func maze() async throws -> (FlowTester<Maze>, Router<Maze>) {
    let flow = try await FlowTester(Maze())
    return (flow, try #require(flow.coordinator).router)
  }

  @Test func routeToReturnsTheChildOrSelfForChains() async throws {
    let (flow, router) = try await maze()
    try await router.show(.room(1)).show(.room(2))
    try await router.show(.child, as: Cellar.self).show(.barrel(1)).show(.barrel(2))
    #expect(flow.path == [.entrance, .room(1), .room(2), .child])
    #expect(flow.router(of: Cellar.self)?.path == [.stairs, .barrel(1), .barrel(2)])
  }

  /// In Stinsen, a later pop's action overwrites the callback, or an unrelated dismissal runs it.
  @Test func onDismissRunsExactlyOnceForItsOwnEntry() async throws {
    let (flow, router) = try await maze()
    defer { withExtendedLifetime(flow) {} }
    var dismissed: [String] = []
    try await router.show(.room(1), onDismiss: { dismissed.append("first") })
    try await router.show(.room(2), onDismiss: { dismissed.append("second") })
    try await router.popLast()
    #expect(dismissed == ["second"])
    try await router.show(.room(3))
    try await router.popToRoot()
    try await router.popToRoot()
    #expect(dismissed == ["second", "first"])
  }

  /// Stinsen never calls back after a pop with nothing to pop.
  @Test func popLastPopsOneAndSaysWhenThereIsNothing() async throws {
    let (flow, router) = try await maze()
    try await router.append([.room(1), .sheet])
    #expect(try await router.popLast())
    #expect(try await router.popLast())
    #expect(flow.path == [.entrance])
    #expect(try await router.popLast() == false)
  }

  @Test func popRemovesTheScreenOfTheRouterAndAllAboveIt() async throws {
    let (flow, router) = try await maze()
    try await router.show(.room(1))
    try await flow.settle()
    let leave = try Screens(flow).action("Leave")
    try await router.append([.room(2), .room(3)])
    try await leave()
    #expect(flow.path == [.entrance])
  }

  @Test func popToRootIsOneCommitAndReturnsSelf() async throws {
    let (flow, router) = try await maze()
    try await router.append([.room(1), .room(2), .room(3)])
    let commits = flow.history.count
    try await router.popToRoot().show(.room(4))
    #expect(flow.path == [.entrance, .room(4)])
    #expect(flow.history.count == commits + 2)
  }

  /// Stinsen never finds the root.
  @Test func focusFirstFindsTheFirstMatchTheRootToo() async throws {
    let (flow, router) = try await maze()
    try await router.append([.room(1), .room(2), .room(1), .room(3)])
    try await router.focusFirst(.room(1))
    #expect(flow.path == [.entrance, .room(1)])
    try await router.show(.room(2))
    try await router.focusFirst(.entrance)
    #expect(flow.path == [.entrance])
  }

  @Test func focusFirstTakesACondition() async throws {
    let (flow, router) = try await maze()
    try await router.append([.room(1), .room(5), .room(7)])
    try await router.focusFirst { if case .room(let number) = $0 { number > 3 } else { false } }
    #expect(flow.path == [.entrance, .room(1), .room(5)])
  }

  @Test func focusFirstReturnsTheChildAndThrowsWhenAbsent() async throws {
    let (flow, router) = try await maze()
    try await router.show(.child, as: Cellar.self).show(.barrel(1))
    try await router.show(.room(1))
    try await router.focusFirst(.child, as: Cellar.self).popToRoot()
    #expect(flow.path == [.entrance, .child])
    let before = flow.checkpoint
    let error = await #expect(throws: NavigationError.self) { try await router.focusFirst(.room(9)) }
    #expect(error?.code == .unknownEntry)
    #expect(error?.message == "room(9) is not in the stack of Maze, which contains: entrance, child.")
    #expect(flow.checkpoint == before)
  }

  @Test func rootWithTheSameRouteReturnsTheLiveChild() async throws {
    let (flow, router) = try await maze()
    defer { withExtendedLifetime(flow) {} }
    let first = try await router.root(.child, as: Cellar.self)
    let second = try await router.root(.child, as: Cellar.self)
    #expect(first.coordinator === second.coordinator)
  }

  /// Stinsen leaves the pushed stack on the new root, and does not set the parent.
  @Test func rootClearsTheStackAndSetsTheParent() async throws {
    let (flow, router) = try await maze()
    try await router.append([.room(1), .room(2)])
    let cellar = try await router.root(.child, as: Cellar.self)
    #expect(flow.path == [.child])
    #expect(cellar.parent === flow.coordinator)
    try await router.show(.room(1))
    try await router.root(.menu, keepingStack: true)
    #expect(flow.path == [.menu, .room(1)])
  }

  /// In Stinsen, both crash before the first view exists.
  @Test func isRootAndHasRootAnswerAtAnyTime() async throws {
    let maze = Maze()
    #expect(!maze.router.isRoot(.entrance))
    #expect(maze.router.hasRoot(.child, as: Cellar.self) == nil)
    let (flow, router) = try await self.maze()
    #expect(router.isRoot(.entrance))
    try await router.root(.child)
    #expect(router.hasRoot(.child, as: Cellar.self)?.coordinator != nil)
    #expect(router.hasRoot(.entrance, as: Cellar.self) == nil)
    withExtendedLifetime(flow) {}
  }

  /// Stinsen asserts that there is a parent.
  @Test func dismissCoordinatorRemovesTheFlowAndAllAboveIt() async throws {
    let (flow, router) = try await maze()
    let cellar = try await router.show(.child, as: Cellar.self)
    try await cellar.show(.barrel(1))
    try await router.show(.room(1))
    try await cellar.dismissFlow()
    #expect(flow.path == [.entrance])
    await #expect(throws: NavigationError(.noParent, "")) { try await router.dismissFlow() }
  }

  @Test(arguments: [
    (Maze.Route.sheet, "modal", true), (.cover, "fullScreen", true), (.fixedSheet, "modal", false),
  ])
  func presentationStylesArePushModalFullScreenAndRoot(
    _ route: Maze.Route, _ style: String, _ isDismissible: Bool
  ) async throws {
    let (flow, router) = try await maze()
    try await router.show(route)
    try await flow.settle()
    #expect(flow.presentation.top?.style.rawValue == style)
    #expect(flow.presentation.top?.isDismissible == isDismissible)
  }

  /// Stinsen's tabs are fixed, and all built at once.
  @Test func tabsAreBuiltOnFirstShowAndSelectedByRoute() async throws {
    let flow = try await FlowTester(House(initial: .maze))
    let router = try #require(flow.coordinator).router
    #expect(flow.coordinator?.made == [.maze])
    try await router.select(.cellar, as: Cellar.self).show(.barrel(1))
    #expect(flow.coordinator?.made == [.maze, .cellar])
    #expect(router.child(in: .cellar, as: Cellar.self)?.path == [.stairs, .barrel(1)])
    await #expect(throws: NavigationError(.unknownTab, "")) { try await router.select(.wrapped) }
  }

  /// Stinsen's callback also runs when code selects a tab.
  @Test func onTappedTellsARepeatAndThePersonFromCode() async throws {
    let flow = try await FlowTester(House())
    try await #require(flow.coordinator).router.select(.maze)
    #expect(flow.coordinator?.taps == [])
    try await flow.tab("Cellar")
    try await flow.tap("Barrel")
    try await flow.tab("Cellar")
    #expect(flow.coordinator?.taps == ["cellar false", "cellar true"])
    #expect(flow.presentation.path.map(\.title) == ["Stairs"])
  }

  @Test func customizeWrapsEveryScreenOfTheFlow() async throws {
    let flow = try await FlowTester(Pennant())
    #expect(flow.screen.contains("--- banner ---\nWhisper"))
    try await flow.tap("Backstage")
    #expect(flow.screen.contains("--- banner ---\nBarrel"))
  }

  @Test func aCoordinatorMayWrapAnother() async throws {
    let flow = try await FlowTester(House(tabs: [.plain, .wrapped]))
    try await flow.tab("Wrapped")
    try await flow.tap("Backstage")
    #expect(flow.router(of: Speaker.self)?.parent is Pennant)
  }

  @Test func theRouterOfAnyAncestorIsReachedByItsType() async throws {
    let (flow, router) = try await maze()
    let cellar = try await router.show(.child, as: Cellar.self)
    #expect(try cellar.ancestor(Maze.self).coordinator === flow.coordinator)
  }

  /// Stinsen has one store for the whole process. Here, each session has its own.
  @Test func theRouterStoreGivesTheNewestAndHoldsNobody() async throws {
    let (flow, router) = try await maze()
    #expect(flow.router(of: Cellar.self) == nil)
    try await router.show(.child)
    let second = try await router.show(.child, as: Cellar.self)
    #expect(flow.router(of: Cellar.self)?.coordinator === second.coordinator)
    try await router.popToRoot()
    #expect(flow.router(of: Cellar.self) == nil)
  }

  /// Stinsen has `routerStorable`. Here, a screen or model depends on a protocol that the router meets.
  @Test func aModelSeesADoubleInPlaceOfTheRouter() async throws {
    let double = DoorDouble()
    let model = DoorModel(routing: double)
    try await model.knock()
    #expect(double.opened == [7])
    let (flow, router) = try await maze()
    try await DoorModel(routing: router).knock()
    #expect(flow.path == [.entrance, .room(7)])
  }

  @Test func aDeepLinkByChaining() async throws {
    let (flow, router) = try await maze()
    try await router.root(.child, as: Cellar.self).append([.barrel(1), .barrel(2), .barrel(3)])
    try await router.hasRoot(.child, as: Cellar.self)?.focusFirst(.barrel(2)).popToRoot().show(.barrel(9))
    #expect(flow.router(of: Cellar.self)?.path == [.stairs, .barrel(9)])
  }
}

@MainActor private protocol DoorRouting { func openDoor(_ number: Int) async throws }

extension Router: DoorRouting where C == Maze {
  fileprivate func openDoor(_ number: Int) async throws { try await show(.room(number)) }
}

@MainActor private final class DoorDouble: DoorRouting {
  var opened: [Int] = []
  func openDoor(_ number: Int) { opened.append(number) }
}

@MainActor private struct DoorModel {
  let routing: any DoorRouting
  func knock() async throws { try await routing.openDoor(7) }
}
