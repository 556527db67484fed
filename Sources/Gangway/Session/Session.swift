import GangwayProtocol
import Observation

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// One person's navigation tree with its coordinators and services: takes events, yields presentations and
/// checkpoints.
///
/// It knows nothing of processes or front ends: a host, a front end in the same process and a test all call it
/// directly, on the main actor.
@MainActor public final class Session {
  /// What the person sees now.
  public private(set) var presentation = Presentation(
    revision: 0, tabBars: [], path: [], canGoBack: false, layers: [])
  /// Called with every change that does not answer an event.
  public var onUpdate: (Update) -> Void = { _ in }
  /// Called before an entry of a checkpoint is made again: its number and the plugin whose code runs next.
  public var onRestoring: (NodeID, _ plugin: String?) -> Void = { _, _ in }
  /// Told of what work of the features failed with, for those who look for mistakes.
  package var didFail: (any Error) -> Void = { _ in }

  let navigation: Navigation
  let work = WorkLog()
  var notices: [Update.Notice] = []
  let registry: Registry
  private let services: SessionServices
  let observers: CommitObservers
  /// What was seen before.
  var sight: Sight?
  /// The URL of where the person is, as far as it is known.
  var address: (key: AddressKey, url: String?)?
  /// The element that the person acted on last.
  var pressed: Event.ElementReference?
  /// Whether entries from a file are being put before their guards.
  var isAdmitting = false
  /// Whether the guards of what came back after a crash are about to be asked.
  var isFollowing = false
  /// Whether screens' own work runs; not where a test only compares what comes back.
  package var runsTasks = true
  /// Whether lists and tables are rendered whole, however many rows they have: for front ends that know of no windows.
  package var showsAllRows = false
  let signal = RefreshSignal()
  private var visibleScreens: [ScreenHost] = []
  /// Whether observers have been told what was there first.
  var isTelling = false
  var reportedProblems: Set<String> = []
  private var lastPending: [Update.Pending] = []
  var idleWaiters: [CheckedContinuation<Void, Never>] = []
  private(set) var isStarted = false
  /// Whether the first update is on its way.
  private var isOpening = false
  /// Answers to events that wait for a plugin to be loaded.
  var heldAnswers: [CheckedContinuation<Void, Never>] = []
  /// How often something has changed by itself.
  private(set) var changeCount = 0
  /// The event being handled, to which the work that starts meanwhile belongs.
  var eventInHand: EventID?
  /// The presentation on which that event was made.
  var eventRevision: Revision = 0

  /// Makes a session; nothing runs before ``start(from:asksGuards:)``.
  ///
  /// - Parameters:
  ///   - registry: what plugins contribute.
  ///   - folders: where plugins keep files.
  ///   - root: makes the root coordinator; by default the registered tabs.
  public init(
    registry: Registry, folders: PluginFolders,
    root: @escaping @MainActor (Registry) throws -> any Coordinator = { RootCoordinator($0) }
  ) {
    self.registry = registry
    services = SessionServices(registry: registry, folders: folders)
    observers = CommitObservers(registry: registry, services: services)
    navigation = Navigation(registry: registry, services: services, signal: signal) { try root(registry) }
    let hooks = navigation.hooks
    hooks.run = { [weak self] plugin, operation in
      guard let self else { return }
      work.start(event: TrackedWork.current?.event ?? eventInHand, plugin: plugin, operation)
    }
    hooks.didChange = { [weak self] in self?.signal.raise() }
    hooks.isHeldBack = { [weak self] in self?.admit() }
    hooks.isRestored = { [weak self] in self?.followRestored() }
    hooks.guardWatch.didChange = { [weak self] names in
      self?.work.start(event: nil, plugin: nil) { [weak self] in
        // What changed with it is stored first.
        self?.refresh()
        await self?.navigation.planner.askAgain(names)
      }
    }
    hooks.report = { [weak self] notice in
      self?.notices.append(notice)
      self?.signal.raise()
    }
    hooks.willRestore = { [weak self] node in self?.onRestoring(node.id, node.plugin) }
    work.didChange = { [signal] in signal.raise() }
    work.didFail = { [weak self] error, work in
      // The person gave it up: they know.
      if let error = error as? NavigationError, error.problem.isChosenByPerson { return }
      if work.isAbandoned { return }
      self?.didFail(error)
      let kind: Update.Notice.Kind = error is NavigationError ? .refusal : .failure
      self?.notices.append(
        .init(kind, NavigationError.personMessage(of: error), plugin: work.plugin, detail: "\(error)"))
    }
    observers.didFail = { [weak self] in self?.didFail($0) }
    signal.connect { [weak self] in self?.refresh() }
  }

  isolated deinit { navigation.abandon() }

  /// Starts the session, or restores it: coordinators are made, their state set, and what is visible is built.
  ///
  /// - Parameters:
  ///   - checkpoint: where to go on. Entries that cannot be made again show why, and stay stored.
  ///   - asksGuards: whether guards are asked about each entry before it is made, as for a checkpoint from a file. One
  ///     that this user's session had when its host crashed was admitted before.
  /// - Returns: the first update, with the whole presentation.
  /// - Throws: `Checkpoint.Defect` if the checkpoint is no tree; the session is then not started.
  public func start(from checkpoint: Checkpoint? = nil, asksGuards: Bool = false) throws -> Update {
    try begin(checkpoint, asksGuards)
    return makeUpdate(answering: nil)
  }

  /// Starts the session, as ``start(from:asksGuards:)``, and gives the first update when the features that are seen first
  /// are loaded and the guards of a checkpoint from a file have answered, after 100 ms at the latest; after 2 s where the person was at
  /// it when its host crashed, and a front end still shows it.
  ///
  /// - Throws: as ``start(from:asksGuards:)``.
  public func open(from checkpoint: Checkpoint? = nil, asksGuards: Bool = false) async throws -> Update {
    isOpening = true
    if checkpoint != nil, !asksGuards { navigation.hooks.patience = NavigationHooks.patienceAfterCrash }
    defer { (isOpening, navigation.hooks.patience) = (false, NavigationHooks.patience) }
    try begin(checkpoint, asksGuards)
    await brieflyLoaded()
    return makeUpdate(answering: nil)
  }

  private func begin(_ checkpoint: Checkpoint?, _ asksGuards: Bool) throws {
    if let checkpoint {
      try checkpoint.validate()
      navigation.table.restore(checkpoint, isFromFile: asksGuards)
    }
    navigation.maker.start()
    isStarted = true
    if checkpoint?.records.isEmpty ?? true, let url = registry.placement.start, url.contains(":") {
      work.start(event: nil, plugin: nil) { [planner = navigation.planner] in
        try await planner.open(url, Intent(source: .link))
      }
    }
  }

  /// Ends the session: every flow is cancelled, all work is told to stop.
  public func close() {
    navigation.close()
    work.cancelAll()
    endTelling()
    isStarted = false
    releaseAnswers()
    wakeIdleWaiters()
  }

  /// Ends the session as the end of its host would: nobody is told.
  public func abandon() {
    isStarted = false
    navigation.abandon()
    work.cancelAll()
    endTelling()
    releaseAnswers()
    wakeIdleWaiters()
  }

  /// The coordinator at the top.
  public var rootCoordinator: (any Coordinator)? { navigation.table.root.coordinator }

  /// What the session can be restored from, whole.
  public var checkpoint: Checkpoint {
    refreshStates()
    return navigation.table.checkpoint(reportUnstored)
  }

  /// The navigation tree, for developers.
  public var tree: TreeNode { navigation.describe(navigation.table.root) }

  /// The commits of this session that are kept, the newest last, those stepped back at the end.
  public var history: [HistoryEntry] { navigation.planner.historyEntries }

  /// The URL that leads from anywhere to where the person is; nil where no link does.
  public var url: String? { registry.links.url(for: navigation.currentPlan) }

  /// Opens a URL as a front end's `open` does, and waits until its plan is carried out.
  ///
  /// - Throws: `malformedURL`, `invalidScheme`, `unknownURL`, `unmatchedLink`, `missingQueryString`, `payload`; what
  ///   guards and the steps of the link say. The tree is then what it was.
  public func open(_ url: String) async throws { try await navigation.planner.open(url, Intent(source: .link)) }

  /// The router of the coordinator of a type that was made last and is still shown; nil where there is none.
  public func router<C: Coordinator>(of type: C.Type) -> Router<C>? {
    (navigation.table.newest(ObjectIdentifier(type)) as? C)?.router
  }

  /// Work that has not ended and that waits for nothing of Gangway's.
  public var pending: [Update.Pending] {
    work.items.filter { $0.event != nil || $0.isBusy }.map {
      Update.Pending(event: $0.event, plugin: $0.plugin, isWaiting: $0.isWaiting)
    }
  }

  /// Whether an event's work runs that waits for nothing of Gangway's: neither for a guard's question nor for a flow.
  package var isHandling: Bool { work.items.contains { $0.event != nil && $0.isBusy } }

  // MARK: Updates

  /// Brings the presentation up to date after something changed by itself.
  private func refresh() {
    guard isStarted else { return releaseAnswers() }
    if isOpening || !heldAnswers.isEmpty {
      // What changed is part of the answer that is coming, and of the first update: nobody hears of another before it.
      if !navigation.hooks.isWaitingBriefly { releaseAnswers() }
      return
    }
    changeCount += 1
    let before = presentation.revision
    let update = makeUpdate(answering: nil)
    if update.revision != before || update.checkpoint != nil || !update.notices.isEmpty || pendingChanged {
      lastPending = update.pending
      onUpdate(update)
    }
    if isIdle { wakeIdleWaiters() }
  }

  /// Has screens' own work begin, where it was held back.
  package func startWork() {
    runsTasks = true
    refresh()
  }

  /// Whether work goes on, also what observes.
  package var isWorking: Bool { !work.items.isEmpty }

  /// The inputs of each entry into which what was stored has not been put, for they are not there.
  package var awaitedInputs: [NodeID: Set<ElementID>] {
    navigation.table.nodes.compactMapValues { $0.awaitedInputs.isEmpty ? nil : $0.awaitedInputs }
  }

  private func releaseAnswers() {
    let held = heldAnswers
    heldAnswers = []
    for answer in held { answer.resume() }
  }

  /// What begins to wait does so in an update that has more to say.
  private var pendingChanged: Bool { pending.map(\.event) != lastPending.map(\.event) }

  /// Tells of a route that does not encode: its entry is lost in a crash.
  private func reportUnstored(_ node: Node, _ error: any Error) {
    let problem =
      "The route \(node.route?.description ?? "") does not encode, so it will not survive a restart: \(error)"
    guard reportedProblems.insert("\(node.id) \(problem)").inserted else { return }
    notices.append(
      .init(.failure, "'\(node.title)' would not come back after a restart.", plugin: node.plugin, detail: problem))
  }

  /// Renders what changed and collects what is to be told.
  func makeUpdate(answering event: EventID?) -> Update {
    navigation.planner.updateTabs { [work, eventInHand] change in work.start(event: eventInHand, plugin: nil, change) }
    let visible = render()
    refreshStates()
    var next = makePresentation(visible)
    next.revision = presentation.revision
    let isChanged = next != presentation
    if isChanged {
      next.revision += 1
      presentation = next
    }
    let update = Update(
      event: event, revision: presentation.revision, presentation: isChanged ? presentation : nil,
      transition: isChanged ? transition(to: visible) : nil,
      checkpoint: navigation.table.checkpointChange(reportUnstored), pending: pending, notices: notices)
    notices = []
    if event != nil { lastPending = update.pending }
    tellCommits(visible)
    return update
  }

  /// Renders the visible screens until nothing changes any more, and starts and stops their work.
  func render() -> VisibleTree {
    var visible = navigation.maker.activateVisible()
    for _ in 0..<Self.maximumRenders {
      var isSettled = true
      for node in visible.path {
        node.screen?.refreshTitle()
        if restoreValues(of: node) { isSettled = false }
      }
      for node in visible.layers.flatMap(\.screens) {
        if refresh(node) { isSettled = false }
        tellChanges(of: node)
      }
      let changes = navigation.hooks.changes
      updateTasks(visible)
      if navigation.hooks.changes != changes {
        visible = navigation.maker.activateVisible()
        isSettled = false
      }
      if isSettled { break }
    }
    return visible
  }

  /// How often a screen may change what it renders from before the rest waits for the next update.
  private static let maximumRenders = 8

  private func refresh(_ node: Node) -> Bool {
    guard let screen = node.screen else { return false }
    guard
      screen.refresh(
        for: presentation.revision + 1, showsAllRows: showsAllRows, customize: { customize($0, for: node) })
    else { return false }
    for problem in screen.problems where reportedProblems.insert("\(node.id) \(problem)").inserted {
      notices.append(.init(.failure, "'\(node.title)': \(problem)", plugin: node.plugin))
    }
    navigation.table.noteValues(of: node, screen)
    return true
  }

  private func customize(_ content: ContentGroup, for node: Node) -> ContentGroup {
    node.ancestry.compactMap(\.coordinator).reduce(content) { content, coordinator in coordinator.customize(content) }
  }

  private func restoreValues(of node: Node) -> Bool {
    guard let screen = node.screen, !node.awaitedInputs.isEmpty else { return false }
    _ = refresh(node)
    let restored = screen.restoreInputs(node.values, awaited: node.awaitedInputs) { _ = refresh(node) }
    guard !restored.isEmpty else { return false }
    node.awaitedInputs.subtract(restored)
    navigation.table.noteValues(of: node, screen)
    return true
  }

  /// Does what a screen wants done because of its last render: it tells of values that have changed, and moves the keyboard.
  private func tellChanges(of node: Node) {
    guard let screen = node.screen else { return }
    for change in screen.takeChanges() { work.start(event: eventInHand, plugin: node.plugin, change) }
    guard let focus = screen.takeWantedFocus() else { return }
    navigation.table.setFocus(focus, of: node.id)
    screen.noteFocus(focus)
  }

  private func updateTasks(_ visible: VisibleTree) {
    guard runsTasks else { return }
    navigation.hooks.flowWork.start { [work] plugin, body in work.start(event: nil, plugin: plugin, body) }
    let nodes = visible.layers.flatMap(\.screens)
    let shown = nodes.compactMap(\.screen)
    for screen in visibleScreens where !shown.contains(where: { $0 === screen }) { screen.stop() }
    visibleScreens = shown
    for node in nodes {
      let plugin = node.plugin
      node.screen?.updateTasks { [work] operation in work.start(event: nil, plugin: plugin) { await operation() } }
    }
  }

  /// Encodes the state of coordinators that changed.
  private func refreshStates() {
    for node in navigation.table.statefulFlows.values {
      guard let coordinator = node.coordinator else { continue }
      do {
        guard let state = try encodedState(of: coordinator, node), state != node.state else { continue }
        node.state = state
        node.stateSchema = type(of: coordinator).stateSchema
        navigation.table.markChanged(node)
      } catch {
        let problem =
          "The state of \(type(of: coordinator)) does not encode, so it will not survive a restart: \(error)"
        guard reportedProblems.insert("\(node.id) \(problem)").inserted else { continue }
        notices.append(.init(.failure, problem, plugin: node.plugin))
      }
    }
  }

  private func encodedState<C: Coordinator>(of coordinator: C, _ node: Node) throws -> String? {
    guard C._tracksState else { return try C._stateCoding.encode(coordinator.state) }
    guard node.stateSignal.isRaised else { return nil }
    node.stateSignal.lower()
    // What it reads is the coordinator's own, and goes with it.
    let state = withObservationTracking {
      coordinator.state
    } onChange: { [flag = node.stateSignal, signal] in
      flag.raise()
      signal.raise()
    }
    return try C._stateCoding.encode(state)
  }
}
