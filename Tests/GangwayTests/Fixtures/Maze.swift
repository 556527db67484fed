@_spi(FrontEnd) import Gangway
@_spi(FrontEnd) import GangwayTesting

/// A flow with a route for every style, policy and kind of destination.
@MainActor final class Maze: StackCoordinator {
  enum Route: NavigationRoute {
    case entrance
    case room(Int)
    case sheet
    case cover
    case fixedSheet
    case menu
    case game
    case archive(Int)
    case child
    case childSheet
    case question
    case newEntrance
    case broken
    case itself
    case elsewhere(ContributionID)

    var onRepeat: RepeatPolicy {
      switch self {
      case .menu: .reuseTop
      case .game: .replaceTop
      case .archive: .popTo
      default: .push
      }
    }
  }

  struct BrokenRoom: Error, CustomStringConvertible { let description = "the ceiling came down" }

  let start = Route.entrance
  private(set) var answers: [String] = []
  private(set) var built: [Route] = []
  private lazy var shared = Cellar()

  func destination(for route: Route) -> Destination {
    let screen = { [self] (router: Router<Maze>) in
      built.append(route)
      return MazeScreen(route: route, router: router)
    }
    switch route {
    case .entrance, .room, .menu, .game, .archive: return .screen { screen($0) }
    case .sheet: return .screen(.modal) { screen($0) }
    case .cover: return .screen(.fullScreen) { screen($0) }
    case .fixedSheet: return .screen(.modal(dismissible: false)) { screen($0) }
    case .newEntrance: return .screen(.root) { screen($0) }
    case .child: return .flow { Cellar() }
    case .childSheet: return .flow(.modal) { Cellar() }
    case .question:
      return .flow(.modal) {
        Question()
      } onFinish: { [weak self] answer in
        self?.answers.append("finished \(answer)")
      } onCancel: { [weak self] reason in
        self?.answers.append("cancelled \(reason)")
      }
    case .broken: return .screen { () throws -> MazeScreen in throw BrokenRoom() }
    case .itself: return .flow { self.shared }
    case .elsewhere(let id): return .place(id)
    }
  }
}

struct MazeScreen: Screen {
  let route: Maze.Route
  let router: Router<Maze>
  var body: some Content {
    Button("Go on") { try await router.show(.room(9)) }
    Button("Leave") { try await router.pop() }
    Button("Ask more") { try await router.show(.sheet) }
    Button("Leave and play") {
      try await router.transaction { plan in
        try plan.popLast()
        try plan.show(.game)
      }
    }
  }
}

/// A child flow.
@MainActor final class Cellar: StackCoordinator {
  enum Route: NavigationRoute { case stairs, barrel(Int), trapdoor }
  let start = Route.stairs
  func destination(for route: Route) -> Destination {
    switch route {
    case .trapdoor: .screen(.modal) { router in CellarScreen(router: router) }
    default: .screen { router in CellarScreen(router: router) }
    }
  }
}

struct CellarScreen: Screen {
  let router: Router<Cellar>
  var body: some Content {
    Button("Barrel") { try await router.show(.barrel(1)) }
    Button("Trapdoor") { try await router.show(.trapdoor) }
    Button("To the entrance") { try await router.ancestor(Maze.self).popToRoot() }
    Button("Up") { try await router.dismissFlow() }
  }
}

/// A flow that finishes with a value.
@MainActor final class Question: StackCoordinator {
  enum Route: NavigationRoute { case question, detail }
  typealias Output = Int
  let start = Route.question
  func destination(for route: Route) -> Destination { .screen { router in QuestionScreen(router: router) } }
}

struct QuestionScreen: Screen {
  let router: Router<Question>
  var body: some Content {
    Button("Forty-two") { try await router.finish(42) }
    Button("No answer") { try await router.cancel() }
    Button("More") { try await router.show(.detail) }
  }
}
