@_spi(FrontEnd) import Gangway
import Observation

/// Tabs, each with a flow.
@MainActor final class House: TabCoordinator {
  enum Tab: String, NavigationRoute { case cellar, maze, plain, wrapped }

  let tabs: [Tab]
  let initialTab: Tab?
  private(set) var made: [Tab] = []
  private(set) var taps: [String] = []
  var answer = RepeatedTap.popToRoot

  init(tabs: [Tab] = [.cellar, .maze, .plain], initial: Tab? = nil) {
    self.tabs = tabs
    initialTab = initial
  }

  func item(for tab: Tab) -> TabItem {
    let destination: Destination =
      switch tab {
      case .cellar: .flow { self.made(tab, Cellar()) }
      case .maze: .flow { self.made(tab, Maze()) }
      case .plain: .screen { PlainScreen() }
      case .wrapped: .flow { self.made(tab, Pennant()) }
      }
    return TabItem(title: tab.rawValue.capitalized, destination: destination)
  }

  func didTap(_ tab: Tab, isRepeat: Bool) -> RepeatedTap {
    taps.append("\(tab) \(isRepeat)")
    return answer
  }

  private func made<C>(_ tab: Tab, _ coordinator: C) -> C {
    made.append(tab)
    return coordinator
  }
}

struct PlainScreen: Screen {
  var body: some Content { Text("Just a screen") }
}

/// A wrapper that adds a line over every screen of a flow, and hears its actions.
@MainActor final class Pennant: WrapperCoordinator {
  private(set) var heard: [String] = []

  func makeWrapped() -> Speaker { Speaker() }

  func customize(_ screen: ContentGroup) -> ContentGroup {
    banner(over: screen)
  }

  @ContentBuilder private func banner(over screen: ContentGroup) -> ContentGroup {
    Text("--- banner ---")
    screen
  }

  func handle(_ action: any CoordinatorAction) async throws -> ActionHandling {
    guard case Speaker.Action.loud(let word) = action else { return .unhandled }
    heard.append(word)
    return .handled
  }
}

@MainActor final class Speaker: StackCoordinator {
  enum Route: NavigationRoute { case stage, backstage }
  enum Action: CoordinatorAction { case quiet, loud(String), unheard }
  let start = Route.stage
  private(set) var heard: [String] = []

  func destination(for route: Route) -> Destination {
    switch route {
    case .stage: .screen { router in SpeakerScreen(router: router) }
    case .backstage: .flow { Cellar() }
    }
  }

  func handle(_ action: any CoordinatorAction) async throws -> ActionHandling {
    guard case Action.quiet = action else { return .unhandled }
    heard.append("quiet")
    return .handled
  }
}

struct SpeakerScreen: Screen {
  let router: Router<Speaker>
  var body: some Content {
    Button("Whisper") { try await router.send(Speaker.Action.quiet) }
    Button("Shout") { try await router.send(Speaker.Action.loud("hey")) }
    Button("Mumble") { try await router.send(Speaker.Action.unheard) }
    Button("Report") { try await router.sendToParent(Speaker.Action.quiet) }
    Button("Backstage") { try await router.show(.backstage) }
  }
}
