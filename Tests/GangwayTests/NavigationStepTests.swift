@_spi(FrontEnd) import GangwayProtocol
import Testing

@_spi(FrontEnd) @testable import Gangway
@_spi(FrontEnd) @testable import GangwayTesting

/// Each step does the same in this host and as a stored plan in the next one, and a plan has the router's operations.
@MainActor @Suite struct NavigationStepTests {
  /// The cases of ``NavigationStep``; a new case without a row here does not compile.
  enum Kind: CaseIterable {
    case show, append, set, root, update, focus, popLast, pop, popToRoot, dismiss, dismissModals, select, returnTo
    case finish, fail, cancel, dismissFlow, enter, preventUndo, back, backTo, dismissTopModal, tap

    init(_ step: NavigationStep) {
      switch step {
      case .show: self = .show
      case .append: self = .append
      case .set: self = .set
      case .root: self = .root
      case .update: self = .update
      case .focus: self = .focus
      case .popLast: self = .popLast
      case .pop: self = .pop
      case .popToRoot: self = .popToRoot
      case .dismiss: self = .dismiss
      case .dismissModals: self = .dismissModals
      case .select: self = .select
      case .returnTo: self = .returnTo
      case .finish: self = .finish
      case .fail: self = .fail
      case .cancel: self = .cancel
      case .dismissFlow: self = .dismissFlow
      case .enter: self = .enter
      case .preventUndo: self = .preventUndo
      case .back: self = .back
      case .backTo: self = .backTo
      case .dismissTopModal: self = .dismissTopModal
      case .tap: self = .tap
      }
    }
  }

  /// A step with the stack that it changes.
  struct Sample {
    /// The routes over the entrance; the tabs of a house if there are none.
    var stack: [Maze.Route]?
    /// The index of the entry whose flow changes; nil for the maze itself.
    var flow: Int?
    /// The index of the entry whose screen makes the request.
    var origin: Int?
    /// Whether the step fails.
    var fails = false
    let step: @MainActor (Node) -> NavigationStep
  }

  private static func route(_ route: Maze.Route) -> RouteValue { .route(route) }

  private static func samples(_ kind: Kind) -> [Sample] {
    switch kind {
    case .show:
      [
        Sample(stack: [.room(1)]) { _ in .show(target: route(.room(2)), style: nil) },
        Sample(stack: [.room(1)]) { _ in .show(target: route(.room(2)), style: StoredStyle(.modal(dismissible: false)))
        },
        Sample(stack: [.fixedSheet], fails: true) { _ in .show(target: route(.room(2)), style: nil) },
        Sample(stack: [.fixedSheet], origin: 1) { _ in .show(target: route(.room(2)), style: nil) },
        Sample(stack: [], fails: true) { _ in .show(target: .place(Place("nobody.home")), style: nil) },
        Sample(stack: [], fails: true) { _ in .show(target: route(.broken), style: nil) },
      ]
    case .append:
      [
        Sample(stack: []) { _ in .append(routes: [route(.sheet), route(.room(1)), route(.room(2))]) },
        Sample(stack: [], fails: true) { _ in .append(routes: [route(.room(1)), route(.broken)]) },
      ]
    case .set:
      [
        Sample(stack: [.room(1), .room(2)]) { _ in .set(routes: [route(.entrance), route(.room(3))]) },
        Sample(stack: [], fails: true) { _ in .set(routes: []) },
      ]
    case .root:
      [
        Sample(stack: [.room(1)]) { _ in .root(route: route(.menu), keepsStack: true) },
        Sample(stack: [.room(1)]) { _ in .root(route: route(.menu), keepsStack: false) },
      ]
    case .update:
      [
        Sample(stack: [.room(1), .menu], origin: 1) { _ in .update(route: route(.room(5)), isRecorded: true) },
        Sample(stack: [.room(1)]) { _ in .update(route: route(.room(5)), isRecorded: false) },
        Sample(stack: [.room(1)], fails: true) { _ in .update(route: route(.menu), isRecorded: true) },
      ]
    case .focus:
      [
        Sample(stack: [.room(1), .room(2), .room(1), .room(3)]) { _ in
          .focus(entry: .route(route(.room(1))), isLast: false)
        },
        Sample(stack: [.room(1), .room(2), .room(1), .room(3)]) { _ in
          .focus(entry: .route(route(.room(1))), isLast: true)
        },
        Sample(stack: [.room(1), .room(2)]) { node in
          .focus(entry: node.match({ $0 == Maze.Route.room(1) }, isLast: true), isLast: true)
        },
        Sample(stack: [.room(1)], fails: true) { _ in .focus(entry: .route(route(.room(9))), isLast: false) },
      ]
    case .popLast: [Sample(stack: [.room(1), .sheet]) { _ in .popLast }, Sample(stack: []) { _ in .popLast }]
    case .pop:
      [
        Sample(stack: [.room(1), .room(2)]) { _ in .pop },
        Sample(stack: [.room(1), .room(2)], origin: 1) { _ in .pop },
        Sample(stack: [], fails: true) { _ in .pop },
      ]
    case .popToRoot:
      [
        Sample(stack: [.room(1), .room(2)]) { _ in .popToRoot },
        Sample(stack: [.room(1), .fixedSheet], fails: true) { _ in .popToRoot },
        // The screen of the sheet itself may leave it.
        Sample(stack: [.room(1), .fixedSheet], origin: 2) { _ in .popToRoot },
      ]
    case .dismiss:
      [
        Sample(stack: [.room(1), .sheet]) { _ in .dismiss },
        Sample(stack: [.sheet, .cover], origin: 1) { _ in .dismiss },
        Sample(stack: [.room(1)], fails: true) { _ in .dismiss },
      ]
    case .dismissModals:
      [
        Sample(stack: [.sheet]) { _ in .dismissModals },
        Sample(stack: [.fixedSheet], fails: true) { _ in .dismissModals },
      ]
    case .select:
      [
        Sample { _ in .select(tab: .tab(.route(House.Tab.maze))) },
        Sample(fails: true) { _ in .select(tab: .tab(.route(House.Tab.wrapped))) },
      ]
    case .returnTo: [Sample(stack: [.room(1)], fails: true) { _ in .returnTo(id: "maze.nowhere", value: "{}") }]
    case .finish: [Sample(stack: [.question], flow: 1) { _ in .finish(result: FlowResult(42)) }]
    case .fail: [Sample(stack: [.question], flow: 1) { _ in .fail(error: FlowError(Maze.BrokenRoom())) }]
    case .cancel:
      [Sample(stack: [.question], flow: 1) { _ in .cancel }, Sample(stack: [], fails: true) { _ in .cancel }]
    case .dismissFlow: [Sample(stack: [.child], flow: 1) { _ in .dismissFlow }]
    case .enter:
      [Sample(stack: [.child], flow: 1) { node in .enter(flow: FlowMatch(id: node.parent?.id) { $0.parent ?? $0 }) }]
    case .preventUndo: [Sample(stack: []) { _ in .preventUndo }]
    case .back: [Sample(stack: [.room(1)]) { _ in .back }, Sample(stack: [], fails: true) { _ in .back }]
    case .backTo:
      [
        Sample(stack: [.room(1), .room(2)]) { .backTo(node: $0.children[0].id) },
        Sample(stack: [.room(1), .sheet]) { .backTo(node: $0.children[1].id) },
        Sample(stack: [.fixedSheet], fails: true) { .backTo(node: $0.children[0].id) },
        // A modal below the entry stays.
        Sample(stack: [.fixedSheet, .room(1), .room(2)]) { .backTo(node: $0.children[2].id) },
        Sample(stack: [], fails: true) { _ in .backTo(node: 9_999) },
      ]
    case .dismissTopModal:
      [
        Sample(stack: [.sheet]) { _ in .dismissTopModal },
        Sample(stack: [.fixedSheet], fails: true) { _ in .dismissTopModal },
      ]
    case .tap: [Sample { node in .tap(tab: .node(node.children[1])) }]
    }
  }

  /// The effects of a step.
  struct Effects: Equatable {
    var tree: String
    var history: [String]
    var error: String?
  }

  private func effects(of sample: Sample, isStored: Bool) async throws -> (NavigationStep, Effects) {
    guard let stack = sample.stack else {
      let flow = try await FlowTester(House())
      return try await effects(of: sample, isStored, flow, try #require(flow.coordinator).router.attached().node)
    }
    let flow = try await FlowTester(Maze())
    let router = try #require(flow.coordinator).router
    try await router.append(stack)
    return try await effects(of: sample, isStored, flow, try router.attached().node)
  }

  private func effects<C: Coordinator>(
    of sample: Sample, _ isStored: Bool, _ flow: FlowTester<C>, _ top: Node
  ) async throws -> (NavigationStep, Effects) {
    let node = sample.flow.map { top.children[$0] } ?? top
    let step = sample.step(node)
    var plan = StoredPlan([.init(step: step)], flow: node.id, origin: sample.origin.map { top.children[$0].id })
    if isStored {
      plan = try StoredValue.decode(StoredPlan.self, from: try #require(plan.text, "\(step.description)"))
    }
    let before = flow.history.count
    var failure: String?
    do {
      try await flow.session.navigation.planner.carryOut { try $0.apply(plan) }
    } catch {
      failure = "\(error)"
    }
    // The user may also read the error of a flow that fails.
    if case .fail = step { try? await flow.settle() } else { try await flow.settle() }
    let history = flow.history.dropFirst(before).map(\.operation)
    return (
      step,
      Effects(tree: String(decoding: try Line.encode(flow.checkpoint), as: UTF8.self), history: history, error: failure)
    )
  }

  @Test(arguments: Kind.allCases) func aStoredStepDoesTheSame(_ kind: Kind) async throws {
    let samples = Self.samples(kind)
    #expect(!samples.isEmpty)
    for sample in samples {
      let (step, live) = try await effects(of: sample, isStored: false)
      #expect(Kind(step) == kind)
      #expect((live.error != nil) == sample.fails, "\(step.description): \(live.error ?? "no error")")
      let (_, stored) = try await effects(of: sample, isStored: true)
      #expect(live == stored, "\(step.description)")
    }
  }

  // MARK: A router and a plan

  /// An operation on a router, and the same one on a plan.
  struct Pair: Sendable {
    let stack: [Maze.Route]
    let router: @MainActor (Router<Maze>) async throws -> Void
    let plan: @MainActor (NavigationPlan<Maze>) throws -> Void
  }

  private nonisolated static let pairs: [String: Pair] = [
    "pop": Pair(stack: [.room(1), .room(2)]) {
      try await $0.pop()
    } plan: {
      try $0.pop()
    },
    "update": Pair(stack: [.room(1), .menu]) {
      try await $0.update(.room(7))
    } plan: {
      try $0.update(.room(7))
    },
    "focusLast": Pair(stack: [.room(1), .room(1), .menu]) {
      try await $0.focusLast(.room(1))
    } plan: {
      try $0.focusLast(.room(1))
    },
    "focusLast(where:)": Pair(stack: [.room(1), .room(2), .menu]) {
      try await $0.focusLast { $0 != .menu }
    } plan: {
      try $0.focusLast { $0 != .menu }
    },
    "dismissModals": Pair(stack: [.room(1), .sheet]) {
      try await $0.dismissModals()
    } plan: {
      try $0.dismissModals()
    },
    "dismiss": Pair(stack: [.room(1), .sheet]) {
      try await $0.dismiss()
    } plan: {
      try $0.dismiss()
    },
    "returnTo": Pair(stack: [.room(1)]) {
      try await $0.returnTo("maze.nowhere")
    } plan: {
      try $0.returnTo("maze.nowhere")
    },
    "popToRoot": Pair(stack: [.room(1), .room(2)]) {
      try await $0.popToRoot()
    } plan: {
      try $0.popToRoot()
    },
  ]

  /// The router is that of the first room's screen, which is not the top one.
  @Test(arguments: pairs.keys.sorted(), [false, true])
  func aPlanDoesWhatTheRouterDoes(_ name: String, _ isOfEntry: Bool) async throws {
    let pair = try #require(Self.pairs[name])
    var results: [String] = []
    for isPlan in [false, true] {
      let flow = try await FlowTester(Maze())
      let maze = try #require(flow.coordinator)
      try await maze.router.append(pair.stack)
      let router = isOfEntry ? Router(maze, entry: try maze.router.attached().node.children[1]) : maze.router
      var told = ""
      do {
        if isPlan { try await router.transaction(pair.plan) } else { try await pair.router(router) }
      } catch {
        told = "\(error)"
      }
      try await flow.settle()
      let tree = String(decoding: try Line.encode(flow.checkpoint), as: UTF8.self)
      results.append("\(tree) \(flow.history.map(\.operation)) \(told)")
    }
    #expect(results[0] == results[1])
  }
}
