import GangwayProtocol
import Observation

/// A screen in the tree: its last render, whether that still holds, and the work it started.
@MainActor final class ScreenHost {
  private let screen: any Screen
  private lazy var isStale = ChangeFlag()
  private lazy var isTitleStale = ChangeFlag()
  private let signal: RefreshSignal
  private(set) var title: String?
  private(set) var elements: [Element] = []
  private(set) var handlers: [ElementID: ElementHandler] = [:]
  private(set) var problems: [String] = []
  /// What takes the person's step back; nil where the step leaves the screen.
  private(set) var back: (@MainActor () async throws -> Void)?
  private var tasks: [ElementID: @MainActor () async -> Void] = [:]
  private var running: [ElementID: TrackedWork] = [:]
  /// What the person began on it.
  private var actions: [TrackedWork] = []
  /// Since which presentation an element is there and of its kind.
  private(set) var since: [ElementID: (kind: Element.Kind, revision: Revision)] = [:]
  /// How often the alerts that are open were answered and did not close.
  private var answers: [ElementID: Int] = [:]
  /// What inputs held when first rendered.
  var firstValues: [ElementID: String] = [:]

  init(_ screen: any Screen, signal: RefreshSignal) {
    self.screen = screen
    self.signal = signal
  }

  /// Who is asked before it goes.
  var leaveGuard: NavigationGuard? { screen.leaveGuard }

  /// Reads the title again if what it was made from has changed.
  func refreshTitle() {
    guard isTitleStale.isRaised else { return }
    isTitleStale.lower()
    title = withObservationTracking {
      screen.title
    } onChange: { [isTitleStale, signal] in
      isTitleStale.raise()
      signal.raise()
    }
  }

  /// Renders again if what was rendered has changed.
  ///
  /// - Parameter revision: the number of the presentation that will show it.
  /// - Returns: whether it rendered.
  @discardableResult func refresh(for revision: Revision, customize: (ContentGroup) -> ContentGroup) -> Bool {
    guard isStale.isRaised else { return false }
    isStale.lower()
    let renderer = ContentRenderer()
    renderer.didNotClose = { [weak self] in self?.noteAnswer(of: $0) }
    withObservationTracking {
      customize(ContentGroup([screen]))._render(into: renderer)
    } onChange: { [isStale, signal] in
      isStale.raise()
      signal.raise()
    }
    elements = renderer.elements
    let open = Set(elements.flattened.lazy.filter { $0.kind == .alert }.map(\.id))
    if !answers.isEmpty { answers = answers.filter { open.contains($0.key) } }
    releaseAnswered()
    handlers = renderer.handlers
    problems = renderer.problems
    back = renderer.back
    tasks = renderer.tasks
    var next: [ElementID: (kind: Element.Kind, revision: Revision)] = [:]
    for element in elements.flattened {
      let before = since[element.id]
      next[element.id] = (element.kind, before?.kind == element.kind ? before?.revision ?? revision : revision)
    }
    since = next
    return true
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
    for (id, work) in running where tasks[id] == nil {
      work.cancel()
      running[id] = nil
    }
    for (id, work) in tasks where running[id] == nil { running[id] = start(work) }
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
    for work in running.values { work.cancel() }
    running = [:]
  }
}

extension ScreenHost {
  /// Whether what an element holds belongs in a checkpoint.
  static func isStored(_ element: Element) -> Bool {
    switch element.kind {
    case .field: element.role != .secure
    case .toggle, .picker: true
    default: false
    }
  }

  /// Remembers what inputs hold that are rendered for the first time.
  func noteFirstValues() {
    for element in elements.flattened where Self.isStored(element) && firstValues[element.id] == nil {
      firstValues[element.id] = element.value
    }
  }
}
