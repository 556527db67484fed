@_spi(FrontEnd) import GangwayProtocol
import Observation

/// A screen in the tree: its last render, whether the render is up to date, and the work of the screen.
@MainActor final class ScreenHost {
  private let screen: any Screen
  private lazy var readBody = FollowedReading()
  private lazy var isTitleStale = ChangeFlag()
  private let signal: RefreshSignal
  private(set) var title: String?
  /// The last render; nil before the first one.
  private var render: ScreenRender?
  private var running: [ElementID: (id: AnyHashable?, work: TrackedWork)] = [:]
  private var watches: [ElementID: ValueWatch] = [:]
  /// The handlers to run for values that have changed since the render before.
  private var changes: [@MainActor () async throws -> Void] = []
  /// The keyboard focus.
  let focus: ScreenFocus
  /// The values that the framework keeps for the screen.
  private(set) lazy var state = ScreenState(storedStates)
  private let storedStates: ScreenState.Values
  /// The work that the user's actions on the screen started.
  private var actions: [TrackedWork] = []
  /// The kind of each element, and the first presentation that has it with this kind.
  private(set) var since: [ElementID: (kind: Element.Kind, revision: Revision)] = [:]
  /// Whether one of the elements is an alert.
  private var hasAlert = false
  /// The alert that waits for an answer; of several, the one that was added last.
  var openAlert: Element? { hasAlert ? elements.lastElement(.alert) : nil }
  /// The number of answers to open alerts that did not close.
  private var answers: [ElementID: Int] = [:]
  /// The element of the user's last action.
  private var visited: ElementID?
  /// The rows of sorted tables.
  private lazy var sorted = SortedRows { [weak readBody, signal] in
    readBody?.invalidate()
    signal.raise()
  }
  /// The values of inputs at their first render.
  var firstValues: [ElementID: String] = [:]

  init(_ screen: any Screen, signal: RefreshSignal, states: ScreenState.Values = [:], focus: ElementID? = nil) {
    self.screen = screen
    self.signal = signal
    storedStates = states
    self.focus = ScreenFocus(focus)
  }

  /// The forms that ask before the user leaves them.
  var unsaved: UnsavedForms { state.unsaved }

  /// The guard that runs before the screen goes.
  var leaveGuard: NavigationGuard? { screen.leaveGuard ?? unsaved.leaveGuard(title: title) }

  /// Whether the screen's type may have a leave guard, now or later.
  var mayHaveLeaveGuard: Bool { MissingLeaveGuard.mayBeSet(type(of: screen)) { screen.leaveGuard } }

  /// Whether a rendered value has changed since the last render, or there was none.
  var isStale: Bool { readBody.isStale }

  /// Reads the title again if a value that it depends on has changed.
  ///
  /// - Returns: whether the title is another one now.
  func refreshTitle() -> Bool {
    guard isTitleStale.isRaised else { return false }
    isTitleStale.lower()
    let before = title
    // Most titles read no values, and each entry of the path has a title. Stopping the observation of each title would
    // cost more than the record that a title leaves behind when it reads a longer-lived value.
    title = withObservationTracking {
      screen.title
    } onChange: { [isTitleStale, signal] in
      isTitleStale.raise()
      signal.raiseTitles()
    }
    return title != before
  }

  /// Renders again if a rendered value has changed.
  ///
  /// - Parameters:
  ///   - revision: the number of the presentation that will show the render.
  ///   - customize: changes the content before it is rendered.
  /// - Returns: whether it rendered.
  @discardableResult func refresh(
    for revision: Revision, customize: (ContentGroup) -> ContentGroup
  ) -> Bool {
    guard readBody.isStale else { return false }
    // Only a screen that is shown has values that change.
    let renderAgain: @MainActor () -> Void = { [readBody, signal] in
      readBody.invalidate()
      signal.raise()
    }
    (state.didChange, unsaved.didChange) = (renderAgain, renderAgain)
    let renderer = ContentRenderer(
      state: state, sorted: sorted, expected: (since.count, handlers.count))
    renderer.wantFocus = { [weak focus] in focus?.wanted = $0 }
    renderer.didNotClose = { [weak self] in self?.noteAnswer(of: $0) }
    unsaved.checks = []
    readBody.read {
      customize(ContentGroup([screen]))._render(into: renderer)
      if let alert = unsaved.alert { renderer.descend("gangway.unsaved") { alert._render(into: renderer) } }
    } onChange: { [signal] in
      signal.raise()
    }
    let made = ScreenRender(renderer)
    render = made
    if !answers.isEmpty {
      var open: Set<ElementID> = []
      elements.visit { if $0.kind == .alert { open.insert($0.id) } }
      answers = answers.filter { open.contains($0.key) }
      releaseAnswered()
    }
    if let refusal = ScreenSize.refusal(of: elements) {
      made.elements = [refusal.shown]
      made.problems.append(refusal.problem)
    }
    note(renderer.watches)
    focus.note(renderer.focusBindings) { elements.element($0) != nil }
    noteSince(revision)
    return true
  }

  /// Notes the present elements and their kinds.
  private func noteSince(_ revision: Revision) {
    var count = 0
    hasAlert = false
    elements.visit { element in
      count += 1
      if element.kind == .alert { hasAlert = true }
      if let place = since.index(forKey: element.id) {
        if since[place].value.kind != element.kind { since.values[place] = (element.kind, revision) }
      } else {
        since[element.id] = (element.kind, revision)
      }
    }
    // Ids are unique, so equal counts mean that no element has gone.
    guard since.count > count else { return }
    var remaining: [ElementID: (kind: Element.Kind, revision: Revision)] = [:]
    remaining.reserveCapacity(count)
    elements.visit { remaining[$0.id] = since[$0.id] }
    since = remaining
  }

  /// Notes an answer to an alert that did not close.
  ///
  /// After a second one, the alert stops waiting.
  private func noteAnswer(of alert: ElementID) {
    answers[alert, default: 0] += 1
    releaseAnswered()
  }

  /// Turns alerts that were answered twice and did not close into parts of the screen.
  private func releaseAnswered() {
    guard answers.values.contains(where: { $0 >= 2 }) else { return }
    func released(_ element: Element) -> Element {
      var element = element
      element.children = element.children.map(released)
      guard element.kind == .alert, answers[element.id, default: 0] >= 2 else { return element }
      let message = element.detail.map { Element(id: "\(element.id).message", kind: .text, label: $0) }
      element.kind = .section
      element.detail = nil
      element.role = nil
      element.children = (message.map { [$0] } ?? []) + element.children
      return element
    }
    render?.elements = elements.map(released)
  }

  /// Starts the work of new content, and cancels the work of removed content.
  func updateTasks(start: (@escaping @MainActor () async -> Void) -> TrackedWork) {
    unsaved.isShown = true
    let tasks = render?.tasks ?? [:]
    for (id, item) in running where tasks[id].map({ $0.id != item.id }) ?? true {
      item.work.cancel()
      running[id] = nil
    }
    for (id, task) in tasks where running[id] == nil { running[id] = (task.id, start(task.work)) }
  }

  /// Follows work of the user's actions on the screen, which ends with the screen.
  func follow(_ action: TrackedWork) {
    actions.removeAll(where: \.isFinished)
    if !action.isFinished { actions.append(action) }
  }

  /// Cancels all work of the screen, because its entry is gone.
  ///
  /// The action that ended the entry may finish.
  func end() {
    stop()
    guard !actions.isEmpty else { return }
    for action in actions where action !== TrackedWork.current { action.abandon() }
    actions = []
  }

  /// Cancels all work of content, as when the screen is no longer visible.
  func stop() {
    unsaved.isShown = false
    guard !running.isEmpty else { return }
    for item in running.values { item.work.cancel() }
    running = [:]
  }
}

/// The result of a render of a screen.
@MainActor private final class ScreenRender {
  var elements: [Element]
  let handlers: ElementHandlers
  var problems: [String]
  let back: (@MainActor () async throws -> Void)?
  let tasks: [ElementID: ScreenTask]
  let windows: [ElementID: @MainActor (RowWindow) -> Void]
  let refused: Set<ElementID>
  let held: [ElementID: String]

  init(_ renderer: ContentRenderer) {
    (elements, handlers, problems) = (renderer.elements, renderer.handlers, renderer.problems)
    (back, tasks, windows) = (renderer.back, renderer.tasks, renderer.windows)
    (refused, held) = (renderer.refused, renderer.held)
  }
}

/// The last render.
extension ScreenHost {
  var elements: [Element] { render?.elements ?? [] }
  var handlers: ElementHandlers { render?.handlers ?? ElementHandlers() }
  var problems: [String] { render?.problems ?? [] }
  /// The back action of the screen; nil if going back leaves the screen.
  var back: (@MainActor () async throws -> Void)? { render?.back }
  /// The closures that render other rows of a list or table.
  var windows: [ElementID: @MainActor (RowWindow) -> Void] { render?.windows ?? [:] }
  /// The inputs that show why a value was refused.
  var refused: Set<ElementID> { render?.refused ?? [] }
  /// The values of inputs that show another text: one that was refused, or the same value in another spelling.
  var held: [ElementID: String] { render?.held ?? [:] }
}

extension ScreenHost {
  /// Notes which watched values have changed.
  ///
  /// New values are not changes.
  private func note(_ watches: [ElementID: ValueWatch]) {
    for (place, watch) in watches {
      guard let before = self.watches[place]?.value, watch.differs(from: before) else { continue }
      changes.append { try await watch.changed(before) }
    }
    self.watches = watches
  }

  /// Returns the handlers to run for changed values; each is returned once.
  func takeChanges() -> [@MainActor () async throws -> Void] {
    defer { changes = [] }
    return changes
  }

  /// Moves the focus to the element that a binding or a form wants; returns it, or nil if none is wanted.
  func moveFocus() -> ElementID? { focus.move { elements.element($0) != nil } }

  /// Notes a user's action on an element, which means that the user has left the input before.
  func noteVisit(of element: ElementID?) {
    if let before = visited, before != element, elements.element(before)?.kind.isInput == true {
      state[before, .visited] = "yes"
      rewrite(before)
    }
    if element != nil { visited = element }
  }

}
