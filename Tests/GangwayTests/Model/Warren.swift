@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) @testable import Gangway
import Observation

/// The state that all flows of a random app share.
@MainActor final class WarrenState {
  /// Whether held entries must stay, and guarded entries must not appear.
  var isLocked = false
  /// The number of endings that each question's handler heard, by the number of the question.
  var endings: [Int: Int] = [:]
  /// The values for entries that were returned to.
  var returns: [Int] = []
  /// Every coordinator that was made, to see which ones still exist.
  var made: [WeakBurrow] = []
  /// The kinds of the tabs' content, by name.
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
    case held(Int), guarded(Int), asked(Int), place(Int), remote(Int), aside(Int)
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
    if case .asked = route {
      return [
        NavigationGuard("question") { [app] _ in
          for _ in 0..<3 { await Task.yield() }
          return app.isLocked ? .deny("locked") : .allow
        }
      ]
    }
    guard case .guarded = route else { return [] }
    return [NavigationGuard("door") { [app] _ in app.isLocked ? .deny("locked") : .allow }]
  }

  func destination(for route: Route) -> Destination {
    switch route {
    case .sheet: .screen(.modal) { BurrowScreen(app: self.app) }
    case .cover: .screen(.fullScreen) { BurrowScreen(app: self.app) }
    case .fixed: .screen(.modal(dismissible: false)) { BurrowScreen(app: self.app) }
    case .aside: .screen(.detail) { BurrowScreen(app: self.app) }
    case .switched: .screen(.root) { BurrowScreen(app: self.app) }
    case .held: .screen { BurrowScreen(app: self.app, isHeld: true) }
    case .flow: .flow { Burrow(self.app) }
    case .flowSheet: .flow(.modal) { Burrow(self.app) }
    case .tabs: .flow { Warren(self.app, tabs: ["x", "yy"]) }
    case .place(let number): .place("burrow.hole", with: number)
    case .remote(let number): .place("far\(number).hole", with: number)
    case .question(let number):
      .flow(.modal) {
        Burrow(self.app)
      } onFinish: { [app] _ in
        app.endings[number, default: 0] += 1
      } onCancel: { [app] _ in
        app.endings[number, default: 0] += 1
      }
    case .screen:
      .screen { BurrowScreen(app: self.app) }
        .returnPoint("burrow.screen") { [app] (number: Int) in app.returns.append(number) }
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

/// Plugins that are known by their manifests and load slowly on first use. The last one never loads.
@MainActor final class FarShelf: PluginSource {
  private unowned let registry: Registry
  init(_ registry: Registry) throws {
    self.registry = registry
    for plugin in Self.plugins { registry.announce(try Registry().manifest(of: plugin)) }
  }

  private static let plugins: [any Plugin.Type] = [
    Far<Zero>.self, Far<One>.self, Far<Two>.self, Far<Three>.self, Far<Four>.self, Far<Five>.self,
  ]

  func load(_ plugin: PluginID, finished: @escaping @MainActor (String?) -> Void) {
    Task { [weak registry] in
      for _ in 0..<3 { await Task.yield() }
      guard let registry, let type = Self.plugins.first(where: { $0.pluginID == plugin }), plugin != Far<Five>.pluginID
      else {
        return finished("it is broken")
      }
      do {
        try registry.register(type)
        finished(nil)
      } catch {
        finished("\(error)")
      }
    }
  }
}

protocol Digit { static var value: Int { get } }
enum Zero: Digit { static let value = 0 }
enum One: Digit { static let value = 1 }
enum Two: Digit { static let value = 2 }
enum Three: Digit { static let value = 3 }
enum Four: Digit { static let value = 4 }
enum Five: Digit { static let value = 5 }

final class Far<Number: Digit>: Plugin {
  static var id: String { "far\(Number.value)" }
  static var version: String { "1.0.0" }
  func register(in registry: Registrar) { registry.place("hole") { (_: Int) in FarFlow() } }
}

final class FarFlow: StackCoordinator {
  enum Route: NavigationRoute { case start }
  let start = Route.start
  func destination(for route: Route) -> Destination { .screen { FarScreen() } }
}

struct FarScreen: Screen { var body: some Content { Text("far away") } }

extension LinkRegistration {
  @MainActor static func way(_ pattern: LinkPattern, _ plan: @escaping (Int) -> LinkPlan) -> LinkRegistration {
    LinkRegistration(
      pattern: pattern, plugin: "burrow", payload: "Int", home: LinkHome([]), target: .any,
      plan: .atOnce { plan(try LinkDecoder.decode(Int.self, from: $0)) }, values: { _ in nil })
  }
}
