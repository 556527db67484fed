@_spi(FrontEnd) @testable import Gangway
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) @testable import GangwayTesting
import Observation
import Testing

/// Returns to a named entry across several flows, and steps back that a screen handles.
@MainActor @Suite(.serialized) struct ReturnTests {
  private func start() async throws -> FlowTester<RootCoordinator> {
    Till.shared = Till()
    return try await FlowTester(plugins: [CartPlugin.self, PaymentPlugin.self])
  }

  private func titles(_ flow: FlowTester<RootCoordinator>) -> [String] { flow.presentation.path.map(\.title) }

  // MARK: Returning

  @Test func aValueIsReturnedOverSeveralFlowsOfSeveralFeatures() async throws {
    let flow = try await start()
    for label in ["Cart", "Pay", "Card", "Confirm"] { try await flow.tap(label) }
    #expect(titles(flow) == ["Shelf", "Cart", "Methods", "Card", "Confirmed"])
    try await flow.tap("Done 42")
    #expect(titles(flow) == ["Shelf", "Cart"])
    #expect(Till.shared.log == ["cart got 42"])
    #expect(flow.notices.isEmpty)
  }

  @Test func itHoldsOverARestart() async throws {
    let flow = try await start()
    for label in ["Cart", "Pay", "Card", "Confirm"] { try await flow.tap(label) }
    try await flow.restart()
    try await flow.tap("Done 42")
    #expect(titles(flow) == ["Shelf", "Cart"])
    #expect(Till.shared.log == ["cart got 42"])
  }

  @Test func theNearestOfAnEntrysNameIsMeant() async throws {
    let flow = try await start()
    for label in ["Cart", "Cart", "Pay", "Card", "Confirm", "Done 42"] { try await flow.tap(label) }
    #expect(titles(flow) == ["Shelf", "Cart", "Cart"])
  }

  @Test func aNameThatNobodyHasIsAnErrorThatNamesThoseThereAre() async throws {
    let flow = try await start()
    for label in ["Cart", "Pay"] { try await flow.tap(label) }
    let before = flow.checkpoint
    let router = try #require(flow.router(of: Methods.self))
    let error = await #expect(throws: NavigationError.self) { try await router.returnTo("cart.basket") }
    #expect(error?.code == .unknownEntry)
    #expect(error?.message.contains("The named entries are cart.cart") == true, "\(error?.message ?? "")")
    let wrong = await #expect(throws: NavigationError.self) { try await router.returnTo("cart.cart", with: "many") }
    #expect(wrong?.code == .payload)
    #expect(flow.checkpoint == before)
    #expect(Till.shared.log.isEmpty)
  }

  @Test func aLeaveGuardOnTheWayIsAsked() async throws {
    let flow = try await start()
    for label in ["Cart", "Pay", "Card", "Confirm"] { try await flow.tap(label) }
    Till.shared.isLocked = true
    await #expect(throws: FlowFailure.self) { try await flow.tap("Done 42") }
    #expect(titles(flow).count == 5)
    #expect(Till.shared.log.isEmpty)
  }

  // MARK: A step back that the screen handles

  @Test func aScreenTakesAStepBackWithoutARefusal() async throws {
    let flow = try await start()
    #expect(!flow.presentation.canGoBack)
    try await flow.type("lamp", into: "Search")
    #expect(flow.presentation.canGoBack)
    try await flow.back()
    #expect(flow.notices.isEmpty)
    #expect(Till.shared.words == "")
    #expect(!flow.presentation.canGoBack)
    try await flow.type("lamp", into: "Search")
    try await flow.tap("Cart")
    // The screen in front handles the step.
    try await flow.back()
    #expect(titles(flow) == ["Shelf"])
    #expect(Till.shared.words == "lamp")
    try await flow.back()
    #expect(Till.shared.words == "")
  }

  @Test func theInnermostAndLastOneCounts() async throws {
    Till.shared = Till()
    let flow = try await FlowTester(plugins: [BackPlugin.self])
    try await flow.back()
    #expect(Till.shared.log == ["inner"])
  }
}

@MainActor @Observable private final class Till {
  static var shared = Till()
  var log: [String] = []
  var words = ""
  var isLocked = false
}

private final class CartPlugin: Plugin {
  static let id = "cart"
  static let version = "1.0.0"
  func register(in registry: Registrar) { registry.tab("shelf", title: "Stall") { _ in Stall() } }
}

private final class Stall: StackCoordinator {
  enum Route: NavigationRoute { case shelf, cart }
  let start = Route.shelf

  func destination(for route: Route) -> Destination {
    switch route {
    case .shelf: .screen { router in StallScreen(router: router) }
    case .cart:
      .screen { router in CartScreen(router: router) }
        .returnPoint("cart.cart") { (receipt: Int) in Till.shared.log.append("cart got \(receipt)") }
    }
  }
}

private struct StallScreen: Screen {
  let router: Router<Stall>
  @Bindable var search = Till.shared
  var body: some Content {
    TextField("Search", text: $search.words)
      .onBack(isEnabled: !search.words.isEmpty) { search.words = "" }
    Button("Cart") { try await router.show(.cart) }
  }
}

private struct CartScreen: Screen {
  let router: Router<Stall>
  var body: some Content {
    Button("Cart") { try await router.show(.cart) }
    Button("Pay") { try await router.show(Place("payment.pay")) }
  }
}

private final class PaymentPlugin: Plugin {
  static let id = "payment"
  static let version = "1.0.0"
  func register(in registry: Registrar) { registry.place("pay") { (_: NoPayload, _) in Methods() } }
}

private final class Methods: StackCoordinator {
  enum Route: NavigationRoute { case methods, card }
  let start = Route.methods
  func destination(for route: Route) -> Destination {
    switch route {
    case .methods: .screen { router in StepScreen(label: "Card") { try await router.show(.card) } }
    case .card: .flow(.modal) { Card() }
    }
  }
}

private final class Card: StackCoordinator {
  enum Route: NavigationRoute { case card, confirmed }
  let start = Route.card
  func destination(for route: Route) -> Destination {
    switch route {
    case .card: .screen { router in StepScreen(label: "Confirm") { try await router.show(.confirmed) } }
    case .confirmed:
      .screen { router in StepScreen(label: "Done 42") { try await router.returnTo("cart.cart", with: 42) } }
    }
  }
}

private struct StepScreen: Screen {
  let label: String
  let action: @MainActor () async throws -> Void
  var leaveGuard: NavigationGuard? {
    NavigationGuard("lock") { _ in Till.shared.isLocked ? .deny("The till is locked.") : .allow }
  }
  var body: some Content { Button(label) { try await action() } }
}

private final class BackPlugin: Plugin {
  static let id = "back"
  static let version = "1.0.0"
  func register(in registry: Registrar) { registry.tab("all", title: "All") { _ in Backs() } }
}

private final class Backs: StackCoordinator {
  enum Route: NavigationRoute { case all }
  let start = Route.all
  func destination(for route: Route) -> Destination { .screen { BackScreen() } }
  func customize(_ screen: ContentGroup) -> ContentGroup {
    framed(screen)
  }

  @ContentBuilder private func framed(_ screen: ContentGroup) -> ContentGroup {
    screen.onBack { Till.shared.log.append("outer") }
  }
}

private struct BackScreen: Screen {
  var body: some Content {
    Text("One").onBack { Till.shared.log.append("first") }
    Text("Two").onBack { Till.shared.log.append("inner") }
    Text("Three").onBack(isEnabled: false) { Till.shared.log.append("off") }
  }
}
