import FoundationEssentials
@_spi(FrontEnd) @testable import Gangway
@_spi(FrontEnd) import GangwayProtocol

/// The forbidden effect of a step.
struct ModelFailure: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

/// A random app with its session, and its expected state after every step.
@MainActor final class ModelRun {
  let app: WarrenState
  let registry: Registry
  let names: [String]
  let folder = FileManager.default.temporaryDirectory
  private let shelf: FarShelf
  private(set) var session: Session
  /// The checkpoint that the supervisor would have.
  var folded = Checkpoint()
  /// Results that code awaits, by the node of the flow.
  var awaited: [(node: NodeID, box: OutcomeBox)] = []
  /// Questions that this host showed, by number, with their nodes.
  var questions: [Int: AskedQuestion] = [:]
  private var questionCount = 0
  /// The ids that nodes have had.
  private var spent: Set<NodeID> = []
  private var lastEvent: EventID = 0

  init(seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    names = ["a", "bb", "c", "dd"].prefix(Int.random(in: 2...4, using: &random)).map(\.self)
    var kinds: [String: WarrenState.TabKind] = [:]
    for name in names { kinds[name] = WarrenState.TabKind.allCases.randomElement(using: &random) }
    // Make at least one flow.
    kinds["a"] = Bool.random(using: &random) ? .burrow : .wrapped
    app = WarrenState(kinds: kinds)
    registry = Registry()
    let app = app
    let way = try LinkPattern("go/:n")
    registry.stub("burrow") { draft in
      draft.places.append(PlaceRegistration("burrow.hole", "burrow") { (_: Int, _) in Burrow(app) })
      draft.links.append(.way(way) { LinkPlan.root.show(Warren.Tab(name: "a")).show(Burrow.Route.screen($0)) })
      if seed.isMultiple(of: 3) {
        draft.guards.append(
          GuardRegistration(plugin: "burrow", order: 1, name: "open") { _ in NavigationGuard("open") { _ in .allow } })
      }
    }
    shelf = try FarShelf(registry)
    registry.source = shelf
    session = Self.makeSession(registry, folder, app, names)
    try start(nil)
  }

  static func makeSession(
    _ registry: Registry, _ folder: URL, _ app: WarrenState, _ names: [String]
  ) -> Session {
    Session(registry: registry, folders: PluginFolders(data: folder, cache: folder, log: { _ in })) { _ in
      Warren(app, tabs: names)
    }
  }

  private func start(_ checkpoint: Checkpoint?) throws {
    folded = checkpoint ?? Checkpoint()
    session.onUpdate = { [weak self] in self?.fold($0) }
    fold(try session.start(from: checkpoint))
  }

  private func fold(_ update: Update) {
    if let change = update.checkpoint { folded.fold(change) }
  }

  func end() {
    session.onUpdate = { _ in }
    session.abandon()
  }

  // MARK: State

  var table: NodeTable { session.navigation.table }

  private var burrows: [Burrow] {
    table.flows.values.sorted { $0.id < $1.id }.compactMap { $0.coordinator as? Burrow }
  }

  private var warrens: [Warren] {
    table.flows.values.sorted { $0.id < $1.id }.compactMap { $0.coordinator as? Warren }
  }

  // MARK: Steps

  /// Runs a step and checks the conditions after it.
  func take(_ step: ModelStep) async throws {
    let before = Snapshot(self)
    var refusal: (any Error)?
    do {
      try await perform(step, before)
    } catch let failure as ModelFailure {
      throw failure
    } catch {
      refusal = error
    }
    try await settle()
    // This checks only the folded updates. The tree itself is compared below.
    if let refusal, folded != before.checkpoint {
      throw ModelFailure("\(step) was refused (\(refusal)), and changed the tree")
    }
    if refusal != nil, step.operation == .showScreen { try before.requireReason(for: step, refusal) }
    try checkInvariants()
  }

  private func perform(_ step: ModelStep, _ before: Snapshot) async throws {
    // A tree that grows forever only slows the test down.
    if before.checkpoint.records.count > 12, step.operation.rawValue.hasPrefix("show") { return }
    switch step.operation {
    case .back, .dismiss, .tapTab, .undo, .redo: try await performByHand(step, before)
    case .selectTab, .changeTabs, .lock, .changeState, .restart, .openLink: try await performElsewhere(step, before)
    default: try await performInStack(step, before)
    }
  }

  private func performInStack(_ step: ModelStep, _ before: Snapshot) async throws {
    let burrows = burrows
    guard !burrows.isEmpty else { return }
    let router = burrows[step.whom % burrows.count].router
    let count = router.path.count
    switch step.operation {
    case .awaitResult: try await awaitResult(router)
    case .showAndGoBack: try await showAndGoBack(router, step)
    case .root:
      try await router.root(.screen(step.what))
      try require(router.isRoot(.screen(step.what)), step, "the root is another")
    case .set:
      let screens = (0..<step.what).map { Burrow.Route.screen($0) }
      let routes = step.whom.isMultiple(of: 2) ? [.start] + screens : screens.reversed() + [.start]
      try await router.set(routes)
      try require(router.path == routes, step, "the stack holds \(router.path)")
    case .append:
      try await router.append([.screen(step.what), .sheet(step.what)])
      try require(
        router.path.suffix(2) == [.screen(step.what), .sheet(step.what)], step, "the stack holds \(router.path)")
    case .appendOver:
      let routes: [Burrow.Route] = [.sheet(step.what), .screen(step.what), .cover(step.what)]
      try await router.append(routes)
      try require(router.path.suffix(3) == routes, step, "the stack holds \(router.path)")
    case .update:
      guard case .screen? = router.path.last else { return }
      try await router.update(.screen(step.what), isRecorded: step.whom.isMultiple(of: 2))
      try require(
        router.path.count == count && router.path.last == .screen(step.what), step, "the stack holds \(router.path)")
    case .focusLast:
      let route = router.path[step.what % count]
      let index = router.path.lastIndex(of: route) ?? 0
      try await router.focusLast(route)
      try require(router.path.count == index + 1, step, "the stack holds \(router.path)")
    case .showDetail:
      // Shown from an entry's screen, the detail replaces the details above the entry.
      let coordinator = burrows[step.whom % burrows.count]
      let node = try router.attached().node
      let entry = node.children[step.what % count]
      let replaces = entry.position + 1 < count && node.children[entry.position + 1].isDetail
      try await Router(coordinator, entry: entry).show(.aside(step.what))
      try require(
        node.children.last?.isDetail == true && (!replaces || node.children.count == entry.position + 2), step,
        "the stack holds \(router.path)")
    case .returnTo:
      let told = app.returns.count
      try await router.returnTo("burrow.screen", with: step.what)
      try require(app.returns.dropFirst(told) == [step.what], step, "what was handed over is \(app.returns)")
      let named = table.root.subtree.filter { node in
        guard case .route(let route)? = node.routeValue, case .screen? = route as? Burrow.Route else { return false }
        return node.ancestry.allSatisfy { $0.parent?.stack == nil || $0.position + 1 == $0.parent?.children.count }
      }
      try require(!named.isEmpty, step, "nothing with that name is on top")
    case .dismissModals:
      try await router.dismissModals()
      let node = try router.attached().node
      try require(
        table.visibleModals.allSatisfy { $0.contains(node) || $0.isBelow(node) }, step, "a modal stands over the flow")
    case .focusFirst:
      let route = router.path[step.what % count]
      let index = router.path.firstIndex(of: route) ?? 0
      try await router.focusFirst(route)
      try require(router.path.count == index + 1, step, "the stack holds \(router.path)")
    case .popLast:
      let popped = try await router.popLast()
      try require(router.path.count == count - (popped ? 1 : 0), step, "the stack has \(router.path.count) of \(count)")
    case .pop:
      try await router.pop()
      try require(router.path.count == count - 1, step, "the stack has \(router.path.count) of \(count)")
    case .popToRoot:
      try await router.popToRoot()
      try require(router.path.count == 1, step, "the stack has \(router.path.count)")
    case .dismissFlow: try await router.dismissFlow()
    case .finish: try await router.finish(step.what)
    case .cancel: try await router.cancel()
    case .plan:
      try await router.transaction { plan in
        try plan.popToRoot()
        _ = try plan.show(.screen(step.what)).show(.flow(1), as: Burrow.self).show(.screen(2))
      }
      try require(router.path.suffix(2) == [.screen(step.what), .flow(1)], step, "the stack holds \(router.path)")
    case .brokenPlan:
      try await router.transaction { _ = try $0.popToRoot().show(.screen(1)).show(.flow(2)).show(.broken) }
      throw ModelFailure("\(step) must fail")
    default: try await show(step, router, before)
    }
  }

  private func show(_ step: ModelStep, _ router: Router<Burrow>, _ before: Snapshot) async throws {
    let route: Burrow.Route
    switch step.operation {
    case .showModal: route = step.what.isMultiple(of: 2) ? .sheet(step.what) : .cover(step.what)
    case .showFixed: route = .fixed(step.what)
    case .showFlow: route = [.flow(step.what), .flowSheet(step.what), .tabs(step.what)][step.what % 3]
    case .showPlace: route = .place(step.what)
    case .showRepeat:
      route = [.reused(step.what / 3), .replaced(step.what / 3), .returned(step.what / 3)][step.what % 3]
    case .showSwitched: route = .switched(step.what)
    case .showHeld: route = .held(step.what)
    case .showGuarded: route = .guarded(step.what)
    case .showAsked: route = .asked(step.what)
    case .showRemote: route = .remote(step.what)
    case .showBroken: route = .broken
    case .showQuestion:
      questionCount += 1
      route = .question(questionCount)
    default: route = .screen(step.what)
    }
    let next = table.nextID
    try await router.show(route)
    if case .question(let number) = route { questions[number] = AskedQuestion(node: next) }
    if step.operation == .showBroken { throw ModelFailure("\(step) must fail") }
    if [.showGuarded, .showAsked].contains(step.operation), app.isLocked {
      throw ModelFailure("\(step) must be denied")
    }
    if step.operation == .showSwitched {
      try require(router.path == [route], step, "the stack holds \(router.path)")
    } else {
      try require(router.path.last == route, step, "the stack holds \(router.path)")
    }
    guard let node = try? router.attached().node else { return }
    for modal in table.visibleModals where !modal.contains(node) && modal.parent !== node && !modal.isBelow(node) {
      throw ModelFailure("\(step) left the modal '\(modal.title)' over it")
    }
  }

  private func awaitResult(_ router: Router<Burrow>) async throws {
    let box = OutcomeBox()
    let node = table.nextID
    let router = router
    session.work.start(event: nil, plugin: nil) {
      do {
        _ = try await router.show(.flowSheet(9), awaiting: Burrow.self)
        box.outcomes += 1
      } catch {
        box.wasRefused = true
      }
    }
    try await settle()
    if !box.wasRefused { awaited.append((node, box)) }
  }

  /// Goes back while a navigation waits for a plugin or a guard. The navigation is then cancelled or done.
  private func showAndGoBack(_ router: Router<Burrow>, _ step: ModelStep) async throws {
    let route: Burrow.Route = step.whom.isMultiple(of: 2) ? .remote(step.what) : .asked(step.what)
    lastEvent += 1
    session.work.start(event: lastEvent, plugin: nil) { try await router.show(route) }
    for _ in 0..<step.what % 3 { await Task.yield() }
    lastEvent += 1
    fold(session.handle(Event(id: lastEvent, revision: session.presentation.revision, action: .back)))
    try await settle()
    try require(session.navigation.planner.isFree, step, "a plan still waits")
  }

  private func performByHand(_ step: ModelStep, _ before: Snapshot) async throws {
    let action: Event.Action
    switch step.operation {
    case .back: action = .back
    case .dismiss: action = .dismiss
    case .undo: action = .undo
    case .redo: action = .redo
    default:
      let tabs = session.presentation.tabBars.flatMap(\.self)
      guard !tabs.isEmpty else { return }
      action = .tab(tabs[step.whom % tabs.count].node)
    }
    let entry = table.backEntry
    let stays = entry.map { $0.modalStyle?.isDismissible == false } ?? true
    lastEvent += 1
    let update = session.handle(Event(id: lastEvent, revision: session.presentation.revision, action: action))
    fold(update)
    try await settle()
    if let refusal = update.notices.first { throw Refused(text: refusal.text) }
    switch step.operation {
    case .back:
      guard let entry else { throw ModelFailure("back was granted with nothing to go back to") }
      try require(!stays, step, "went back over what must be answered")
      try require(!(app.isLocked && before.holds(entry.id)), step, "went back over what was held")
      let gone = Set(before.checkpoint.records.keys).subtracting(folded.records.keys)
      try require(
        gone == before.subtree(of: entry.id), step, "removed \(gone.sorted()), not \(entry.id) and what is in it")
    default: break
    }
  }

  private struct Refused: Error { let text: String }

  private func performElsewhere(_ step: ModelStep, _ before: Snapshot) async throws {
    switch step.operation {
    case .lock: app.isLocked.toggle()
    case .changeState:
      guard let burrow = burrows.isEmpty ? nil : burrows[step.whom % burrows.count] else { return }
      burrow.state += 1
    case .selectTab:
      let warren = warrens[step.whom % warrens.count]
      guard !warren.tabs.isEmpty else { return }
      let tab = warren.tabs[step.what % warren.tabs.count]
      try await warren.router.select(tab)
      try require(warren.router.selection == tab, step, "\(String(describing: warren.router.selection)) is shown")
    case .changeTabs:
      let warren = warrens[step.whom % warrens.count]
      let all = names + ["x", "yy"]
      let name = all[step.what % all.count]
      if let index = warren.state.firstIndex(of: name) {
        if name != "a" { warren.state.remove(at: index) }
      } else {
        warren.state.insert(name, at: step.whom % (warren.state.count + 1))
      }
      try await settle()
      try require(barOf(warren) == warren.state, step, "the bar holds \(barOf(warren))")
    case .openLink:
      try await session.open("gangway://go/\(step.what)")
      try await settle()
      try require(session.presentation.path.last?.title == "Screen", step, "the top is another")
    default: try restart()
    }
  }

  private func barOf(_ warren: Warren) -> [String] {
    guard let node = try? warren.router.attached().node else { return [] }
    return node.children.filter { !$0.isParked }.map(\.title)
  }

  private func restart() throws {
    let stored = try Line.decode(Checkpoint.self, from: try Line.encode(folded))
    session.onUpdate = { _ in }
    session.abandon()
    // Waits in memory end with their host.
    awaited = []
    session = Self.makeSession(registry, folder, app, names)
    try start(stored)
  }

  private func require(_ holds: Bool, _ step: ModelStep, _ otherwise: @autoclosure () -> String) throws {
    if !holds { throw ModelFailure("\(step): \(otherwise())") }
  }

  /// The state before a step.
  @MainActor struct Snapshot {
    let checkpoint: Checkpoint
    private let fixed: Bool

    init(_ run: ModelRun) {
      checkpoint = run.folded
      fixed =
        run.table.visibleModals.contains { $0.modalStyle?.isDismissible == false }
        || run.table.nodes.values.contains { $0.route?.value.description.contains("held") == true }
    }

    /// The simplest step may be refused only for a visible reason.
    func requireReason(for step: ModelStep, _ refusal: (any Error)?) throws {
      if !fixed, let refusal { throw ModelFailure("\(step) was refused for no reason: \(refusal)") }
    }

    func subtree(of id: NodeID) -> Set<NodeID> {
      let children = checkpoint.children
      func below(_ id: NodeID) -> [NodeID] { [id] + (children[id] ?? []).flatMap { below($0.id) } }
      return Set(below(id))
    }

    func holds(_ id: NodeID) -> Bool {
      subtree(of: id).contains { checkpoint.records[$0]?.routeText?.hasPrefix("held") == true }
    }
  }
}

/// A shown question: whether it still exists, and how often it has ended.
struct AskedQuestion {
  let node: NodeID
  var isThere = true
  var endings = 0
}

@MainActor final class OutcomeBox {
  var outcomes = 0
  /// Whether its entry has been removed at least once.
  var hasEnded = false
  var wasRefused = false
}
