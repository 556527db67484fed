import GangwayProtocol
import Observation

/// A screen in the tree: its last render, whether that still holds, and the work it started.
@MainActor final class ScreenHost {
  private let screen: any Screen
  private lazy var readBody = FollowedReading()
  private lazy var isTitleStale = ChangeFlag()
  private let signal: RefreshSignal
  private(set) var title: String?
  private(set) var elements: [Element] = []
  private(set) var handlers = ElementHandlers()
  private(set) var problems: [String] = []
  /// What takes the person's step back; nil where the step leaves the screen.
  private(set) var back: (@MainActor () async throws -> Void)?
  private var tasks: [ElementID: ScreenTask] = [:]
  private var running: [ElementID: (id: AnyHashable?, work: TrackedWork)] = [:]
  private var watches: [ElementID: ValueWatch] = [:]
  /// What is to be told of values that have changed since the render before.
  private var changes: [@MainActor () async throws -> Void] = []
  private var focusBindings: [ElementID: (binding: Binding<Bool>, isFocused: Bool)] = [:]
  /// Where the keyboard is wanted, by a binding or a form.
  private var wantedFocus: ElementID?
  /// What the framework keeps for it.
  let state: ScreenState
  /// What the person began on it.
  private var actions: [TrackedWork] = []
  /// Since which presentation an element is there and of its kind.
  private(set) var since: [ElementID: (kind: Element.Kind, revision: Revision)] = [:]
  /// Whether one of the elements is an alert.
  private var hasAlert = false
  /// The alert that waits for an answer; of several the one that was added last.
  var openAlert: Element? { hasAlert ? elements.lastElement(.alert) : nil }
  /// How often the alerts that are open were answered and did not close.
  private var answers: [ElementID: Int] = [:]
  /// The element that the person acted on last.
  private var visited: ElementID?
  /// The rows of sorted tables.
  private lazy var sorted = SortedRows { [weak readBody, signal] in
    readBody?.invalidate()
    signal.raise()
  }
  /// What has other rows of a list or table rendered.
  private(set) var windows: [ElementID: @MainActor (RowWindow) -> Void] = [:]
  /// The inputs beside which it is said why something was not taken.
  private(set) var refused: Set<ElementID> = []
  /// What inputs hold in which another text stands: one that could not be taken, or is written in another way.
  private(set) var held: [ElementID: String] = [:]
  /// What inputs held when first rendered.
  var firstValues: [ElementID: String] = [:]

  init(_ screen: any Screen, signal: RefreshSignal, state: ScreenState = ScreenState()) {
    self.screen = screen
    self.signal = signal
    self.state = state
    state.didChange = { [readBody, signal] in
      readBody.invalidate()
      signal.raise()
    }
  }

  /// Who is asked before it goes.
  var leaveGuard: NavigationGuard? { screen.leaveGuard }

  /// Reads the title again if what it was made from has changed.
  func refreshTitle() {
    guard isTitleStale.isRaised else { return }
    isTitleStale.lower()
    // Most titles read nothing, and there is one for each entry of the path: following them to their end would cost more than the note that a
    // title leaves which reads what lives longer.
    title = withObservationTracking {
      screen.title
    } onChange: { [isTitleStale, signal] in
      isTitleStale.raise()
      signal.raise()
    }
  }

  /// Renders again if what was rendered has changed.
  ///
  /// - Parameters:
  ///   - revision: the number of the presentation that will show it.
  ///   - showsAllRows: whether lists and tables are rendered whole, however long they are.
  /// - Returns: whether it rendered.
  @discardableResult func refresh(
    for revision: Revision, showsAllRows: Bool = false, customize: (ContentGroup) -> ContentGroup
  ) -> Bool {
    guard readBody.isStale else { return false }
    let renderer = ContentRenderer(
      state: state, sorted: sorted, showsAllRows: showsAllRows, expected: (since.count, handlers.count))
    renderer.wantFocus = { [weak self] in self?.wantedFocus = $0 }
    renderer.didNotClose = { [weak self] in self?.noteAnswer(of: $0) }
    readBody.read {
      customize(ContentGroup([screen]))._render(into: renderer)
    } onChange: { [signal] in
      signal.raise()
    }
    elements = renderer.elements
    if !answers.isEmpty {
      var open: Set<ElementID> = []
      elements.visit { if $0.kind == .alert { open.insert($0.id) } }
      answers = answers.filter { open.contains($0.key) }
      releaseAnswered()
    }
    handlers = renderer.handlers
    windows = renderer.windows
    held = renderer.held
    refused = renderer.refused
    problems = renderer.problems
    if !showsAllRows, let refusal = ScreenSize.refusal(of: elements) {
      elements = [refusal.shown]
      problems.append(refusal.problem)
    }
    back = renderer.back
    tasks = renderer.tasks
    note(renderer.watches)
    note(renderer.focusBindings)
    noteSince(revision)
    return true
  }

  /// Takes note of which elements are there now, and of their kinds.
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
    // No two have the same id.
    guard since.count > count else { return }
    var there = Set<ElementID>(minimumCapacity: count)
    elements.visit { there.insert($0.id) }
    since = since.filter { there.contains($0.key) }
  }

  /// Notes that an alert was answered and did not close. One that stays holds the person no longer.
  private func noteAnswer(of alert: ElementID) {
    answers[alert, default: 0] += 1
    releaseAnswered()
  }

  /// Makes alerts that were answered twice and did not close a part of the screen.
  private func releaseAnswered() {
    guard answers.values.contains(where: { $0 >= 2 }) else { return }
    func released(_ element: Element) -> Element {
      var element = element
      element.children = element.children.map(released)
      guard element.kind == .alert, answers[element.id, default: 0] >= 2 else { return element }
      let message = element.detail.map { Element(id: element.id + ".message", kind: .text, label: $0) }
      element.kind = .section
      element.detail = nil
      element.role = nil
      element.children = (message.map { [$0] } ?? []) + element.children
      return element
    }
    elements = elements.map(released)
  }

  /// Starts the work of content that came, and cancels that of content that went.
  func updateTasks(start: (@escaping @MainActor () async -> Void) -> TrackedWork) {
    for (id, item) in running where tasks[id].map({ $0.id != item.id }) ?? true {
      item.work.cancel()
      running[id] = nil
    }
    for (id, task) in tasks where running[id] == nil { running[id] = (task.id, start(task.work)) }
  }

  /// Takes note of what the person began on it, which ends with it.
  func follow(_ action: TrackedWork) {
    actions.removeAll(where: \.isFinished)
    if !action.isFinished { actions.append(action) }
  }

  /// Cancels all it began, for its entry is gone. What ended the entry itself may finish what it is about.
  func end() {
    stop()
    for action in actions where action !== TrackedWork.current { action.abandon() }
    actions = []
  }

  /// Cancels all work that content started, as when the screen is no longer visible.
  func stop() {
    for item in running.values { item.work.cancel() }
    running = [:]
  }
}

extension ScreenHost {
  /// Notes which watched values are others than before. Those that are new are not changes.
  private func note(_ watches: [ElementID: ValueWatch]) {
    for (place, watch) in watches {
      guard let before = self.watches[place]?.value, watch.differs(from: before) else { continue }
      changes.append { try await watch.changed(before) }
    }
    self.watches = watches
  }

  /// What is to be done because watched values have changed; each is given out once.
  func takeChanges() -> [@MainActor () async throws -> Void] {
    defer { changes = [] }
    return changes
  }

  private func note(_ bindings: [ElementID: (binding: Binding<Bool>, isFocused: Bool)]) {
    // One that was true before is not asked for again: the person may have gone on.
    for (id, bound) in bindings where bound.isFocused && focusBindings[id]?.isFocused != true { wantedFocus = id }
    focusBindings = bindings
  }

  /// The element that the keyboard is to go to; given out once, and when it is there.
  func takeWantedFocus() -> ElementID? {
    guard let wanted = wantedFocus, elements.element(wanted) != nil else { return nil }
    wantedFocus = nil
    return wanted
  }

  /// Tells bindings where the keyboard is now.
  func noteFocus(_ element: ElementID?) {
    for (id, bound) in focusBindings where bound.isFocused != (id == element) {
      focusBindings[id]?.isFocused = id == element
      bound.binding.wrappedValue = id == element
    }
  }

  /// Takes note that the person acts on an element: the input that they were in before has been left.
  func noteVisit(of element: ElementID?) {
    if let before = visited, before != element, elements.element(before)?.kind.isInput == true {
      state[before, .visited] = "yes"
      rewrite(before)
    }
    if element != nil { visited = element }
  }

}
