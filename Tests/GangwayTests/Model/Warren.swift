import Gangway
import Observation

/// What the flows of a random application share: who waits for what, and whether doors are open.
@MainActor final class WarrenState {
  /// Whether entries that are held may go, and entries that are guarded may come.
  var isLocked = false
  /// How often each question's handler heard an ending, by the number of the question.
  var endings: [Int: Int] = [:]
  /// Every coordinator that was made, to see which are still there.
  var made: [WeakBurrow] = []
  /// What tabs hold, by their names.
  let kinds: [String: TabKind]
  var isComparing = false

  enum TabKind: CaseIterable { case burrow, wrapped, screen }

  init(kinds: [String: TabKind]) { self.kinds = kinds }

  func note(_ coordinator: any Coordinator) {
    if !isComparing { made.append(WeakBurrow(coordinator)) }
  }
}

struct WeakBurrow {
  weak var coordinator: (any Coordinator)?
  init(_ coordinator: any Coordinator) { self.coordinator = coordinator }
}

/// Tabs that come and go.
@MainActor @Observable final class Warren: TabCoordinator {
  struct Tab: NavigationRoute { let name: String }
  var state: [String]
  @ObservationIgnored let app: WarrenState

  init(_ app: WarrenState, tabs: [String]) {
    self.app = app
    state = tabs
    app.note(self)
  }

  var tabs: [Tab] { state.map { Tab(name: $0) } }
  func onRemoval(of tab: Tab) -> TabRemoval { tab.name.count.isMultiple(of: 2) ? .keepStack : .close }
  func item(for tab: Tab) -> TabItem {
    let destination: Destination =
      switch app.kinds[tab.name] {
      case .wrapped: .flow { Hedge(self.app) }
      case .screen: .screen { BurrowScreen(app: self.app) }
      case .burrow, nil: .flow { Burrow(self.app) }
      }
    return TabItem(title: tab.name, destination: destination)
  }
}

@MainActor final class Hedge: WrapperCoordinator {
  private let app: WarrenState
  init(_ app: WarrenState) {
    self.app = app
    app.note(self)
  }
  func makeWrapped() -> Burrow { Burrow(app) }
}

/// A flow with a route for every style, policy, guard and kind of destination.
@MainActor @Observable final class Burrow: StackCoordinator {
  enum Route: NavigationRoute {
    case start
    case screen(Int), sheet(Int), cover(Int), fixed(Int)
    case flow(Int), flowSheet(Int), question(Int), tabs(Int)
    case switched(Int), reused(Int), replaced(Int), returned(Int)
    case held(Int), guarded(Int), place(Int)
    case broken

    var onRepeat: RepeatPolicy {
      switch self {
      case .reused: .reuseTop
      case .replaced: .replaceTop
      case .returned: .popTo
      default: .push
      }
    }
  }

  struct Collapse: Error {}
  typealias Output = Int
  let start = Route.start
  var state = 0
  @ObservationIgnored let app: WarrenState

  init(_ app: WarrenState) {
    self.app = app
    app.note(self)
  }

  func guards(for route: Route) -> [NavigationGuard] {
    guard case .guarded = route else { return [] }
    return [NavigationGuard("door") { [app] _ in app.isLocked ? .deny("locked") : .allow }]
  }

  func destination(for route: Route) -> Destination {
    switch route {
    case .sheet: .screen(.modal) { BurrowScreen(app: self.app) }
    case .cover: .screen(.fullScreen) { BurrowScreen(app: self.app) }
    case .fixed: .screen(.modal(dismissible: false)) { BurrowScreen(app: self.app) }
    case .switched: .screen(.root) { BurrowScreen(app: self.app) }
    case .held: .screen { BurrowScreen(app: self.app, isHeld: true) }
    case .flow: .flow { Burrow(self.app) }
    case .flowSheet: .flow(.modal) { Burrow(self.app) }
    case .tabs: .flow { Warren(self.app, tabs: ["x", "yy"]) }
    case .place(let number): .place("burrow.hole", with: number)
    case .question(let number):
      .flow(.modal) {
        Burrow(self.app)
      } onFinish: { [app] _ in
        app.endings[number, default: 0] += 1
      } onCancel: { [app] _ in
        app.endings[number, default: 0] += 1
      }
    case .broken: .screen { () throws -> BurrowScreen in throw Collapse() }
    default: .screen { BurrowScreen(app: self.app) }
    }
  }
}

struct BurrowScreen: Screen {
  let app: WarrenState
  var isHeld = false
  var leaveGuard: NavigationGuard? {
    isHeld ? NavigationGuard("hold") { [app] _ in app.isLocked ? .deny("held") : .allow } : nil
  }
  var body: some Content { Text("earth") }
}
