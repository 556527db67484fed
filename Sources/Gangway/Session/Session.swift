@_spi(FrontEnd) import GangwayProtocol
import Observation

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The navigation tree of one user with its coordinators and services: it takes events and yields presentations and
/// checkpoints.
///
/// A session knows nothing of processes or front ends. A host, a front end in the same process and a test all call it
/// directly, on the main actor.
@_spi(FrontEnd) @MainActor public final class Session {
  /// The presentation that the user sees now.
  public private(set) var presentation = Presentation(
    revision: 0, tabBars: [], path: [], canGoBack: false, layers: [])
  /// Called with every change that does not answer an event.
  public var onUpdate: (Update) -> Void = { _ in }
  /// Called before an entry of a checkpoint is created again, with its id and the plugin whose code runs next.
  package var onRestoring: (NodeID, _ plugin: PluginID?) -> Void = { _, _ in }
  /// Called with errors of the features' work, for tests and tools.
  package var didFail: (any Error) -> Void = { _ in }

  let navigation: Navigation
  let work = WorkLog()
  var notices: [Update.Notice] = []
  let registry: Registry
  let services: SessionServices
  let observers: CommitObservers
  /// The screens that were visible before.
  var lastVisible: VisibleScreens?
  /// The element that the user tapped with the last event.
  var pressed: Event.ElementReference?
  /// Whether guards run for entries from a file.
  var isAdmitting = false
  /// Whether the guards of restored entries are about to run, after a crash.
  var isFollowing = false
  /// Whether screens' own work runs; false if a test only compares restored screens.
  package var runsTasks = true
  let signal = RefreshSignal()
  private var visibleScreens: [ScreenHost] = []
  /// Whether observers have received the initial state.
  var isTelling = false
  var reportedProblems: Set<String> = []
  private(set) var lastPending: [Update.Pending] = []
  var idleWaiters: [CheckedContinuation<Void, Never>] = []
  private(set) var isStarted = false
  /// Whether the first update is being prepared.
  private var isOpening = false
  /// The answers to events that wait for a plugin to load.
  var heldAnswers: [CheckedContinuation<Void, Never>] = []
  /// The number of changes that no event caused.
  private(set) var changeCount = 0
  /// The event in progress, which owns the work that starts in the meantime.
  var eventInHand: EventID?
  /// The presentation that the event in progress was made on.
  var eventRevision: Revision = 0

  /// Creates a session, which runs nothing before ``start(from:asksGuards:)``.
  ///
  /// - Parameters:
  ///   - registry: the contributions of plugins.
  ///   - folders: the folders for plugins' files.
  ///   - root: creates the root coordinator; by default, the registered tabs.
  public convenience init(
    registry: Registry, folders: PluginFolders,
    root: @escaping @MainActor (Registry) throws -> any Coordinator = { RootCoordinator($0) }
  ) {
    self.init(registry, folders, AnyDestination(.push, .flow { try root(registry) }))
  }

  /// Creates a session whose root has a destination.
  init(_ registry: Registry, _ folders: PluginFolders, _ root: AnyDestination) {
    self.registry = registry
    services = SessionServices(registry: registry, folders: folders)
    observers = CommitObservers(registry: registry, services: services)
    navigation = Navigation(registry: registry, services: services, signal: signal, root: root)
    let hooks = navigation.hooks
    hooks.run = { [weak self] plugin, operation in
      guard let self else { return }
      work.start(event: TrackedWork.current?.event ?? eventInHand, plugin: plugin, operation)
    }
    hooks.signal = signal
    hooks.isHeldBack = { [weak self] in self?.admit() }
    hooks.isRestored = { [weak self] in self?.followRestored() }
    hooks.guardWatch.didChange = { [weak self] names in
      self?.work.start(event: nil, plugin: nil) { [weak self] in
        // Changes that came with it are stored first.
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
      if let error = error as? NavigationError, error.problem.isSilent { return }
      if work.isAbandoned { return }
      self?.didFail(error)
      let kind: Update.Notice.Kind = error is NavigationError ? .refusal : .failure
      var notice = Update.Notice(
        kind, NavigationError.personMessage(of: error), plugin: work.plugin, detail: "\(error)")
      let isAnswer = (error as? NavigationError).map { [.denied, .redirectCancelled, .superseded].contains($0.code) }
      if isAnswer == true, let self, (1..<max(self.work.serial, 1)).contains(work.serial) { notice.isLate = true }
      self?.notices.append(notice)
    }
    observers.didFail = { [weak self] in self?.didFail($0) }
    signal.connect { [weak self] in self?.refresh() }
  }

  isolated deinit { navigation.abandon() }

  /// Starts or restores the session: creates coordinators, sets their states, and builds the visible screens.
  ///
  /// - Parameters:
  ///   - checkpoint: the state to restore. Entries that cannot be made again show the reason, and stay stored.
  ///   - asksGuards: whether guards run for each entry first, as for a checkpoint from a file. Entries from before a
  ///     crash of the host were admitted already.
  /// - Returns: the first update, with the whole presentation.
  /// - Throws: `Checkpoint.Defect` if the checkpoint is not a tree; the session is then not started.
  public func start(from checkpoint: Checkpoint? = nil, asksGuards: Bool = false) throws -> Update {
    try begin(checkpoint, asksGuards)
    return makeUpdate(answering: nil)
  }

  /// Starts the session as ``start(from:asksGuards:)`` does, and waits for the first features to load and for guards.
  ///
  /// The first update comes after 100 ms at the latest. After a crash, a front end still shows the previous screen, so
  /// the limit is 2 s.
  ///
  /// - Throws: as ``start(from:asksGuards:)``.
  public func open(from checkpoint: Checkpoint? = nil, asksGuards: Bool = false) async throws -> Update {
    isOpening = true
    navigation.hooks.isAfterCrash = checkpoint != nil && !asksGuards
    defer { (isOpening, navigation.hooks.isAfterCrash) = (false, false) }
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
    startPreloads()
    if checkpoint?.records.isEmpty ?? true, let url = registry.placement.start, url.contains(":") {
      work.start(event: nil, plugin: nil) { [planner = navigation.planner] in
        try await planner.open(url, Intent(source: .link))
      }
    }
  }

  /// Ends the session: cancels every flow and all work.
  public func close() {
    navigation.close()
    work.cancelAll()
    endTelling()
    isStarted = false
    releaseAnswers()
    wakeIdleWaiters()
  }

  /// Ends the session as a crash of its host would: no handler runs.
  package func abandon() {
    isStarted = false
    navigation.abandon()
    work.cancelAll()
    endTelling()
    releaseAnswers()
    wakeIdleWaiters()
  }

  /// The coordinator at the root.
  public var rootCoordinator: (any Coordinator)? { navigation.table.root.coordinator }

  /// The whole state that the session can be restored from.
  public var checkpoint: Checkpoint {
    refreshStates()
    return navigation.table.checkpoint(reportUnstored)
  }

  /// The navigation tree, for developers.
  package var tree: TreeNode { navigation.describe(navigation.table.root) }

  /// The commits in this session's history, the newest last, followed by the undone ones.
  package var history: [HistoryEntry] { navigation.planner.historyEntries }

  /// The URL that opens the user's place from anywhere, with all screens below it; nil if no link opens it.
  ///
  /// The presentation then still has the URL of the top screen, if a link opens that screen with fewer screens below.
  public var url: String? { registry.links.url(for: navigation.currentPlan) }

  /// Opens a URL as a front end's `open` does, and waits until its plan is done.
  ///
  /// - Throws: `malformedURL`, `invalidScheme`, `unknownURL`, `unmatchedLink`, `missingQueryString`, `payload`; errors
  ///   of guards and of the link's steps. The tree is then unchanged.
  public func open(_ url: String) async throws { try await navigation.planner.open(url, Intent(source: .link)) }

  /// Shows a place on top of the present screen, as a link does.
  ///
  /// - Throws: as ``open(_:)``.
  package func show(_ place: Place) async throws {
    try await navigation.planner.carryOut(Intent(source: .link)) { try $0.open(LinkPlan.here.show(place)) }
  }

  /// Returns the router of the newest coordinator of a type that is still shown; nil if there is none.
  public func router<C: Coordinator>(of type: C.Type) -> Router<C>? {
    (navigation.table.newest(ObjectIdentifier(type)) as? C)?.router
  }

  // MARK: Updates

  /// Updates the presentation after a change that no event caused.
  func refresh() {
    guard isStarted else { return releaseAnswers() }
    if isOpening || !heldAnswers.isEmpty {
      // The change becomes part of the pending answer or first update, and no other update comes before it.
      if !navigation.hooks.isWaitingBriefly { releaseAnswers() }
      return
    }
    changeCount += 1
    let (before, pendingBefore) = (presentation.revision, lastPending)
    let update = makeUpdate(answering: nil)
    // Work that starts to wait appears only in an update that has other changes.
    let pendingChanged = update.pending.map(\.event) != pendingBefore.map(\.event)
    if update.revision != before || update.checkpoint != nil || !update.notices.isEmpty || pendingChanged {
      onUpdate(update)
    }
    if isIdle { wakeIdleWaiters() }
  }

  private func releaseAnswers() {
    let held = heldAnswers
    heldAnswers = []
    for answer in held { answer.resume() }
  }

  /// Reports a route that does not encode, whose entry a crash would lose.
  private func reportUnstored(_ node: Node, _ error: any Error) {
    let problem =
      "The route \(node.route?.description ?? "") could not be encoded, so it will not survive a restart: \(error)"
    guard reportedProblems.insert("\(node.id) \(problem)").inserted else { return }
    notices.append(
      .init(.failure, "'\(node.title)' would be lost after a restart.", plugin: node.plugin, detail: problem))
  }

  /// Renders changes and collects everything for the update.
  func makeUpdate(answering event: EventID?) -> Update {
    navigation.planner.updateTabs { [work, eventInHand] change in work.start(event: eventInHand, plugin: nil, change) }
    let visible = render()
    refreshCovered(visible)
    refreshStates()
    var next = makePresentation(visible)
    next.revision = presentation.revision
    let isChanged = next != presentation
    if isChanged {
      next.revision += 1
      presentation = next
    }
    var update = Update(
      event: event, revision: presentation.revision, presentation: isChanged ? presentation : nil,
      transition: isChanged ? transition(to: visible) : nil,
      checkpoint: navigation.table.checkpointChange(reportUnstored), pending: pending, notices: notices)
    for node in visible.layers.flatMap(\.screens) {
      if let element = node.screen?.focus.takeMoved() { update.focus = .init(node: node.id, element: element) }
    }
    notices = []
    lastPending = update.pending
    tellCommits(visible)
    return update
  }

  /// Renders the visible screens until nothing changes any more, and starts and stops their work.
  func render() -> VisibleTree {
    let visible = navigation.maker.activateVisible()
    for _ in 0..<Self.maximumRenders {
      let changes = navigation.hooks.changes
      var isSettled = true
      refreshTitles(visible)
      for node in visible.entriesAwaitingInputs where restoreValues(of: node) { isSettled = false }
      for node in visible.layers.flatMap(\.screens) {
        if refresh(node) { isSettled = false }
        tellChanges(of: node)
      }
      updateTasks(visible)
      if navigation.hooks.changes != changes {
        navigation.maker.activateVisible()
        isSettled = false
      }
      if isSettled { break }
    }
    return visible
  }

  /// The maximum number of renders in a row of a screen that changes its own state; more wait for the next update.
  private static let maximumRenders = 8

  /// Renders the screen of a node again if a rendered value has changed; returns whether it rendered.
  func refresh(_ node: Node) -> Bool {
    guard let screen = node.screen else { return false }
    guard
      screen.refresh(
        for: presentation.revision + 1, customize: { customize($0, for: node) })
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

  /// Runs the effects of a screen's last render: its change handlers, and the move of the keyboard focus.
  private func tellChanges(of node: Node) {
    guard let screen = node.screen else { return }
    for change in screen.takeChanges() { work.start(event: eventInHand, plugin: node.plugin, change) }
    if let element = screen.moveFocus() { navigation.table.setFocus(element, of: node.id) }
  }

  private func updateTasks(_ visible: VisibleTree) {
    guard runsTasks else { return }
    navigation.hooks.flowWork.start { [work] plugin, event, body in work.start(event: event, plugin: plugin, body) }
    let nodes = visible.layers.flatMap(\.screens)
    let shown = nodes.compactMap(\.screen)
    for screen in visibleScreens where !shown.contains(where: { $0 === screen }) { screen.stop() }
    visibleScreens = shown
    for node in nodes {
      let plugin = node.plugin
      node.screen?.updateTasks { [work] operation in work.start(event: nil, plugin: plugin) { await operation() } }
    }
  }

  /// Encodes the states of coordinators that changed.
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
          "The state of \(type(of: coordinator)) could not be encoded, so it will not survive a restart: \(error)"
        guard reportedProblems.insert("\(node.id) \(problem)").inserted else { continue }
        notices.append(.init(.failure, problem, plugin: node.plugin))
      }
    }
  }

  private func encodedState<C: Coordinator>(of coordinator: C, _ node: Node) throws -> String? {
    guard C._tracksState else { return try C._stateCoding.encode(coordinator.state) }
    guard node.stateSignal.isRaised else { return nil }
    node.stateSignal.lower()
    // The coordinator owns the values that its state reads, so they go with it.
    let state = withObservationTracking {
      coordinator.state
    } onChange: { [flag = node.stateSignal, signal] in
      flag.raise()
      signal.raise()
    }
    return try C._stateCoding.encode(state)
  }
}
