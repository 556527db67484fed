@_spi(FrontEnd) import Gangway
import Observation

/// The plugin of the app, whose flow shows a place of the guest.
final class Inn: Plugin {
  static let id = "inn", version = "1.0.0"
  func register(in registry: Registrar) { registry.tab("hall", title: "Hall", order: 10) { _ in Hall() } }
}

/// The guest, which runs in the app's host or in another one.
final class Guest: Plugin {
  static let id = "guest", version = "1.0.0"
  func register(in registry: Registrar) {
    registry.tab("rooms", title: "Rooms", order: 20) { _ in Rooms(0) }
    registry.place("visit") { (number: Int) in Rooms(number) }
    registry.place("annex") { (_: NoPayload) in Annex() }
  }
}

@MainActor @Observable final class Hall: StackCoordinator {
  enum Route: NavigationRoute { case start, visit(Int), aside(Int), over(Int), annex, nowhere }
  let start = Route.start
  var state: [String] = []
  @ObservationIgnored var isClosed = false

  func guards(for route: Route) -> [NavigationGuard] {
    isClosed ? [NavigationGuard("closed") { _ in .deny("The hall is closed.") }] : []
  }

  func destination(for route: Route) -> Destination {
    switch route {
    case .start: .screen { router in Start(hall: self, router: router) }
    case .visit(let number): visit(number, .push)
    case .aside(let number): visit(number, .detail)
    case .over(let number): visit(number, .modal)
    case .annex: .place("guest.annex")
    case .nowhere: .nowhere("It is only for a plan that fails.")
    }
  }

  private func visit(_ number: Int, _ style: PresentationStyle) -> Destination {
    .place("guest.visit", with: number, style: style) { (text: String) in self.state.append(text) }
  }

  struct Start: Screen {
    let hall: Hall
    let router: Router<Hall>
    var title: String? { "Hall" }
    var body: some Content {
      for line in hall.state { Text(line) }
      Button("Visit 1") { try await router.show(.visit(1)) }
      Button("Visit 2 beside") { try await router.show(.aside(2)) }
      Button("Visit 3 in a modal") { try await router.show(.over(3)) }
      Button("Visit the annex") { try await router.show(.annex) }
    }
  }
}

@MainActor @Observable final class Rooms: StackCoordinator {
  typealias Output = String
  enum Route: NavigationRoute { case room(Int), bath, letter, kitchen, oath, cellar }
  let start: Route
  var state = ""
  @ObservationIgnored let number: Int

  init(_ number: Int) {
    self.number = number
    start = .room(number)
  }

  func destination(for route: Route) -> Destination {
    switch route {
    case .room(let number): .screen { router in Room(rooms: self, number: number, router: router) }
    case .bath: .screen(.detail) { Bath() }
    case .letter: .screen(.modal) { router in Letter(router: router) }
    case .kitchen: .screen { Kitchen() }
    case .oath: .screen(.modal(dismissible: false)) { router in Oath(router: router) }
    case .cellar: .flow { [router] in WineCellar(house: router) }
    }
  }

  struct Room: Screen {
    @Bindable var rooms: Rooms
    let number: Int
    let router: Router<Rooms>
    var title: String? { "Room \(number)" }
    var body: some Content {
      TextField("Name", text: $rooms.state)
      Text("Hello \(rooms.state)")
      Button("Bath") { try await router.show(.bath) }
      Button("Letter") { try await router.show(.letter) }
      Button("Kitchen") { try await router.show(.kitchen) }
      Button("Oath") { try await router.show(.oath) }
      Button("Cellar") { try await router.show(.cellar) }
      Button("Leave") { try await router.finish("left \(number) as \(rooms.state)") }
      Button("Give up") { try await router.cancel() }
    }
  }

  struct Bath: Screen {
    @Observable @MainActor final class Model { var isHot = false }
    @Bindable var model = Model()
    var title: String? { "Bath" }
    var body: some Content { Toggle("Hot", isOn: $model.isHot) }
  }

  struct Letter: Screen {
    let router: Router<Rooms>
    var title: String? { "Letter" }
    var body: some Content { Button("Send") { try await router.pop() } }
  }

  struct Oath: Screen {
    let router: Router<Rooms>
    var title: String? { "Oath" }
    var body: some Content { Button("Swear") { try await router.pop() } }
  }

  struct Kitchen: Screen {
    @Observable @MainActor final class Model {
      var question: PendingAnswer<Bool>?
      var isAsking: Bool {
        get { question != nil }
        set { if !newValue { question = nil } }
      }

      var leaveGuard: NavigationGuard {
        NavigationGuard("stove", timeout: nil) { [self] _ in
          let question = PendingAnswer<Bool>()
          self.question = question
          return try await question.value() ? .allow : .deny("The stove is on.")
        }
      }

      @ContentBuilder var alert: ContentGroup {
        let question = question
        Alert("Leave the stove on?", isPresented: Bindable(wrappedValue: self).isAsking) {
          Button("Leave it") { question?.give(true) }
          Button("Stay", role: .cancel) { question?.give(false) }
        }
      }
    }
    let model = Model()
    var title: String? { "Kitchen" }
    var leaveGuard: NavigationGuard? { model.leaveGuard }
    var body: some Content {
      Text("It is warm here.")
      model.alert
    }
  }
}

/// A flow with tabs of its own.
@MainActor final class Annex: TabCoordinator {
  enum Tab: NavigationRoute, CaseIterable { case upstairs, downstairs }
  var tabs: [Tab] { Tab.allCases }
  func item(for tab: Tab) -> TabItem {
    TabItem(title: "\(tab)", destination: .flow { Rooms(tab == .upstairs ? 20 : 10) })
  }
}

/// A flow in the guest's flow, which asks before it goes.
@MainActor final class WineCellar: StackCoordinator {
  enum Route: NavigationRoute { case barrels }
  let start = Route.barrels
  private let house: Router<Rooms>
  init(house: Router<Rooms>) { self.house = house }
  func destination(for route: Route) -> Destination { .screen { [house] in Barrels(house: house) } }

  struct Barrels: Screen {
    let house: Router<Rooms>
    @Bindable var model = Rooms.Kitchen.Model()
    var title: String? { "Barrels" }
    var leaveGuard: NavigationGuard? { model.leaveGuard }
    var body: some Content {
      Button("Leave from below") { try await house.finish("left the cellar") }
      model.alert
    }
  }
}
