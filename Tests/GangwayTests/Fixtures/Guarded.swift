@_spi(FrontEnd) import Gangway
import Observation

/// A flow with a guard of each kind.
@MainActor final class Ward: StackCoordinator {
  enum Route: NavigationRoute { case home, free, last, guarded(String) }
  struct Alarm: Error, CustomStringConvertible { let description = "the bell rang" }
  let start = Route.home
  let answer = PendingAnswer<GuardVerdict>()
  var isOpen = false

  func guards(for route: Route) -> [NavigationGuard] {
    guard case .guarded(let way) = route, !isOpen else { return [] }
    let name = "ward \(way)"
    switch way {
    case "throws": return [NavigationGuard(name) { _ in throw Alarm() }]
    case "silent":
      return [
        NavigationGuard(name, timeout: .milliseconds(20)) { _ in
          try await Task.sleep(for: .seconds(60))
          return .allow
        }
      ]
    case "deaf":
      return [
        NavigationGuard(name, timeout: .milliseconds(20)) { _ in
          await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            Task { @MainActor in
              try? await Task.sleep(for: .milliseconds(100))
              continuation.resume()
            }
          }
          return .allow
        }
      ]
    case "itself", "circle", "hasty": return [NavigationGuard(name) { _ in .redirect(Place("circle.\(way)")) }]
    case "nowhere": return [NavigationGuard(name) { _ in .redirect(Place("nobody.home")) }]
    case "navigates":
      return [
        NavigationGuard(name) { [router] _ in
          try await router.show(.guarded("throws"))
          return .allow
        }
      ]
    default: return [NavigationGuard(name, timeout: nil) { [answer] _ in try await answer.value() }]
    }
  }

  func destination(for route: Route) -> Destination { .screen { router in WardScreen(router: router) } }
}

struct WardScreen: Screen {
  let router: Router<Ward>
  var body: some Content {
    Button("Ask") { try await router.show(.guarded("person")) }
    Button("Free") { try await router.show(.free) }
  }
}

/// Places whose guards redirect to each other.
final class Circle: Plugin {
  static let id = "circle"
  static let version = "1.0.0"
  func register(in registry: Registrar) {
    func toward(_ id: ContributionID) -> @MainActor (PluginContext) -> [NavigationGuard] {
      { _ in [NavigationGuard("round") { _ in .redirect(Place(id)) }] }
    }
    registry.place("itself", guards: toward("circle.itself")) { (_: NoPayload) in Cellar() }
    registry.place("circle", guards: toward("circle.back")) { (_: NoPayload) in Cellar() }
    registry.place("hasty") { (_: NoPayload) in Hasty() }
    registry.place("back", guards: toward("circle.circle")) { (_: NoPayload) in Cellar() }
  }
}

/// A flow that finishes without an action of the user.
@MainActor final class Hasty: StackCoordinator {
  enum Route: NavigationRoute { case only }
  let start = Route.only
  init() { work { flow in try await flow.router.finish() } }
  func destination(for route: Route) -> Destination { .screen { PlainScreen() } }
}

@MainActor final class GuardedTabs: TabCoordinator {
  enum Tab: String, NavigationRoute { case open, closed }
  let tabs = [Tab.open, .closed]
  func item(for tab: Tab) -> TabItem {
    TabItem(title: tab.rawValue.capitalized, destination: .screen { PlainScreen() })
  }
  func guards(for tab: Tab) -> [NavigationGuard] {
    tab == .closed ? [NavigationGuard("closed") { _ in .deny("It is closed.") }] : []
  }
}

/// A flow with a letter that must not be lost by accident.
@MainActor final class Desk: StackCoordinator {
  enum Route: NavigationRoute { case home, other, letter, form }
  let start = Route.home
  var isStrict = false
  var isSilent = false
  var targets: [String] = []

  func destination(for route: Route) -> Destination {
    switch route {
    case .letter: .screen { LetterScreen(desk: self) }
    case .form: .flow { StrictForm() }
    default: .screen { router in DeskScreen(router: router) }
    }
  }
}

struct DeskScreen: Screen {
  let router: Router<Desk>
  var body: some Content { Button("Write") { try await router.show(.letter) } }
}

@MainActor @Observable final class Letter {
  var text = ""
  var question: PendingAnswer<GuardVerdict>?
}

struct LetterScreen: Screen {
  unowned let desk: Desk
  @Bindable var letter = Letter()

  var leaveGuard: NavigationGuard? {
    if desk.isSilent { return NavigationGuard("silent") { _ in .deny() } }
    if desk.isStrict {
      return NavigationGuard("strict") { [desk] request in
        desk.targets.append(request.target.description)
        return .deny("Never.")
      }
    }
    guard !letter.text.isEmpty else { return nil }
    return NavigationGuard("unsaved", timeout: nil) { [letter] _ in
      let question = PendingAnswer<GuardVerdict>()
      letter.question = question
      defer { letter.question = nil }
      return try await question.value()
    }
  }

  var body: some Content {
    TextField("Letter", text: $letter.text)
    if let question = letter.question {
      Alert("Leave without saving?", isPresented: .constant(true)) {
        Button("Leave", role: .destructive) { question.give(.allow) }
        Button("Stay", role: .cancel) { question.give(.deny("The letter is not finished.")) }
      }
    }
  }
}

@MainActor final class StrictForm: StackCoordinator {
  enum Route: NavigationRoute { case form }
  let start = Route.form
  var leaveGuard: NavigationGuard? { NavigationGuard("form") { _ in .deny("Finish it.") } }
  func destination(for route: Route) -> Destination { .screen { router in StrictFormScreen(router: router) } }
}

struct StrictFormScreen: Screen {
  let router: Router<StrictForm>
  var body: some Content {
    Button("Finish") { try await router.finish() }
    Button("Dismiss") { try await router.dismissFlow() }
  }
}
