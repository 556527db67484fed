@_spi(FrontEnd) @testable import Gangway
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) @testable import GangwayTesting
import Testing

/// The work and the router of an entry, after the entry is gone.
@MainActor @Suite(.serialized) struct EntryLifeTests {
  private func hall() async throws -> (FlowTester<RootCoordinator>, Barrier) {
    Barrier.shared = Barrier()
    return (try await FlowTester(plugins: [GatePlugin.self]), Barrier.shared)
  }

  /// Taps or goes back, without waiting.
  private func act(_ flow: FlowTester<RootCoordinator>, _ label: String?) throws {
    var action = Event.Action.back
    if let label {
      let top = try #require(flow.presentation.top)
      let element = try #require(top.elements.flattened.first { $0.label == label })
      action = .tap(.init(node: top.node, element: element.id))
    }
    _ = flow.session.handle(Event(id: 1_000, revision: flow.presentation.revision, action: action))
  }

  /// The user taps, cancels, and goes elsewhere. The work of the tap must not navigate away from there.
  @Test func workOfAScreenThatIsGoneDoesNotNavigate() async throws {
    let (flow, gate) = try await hall()
    try await flow.tap("Open form")
    try act(flow, "Go slowly")
    #expect(gate.begun == 1)
    try act(flow, nil)
    try act(flow, "Open other")
    gate.open()
    try await flow.settle()
    #expect(flow.presentation.path.map(\.title) == ["Home", "Other"])
    #expect(gate.wasCancelled)
    #expect(flow.notices.isEmpty, "\(flow.notices)")
  }

  @Test func theRouterOfAnEntryThatIsGoneSaysSo() async throws {
    let (flow, gate) = try await hall()
    try await flow.tap("Open form")
    let router = try #require(gate.formRouter)
    #expect(router.isAttached)
    try await flow.back()
    #expect(!router.isAttached)
    for call: @MainActor () async throws -> Void in [
      { try await router.show(.late) }, { try await router.popToRoot() }, { try await router.set([.late]) },
      { try await router.transaction { try $0.show(.late) } }, { try await router.root(.late) },
      { try await router.pop() }, { try await router.dismiss() },
    ] {
      let error = await #expect(throws: NavigationError.self) { try await call() }
      #expect(error?.code == .entryGone)
    }
    #expect(flow.presentation.path.map(\.title) == ["Home"])
  }

  @Test func theRouterOfAFlowThatIsGoneSaysSo() async throws {
    let (flow, gate) = try await hall()
    try await flow.tap("Open child")
    let router = try #require(gate.childRouter)
    try await flow.back()
    let error = await #expect(throws: NavigationError.self) { try await router.show(.more) }
    #expect(error?.code == .detached)
  }

  /// Work that removes its own screen may finish.
  @Test func workThatEndsItsOwnScreenGoesOn() async throws {
    let (flow, gate) = try await hall()
    try await flow.tap("Open form")
    try await flow.tap("Pop and note")
    #expect(flow.presentation.path.map(\.title) == ["Home"])
    #expect(gate.noted == [false])
  }

  @Test func workOfACoveredScreenGoesOn() async throws {
    let (flow, gate) = try await hall()
    try await flow.tap("Open form")
    try act(flow, "Go slowly")
    try act(flow, "Open other")
    gate.open()
    try await flow.settle()
    #expect(flow.presentation.path.map(\.title) == ["Home", "Form", "Other", "Late"])
    #expect(!gate.wasCancelled)
  }
}

@MainActor private final class Barrier {
  static var shared = Barrier()
  var formRouter: Router<GateFlow>?
  var childRouter: Router<GateChild>?
  var begun = 0
  var wasCancelled = false
  var noted: [Bool] = []
  private var waiters: [CheckedContinuation<Void, Never>] = []

  func pass() async {
    begun += 1
    await withCheckedContinuation { waiters.append($0) }
    wasCancelled = Task.isCancelled
  }
  func open() {
    for waiter in waiters { waiter.resume() }
    waiters = []
  }
}

private final class GatePlugin: Plugin {
  static let id = "gate", version = "1.0.0"
  func register(in registry: Registrar) {
    registry.tab("main", title: "Home") { _ in GateFlow() }
  }
}

private final class GateFlow: StackCoordinator {
  enum Route: NavigationRoute { case home, form, other, late, child }
  let start = Route.home
  func destination(for route: Route) -> Destination {
    switch route {
    case .home: .screen { router in GateScreen(title: "Home", router: router) }
    case .form:
      .screen { router in
        // The test kit makes the screen again, to check its restoration.
        if Barrier.shared.formRouter == nil { Barrier.shared.formRouter = router }
        return GateScreen(title: "Form", router: router)
      }
    case .other: .screen { router in GateScreen(title: "Other", router: router) }
    case .late: .screen { router in GateScreen(title: "Late", router: router) }
    case .child: .flow { GateChild() }
    }
  }
}

private struct GateScreen: Screen {
  let title: String
  let router: Router<GateFlow>
  var body: some Content {
    Button("Open form") { try await router.show(.form) }
    Button("Open other") { try await router.show(.other) }
    Button("Open child") { try await router.show(.child) }
    Button("Go slowly") {
      await Barrier.shared.pass()
      try await router.show(.late)
    }
    Button("Pop and note") {
      try await router.pop()
      Barrier.shared.noted.append(Task.isCancelled)
    }
  }
}

private final class GateChild: StackCoordinator {
  enum Route: NavigationRoute { case first, more }
  let start = Route.first
  func destination(for route: Route) -> Destination {
    .screen { [unowned self] (router: Router<GateChild>) in
      if Barrier.shared.childRouter == nil { Barrier.shared.childRouter = self.router }
      return GateChildScreen()
    }
  }
}
private struct GateChildScreen: Screen { var body: some Content { Text("child") } }
