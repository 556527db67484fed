@_spi(FrontEnd) import Gangway
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import GangwayTesting
import Testing

/// Transitions between screens: rules by route, by style, by eligibility.
@MainActor @Suite struct TransitionTests {
  private func flow() async throws -> FlowTester<RootCoordinator> {
    try await FlowTester(plugins: [PicturePlugin.self, FramePlugin.self])
  }

  private func seen(_ flow: FlowTester<RootCoordinator>) -> String {
    guard let transition = flow.transition else { return "none" }
    return [transition.operation.rawValue, transition.name ?? "-", transition.isBackward == true ? "back" : nil]
      .compactMap { $0 }.joined(separator: " ")
  }

  @Test func everyChangeOfWhatIsOnTopIsToldWithWhatLedToIt() async throws {
    let flow = try await flow()
    #expect(seen(flow) == "none")
    let row = try #require(flow.presentation.top?.elements.first { $0.label == "plain" })
    try await flow.tap("plain")
    #expect(seen(flow) == "push -")
    #expect(flow.transition?.element == row.id)
    #expect(flow.transition?.to == flow.presentation.top?.node)
    try await flow.back()
    #expect(seen(flow) == "pop - back")
    #expect(flow.transition?.element == nil)
    try await flow.tab("Frames")
    #expect(seen(flow) == "select -")
    try await flow.tab("Pictures")
    #expect(seen(flow) == "select - back")
    try await flow.tap("replaced")
    #expect(seen(flow) == "replace -")
    try await flow.tap("stay")
    #expect(seen(flow) == "none")
  }

  @Test func aPairOfRoutesHasItsOwnThereAndBack() async throws {
    let flow = try await flow()
    try await flow.tap("star")
    #expect(seen(flow) == "push fade")
    #expect(flow.transition?.milliseconds == 300)
    try await flow.back()
    #expect(seen(flow) == "pop fade back")
  }

  @Test func aStyleHasOne() async throws {
    let flow = try await flow()
    try await flow.tap("sheet")
    #expect(seen(flow) == "present push-up")
    try await flow.dismiss()
    #expect(seen(flow) == "dismiss push-up back")
  }

  @Test func theFirstRuleThatIsEligibleCounts() async throws {
    let flow = try await flow()
    try await flow.tap("eligible")
    // A custom name, with its fallback for front ends that do not know the name.
    #expect(seen(flow) == "push unfold")
    #expect(flow.transition?.fallback == "slide")
  }

  @Test func theFeatureThatComesIsAskedFirst() async throws {
    let flow = try await flow()
    try await flow.open("gangway://frames/gold")
    #expect(flow.transition?.name == "none")
  }

  @Test func severalStepsAreOneTransitionAndARestartIsNone() async throws {
    let flow = try await flow()
    try await flow.open("gangway://pictures/deep")
    #expect(flow.presentation.path.count == 3)
    #expect(seen(flow) == "push unfold")
    try await flow.restart()
    #expect(seen(flow) == "none")
    try await flow.back()
    #expect(seen(flow) == "pop - back")
  }

  @Test func aTransitionIsAMessageThatComesBack() throws {
    let update = Update(
      event: 1, revision: 2, presentation: nil,
      transition: .init(.push, from: 1, to: 2, name: "unfold", fallback: "fade", milliseconds: 20, element: "a"),
      checkpoint: nil)
    #expect(try Line.decode(Update.self, from: Line.encode(update)) == update)
  }
}

private final class PicturePlugin: Plugin {
  static let id = "pictures", version = "1.0.0"
  func register(in registry: Registrar) {
    registry.tab("main", title: "Pictures", order: 1) { _ in Pictures() }
    registry.multiStepLink("pictures/deep") { (_: NoPayload) in
      LinkPlan(tab: "pictures.main").show(Pictures.Route.plain).show(Pictures.Route.eligible)
    }
    registry.transition(from: Pictures.Route.list, to: Pictures.Route.star, .fade.lasting(.milliseconds(300)))
    registry.transition(style: .modal, .pushUp)
    registry.transition(from: Pictures.Route.self, to: Pictures.Route.self) { from, to, operation in
      from == .list && to == .eligible && operation == .push ? Transition("unfold", fallback: .slide) : nil
    }
    registry.transition { $0.to.route as? Pictures.Route == .eligible && $0.from.plugin == "nobody" ? .slide : nil }
  }
}

private final class Pictures: StackCoordinator {
  enum Route: NavigationRoute { case list, plain, star, sheet, eligible, replaced }
  let start = Route.list
  func destination(for route: Route) -> Destination {
    switch route {
    case .list: .screen { router in PictureScreen(router: router) }
    case .sheet: .screen(.modal) { router in PictureScreen(router: router) }
    case .replaced: .screen(.root) { router in PictureScreen(router: router) }
    default: .screen { router in PictureScreen(router: router) }
    }
  }
}

private struct PictureScreen: Screen {
  let router: Router<Pictures>
  var body: some Content {
    Button("plain") { try await router.show(.plain) }
    Button("star") { try await router.show(.star) }
    Button("sheet") { try await router.show(.sheet) }
    Button("eligible") { try await router.show(.eligible) }
    Button("replaced") { try await router.show(.replaced) }
    Button("stay") {}
  }
}

private final class FramePlugin: Plugin {
  static let id = "frames", version = "1.0.0"
  func register(in registry: Registrar) {
    registry.tab("main", title: "Frames", order: 2) { _ in Frames() }
    registry.link("frames/gold", to: Frames.Route.gold)
    registry.transition { $0.to.route as? Frames.Route == .gold ? Transition.none : nil }
  }
}

private final class Frames: StackCoordinator {
  enum Route: NavigationRoute { case list, gold }
  let start = Route.list
  func destination(for route: Route) -> Destination { .screen { FrameScreen() } }
}

private struct FrameScreen: Screen { var body: some Content { Text("a frame") } }
