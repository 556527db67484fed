@_spi(FrontEnd) import Gangway
import Observation

/// An app of plugins with links, guards, slots and services, for combined tests.
final class Castle: Plugin {
  static let id = "castle"
  static let version = "1.0.0"

  struct HallLink: Codable { let number: Int }
  struct Search: Codable, Equatable {
    let q: String
    let page: Int?
    let tag: [String]?
  }

  func register(in registry: Registrar) {
    registry.tab("halls", title: "Halls", order: 10) { _ in Halls() }
    registry.tab("towers", title: "Towers", order: 20, group: "High") { _ in Towers() }
    registry.tab("vault", title: "Vault", order: 30, group: "Low", isShown: false) { _ in Cellar() }
    registry.link("halls", tab: "halls")
    registry.link("halls/:number") { (link: HallLink) in
      Halls.Route.hall(link.number)
    } url: { route in
      if case .hall(let number) = route { HallLink(number: number) } else { nil }
    }
    registry.link("halls/search?q&page") { (search: Search) in Halls.Route.search(search.q, page: search.page ?? 1) }
    registry.link("halls/secret", to: Halls.Route.secret)
    registry.multiStepLink("towers/:tower/rooms/:room") { (way: [String: String]) in
      LinkPlan(tab: "castle.towers").show(Towers.Route.tower(way["tower"] ?? ""))
        .show(Tower.Route.room(way["room"] ?? ""))
    }
    registry.multiStepLink("tour") { (_: NoPayload) in
      LinkPlan(tab: "castle.halls").show(Halls.Route.hall(1)).show(try Place("lodge.room", with: 7))
    }
    registry.multiStepLink("broken-tour") { (_: NoPayload) in
      LinkPlan(tab: "castle.halls").show(Halls.Route.hall(1)).show(try Place("lodge.room", with: "seven"))
    }
    registry.place("sign-in") { (_: NoPayload, context: PluginContext) in try SignIn(context.service(Keys.self)) }
    registry.link("sign-in", place: "sign-in", taking: NoPayload.self)
    registry.service { _ in Keys() }
    registry.slot("doors", of: Door.self)
    registry.service("crier") { _ in
      Crier()
    } operations: { service in
      service.operation("cry") { (crier: Crier, word: Word) in crier.cry(word) }
    }
  }
}

struct Word: Codable, Sendable { let text: String }
struct Door: Codable, Equatable, Sendable { let title: String }

@MainActor final class Crier {
  private var count = 0
  func cry(_ word: Word) -> String {
    count += 1
    return "\(word.text.uppercased()) \(count)"
  }
}

/// Whether the user may open locked places.
@MainActor @Observable final class Keys {
  var isSignedIn = false
}

@MainActor final class Halls: StackCoordinator {
  enum Route: NavigationRoute {
    case gate, hall(Int), search(String, page: Int), secret, door(ContributionID), sheet
  }
  let start = Route.gate

  func destination(for route: Route) -> Destination {
    switch route {
    case .door(let id): .place(id)
    case .sheet: .screen(.modal) { router in HallScreen(route: route, router: router) }
    default: .screen { router in HallScreen(route: route, router: router) }
    }
  }
}

struct HallScreen: Screen {
  let route: Halls.Route
  let router: Router<Halls>
  var body: some Content {
    Text("This is \(route)")
    List(router.contributions(to: "castle.doors", as: Door.self)) { door in
      Link(door.value.title, to: .door(door.id), in: router)
    }
    Button("Hall 7") { try await router.show(.hall(7)) }
    Button("Secret") { try await router.show(.secret) }
    Button("Cry") {
      let cry: String = try await router.service("castle.crier").call("cry", with: ["text": "hear"])
      try await router.show(.search(cry, page: 1))
    }
  }
}

@MainActor final class Towers: StackCoordinator {
  enum Route: NavigationRoute { case yard, tower(String) }
  let start = Route.yard
  func destination(for route: Route) -> Destination {
    switch route {
    case .yard: .screen { PlainScreen() }
    case .tower(let name): .flow { Tower(name) }
    }
  }
}

@MainActor final class Tower: StackCoordinator {
  enum Route: NavigationRoute { case stair(String), room(String) }
  let start: Route
  init(_ name: String) { start = .stair(name) }
  func destination(for route: Route) -> Destination { .screen { PlainScreen() } }
}

@MainActor final class SignIn: StackCoordinator {
  enum Route: NavigationRoute { case form }
  typealias Output = Bool
  let start = Route.form
  private let keys: Keys
  init(_ keys: Keys) { self.keys = keys }
  func destination(for route: Route) -> Destination {
    .screen { router in SignInScreen(keys: self.keys, router: router) }
  }
}

struct SignInScreen: Screen {
  let keys: Keys
  let router: Router<SignIn>
  var body: some Content {
    Button("Sign in") {
      keys.isSignedIn = true
      try await router.finish(true)
    }
    Button("Pretend") { try await router.finish(true) }
    Button("Give up") { try await router.cancel() }
  }
}

/// A plugin that guards the secret route.
final class Warden: Plugin {
  static let id = "warden"
  static let version = "1.0.0"
  func register(in registry: Registrar) {
    registry.guard("keys") { request in
      guard request.target.description == "secret" else { return .allow }
      return WardenState.verdict
    }
  }
}

/// The verdict of the warden's guards, for one test at a time.
@MainActor enum WardenState {
  static var verdict = GuardVerdict.allow
}
