import FoundationEssentials
@_spi(FrontEnd) import Gangway
@_spi(FrontEnd) import GangwayClient
@_spi(FrontEnd) import GangwayProtocol

/// A session that a check uses like a patient user: it waits for what loads, and notes all failures.
@MainActor final class WatchedSession {
  /// The longest wait for content that loads.
  static let patience: Duration = .seconds(10)
  /// The longest wait for the end of an action, and for the end of one that was cancelled.
  static let actionLimit: Duration = .seconds(5)

  let session: Session
  /// The problems of the current check.
  var findings: [String] = []
  /// The session's failure notices since the last check: mistakes of screens, and failed work.
  private var failures: [Update.Notice] = []
  /// The errors of the session's work since the last check.
  private var errors: [any Error] = []
  /// The progress that did not end in time, so that it is not awaited again.
  private var endless: Set<String> = []

  /// Starts a session, from a stored one if there is a checkpoint.
  ///
  /// - Throws: as `Session.start`.
  init(_ session: Session, from checkpoint: Checkpoint? = nil) throws {
    self.session = session
    session.didFail = { [weak self] in self?.errors.append($0) }
    session.trackDepartures()
    note(try session.start(from: checkpoint))
    watch()
  }

  /// Takes the session's updates.
  func watch() { session.onUpdate = { [weak self] in self?.note($0) } }

  var presentation: Presentation { session.presentation }

  // MARK: Actions

  /// Acts as a user, and waits for the end of the action. Long work that can be cancelled is cancelled.
  func perform(_ action: Event.Action, _ what: String) async {
    let input = inputOfCleanForm(action)
    note(await session.answer(to: Event(id: 1, revision: presentation.revision, action: action)))
    // Work of screens, such as a clock's, may go on forever, and a guard's question waits for the user. Work of an
    // event must end.
    if await !handles(within: Self.actionLimit) {
      if let cancel = cancelButton {
        note(session.handle(Event(id: 2, revision: presentation.revision, action: .tap(cancel))))
        if await !handles(within: Self.actionLimit) {
          findings.append("\(what): its work did not end within 5 seconds after Cancel")
        }
      } else {
        findings.append(
          "\(what): its work did not end within 5 seconds. Show its progress and a button that cancels it")
      }
    }
    // Guards that follow a changed value answer in the next turns. Work of screens may never be idle.
    _ = await session.idle(within: .milliseconds(20))
    await load()
    noteUnnoticedChange(input, what)
    takeFailures(what)
    noteProblems(what)
  }

  /// Returns the input that an action changes, in a form whose `isDirty` is false; nil for other actions.
  private func inputOfCleanForm(_ action: Event.Action) -> (target: Event.ElementReference, value: String?)? {
    let target: Event.ElementReference
    switch action {
    case .edit(let changed, _), .toggle(let changed, _), .choose(let changed, _): target = changed
    default: return nil
    }
    guard session.hasUnsavedForm(target.node) == false,
      visible.contains(where: { form in
        form.kind == .form && form.children.flattened.contains { $0.id == target.element }
      })
    else { return nil }
    return (target, value(of: target))
  }

  private func value(of target: Event.ElementReference) -> String? {
    visible.first { $0.id == target.element }?.value
  }

  /// Notes a form that does not ask about the change that was just made in it.
  private func noteUnnoticedChange(_ input: (target: Event.ElementReference, value: String?)?, _ what: String) {
    guard let input, session.hasUnsavedForm(input.target.node) == false, let value = value(of: input.target),
      value != input.value
    else { return }
    findings.append(
      "\(what): the form has a change, but its isDirty is false, so leaving would lose it without a warning")
  }

  /// Waits until no action is in progress; returns false if one does not end in time.
  private func handles(within limit: Duration) async -> Bool {
    let end = ContinuousClock.now + limit
    while session.isHandling || presentation.activity != nil, ContinuousClock.now < end { await pause() }
    return !session.isHandling
  }

  /// Whether a tab is selected, and no guard's answer stands in place of its screens.
  func shows(_ tab: NodeID) -> Bool {
    let isSelected = presentation.tabBars.first?.contains { $0.node == tab && $0.isSelected } == true
    // A guard that redirects holds back the screen below the flow that it shows.
    return isSelected && !presentation.layers.flatMap(\.elements).contains { Presentation.guardTexts.contains($0.id) }
  }

  /// Navigates from outside. A guard's denial, redirect or question is no mistake.
  ///
  /// - Returns: whether the target is shown, was refused, or waits for an answer of the user.
  func navigate(_ what: String, _ change: @escaping @MainActor (Session) async throws -> Void) async -> Arrival {
    var failure: (any Error)?
    var isDone = false
    let opening = Task { [session] in
      do { try await change(session) } catch { failure = error }
      isDone = true
    }
    let limit = ContinuousClock.now + Self.actionLimit
    var quiet = ContinuousClock.now
    // If nothing happens for a second, a guard asks the user, or redirected to a flow first.
    while !isDone, ContinuousClock.now < limit, ContinuousClock.now - quiet < .seconds(1) {
      if !session.isIdle || presentation.activity != nil { quiet = .now }
      await pause()
    }
    guard isDone else {
      // Answer no: dismiss the question or the flow.
      for _ in 0..<3 where !isDone && presentation.canGoBack {
        await perform(.back, "back from \(what)")
        await pause()
      }
      opening.cancel()
      return .asks
    }
    await load()
    takeFailures(what)
    guard let failure else {
      noteProblems(what)
      return .shown
    }
    if Self.isMistake(failure) { findings.append("\(what): \(failure)") }
    return .refused
  }

  /// The result of a navigation from outside.
  enum Arrival {
    case shown, refused, asks

    var words: String {
      switch self {
      case .shown: "shown"
      case .refused: "refused"
      case .asks: "held back by a question or a redirect"
      }
    }
  }

  // MARK: Waiting

  /// Waits while visible content loads, and ends long work that can be cancelled.
  func load() async {
    let begin = ContinuousClock.now
    // A feature loads, or a guard answers.
    while presentation.isUnsettled, ContinuousClock.now - begin < Self.patience { await pause() }
    while session.isWorking, let progress = unfinished {
      let time = ContinuousClock.now - begin
      if let cancel = cancelButton, time > .seconds(1) {
        note(session.handle(Event(id: 2, revision: presentation.revision, action: .tap(cancel))))
        let end = ContinuousClock.now + Self.actionLimit
        while unfinished == progress, cancelButton != nil || session.isWorking, ContinuousClock.now < end {
          await pause()
        }
        if unfinished == progress {
          findings.append("'\(progress)' did not end within 5 seconds after Cancel")
          endless.insert(progress)
        }
      } else if time > Self.patience {
        endless.insert(progress)
      }
      await pause()
    }
  }

  /// Waits for something to press, as long as work may bring it; returns the reason if there is nothing.
  func waitForChoice(_ isThere: () -> Bool) async -> String? {
    let end = ContinuousClock.now + Self.patience
    while !isThere() {
      guard session.isWorking else { return nothing("nothing can be pressed on \(place)") }
      guard ContinuousClock.now < end else {
        return nothing("nothing could be pressed on \(place) within 10 seconds, and its work has not ended")
      }
      await pause()
    }
    return nil
  }

  private func nothing(_ reason: String) -> String {
    guard let progress = visible.first(where: { $0.kind == .progress }) else { return reason }
    return "\(reason). It still shows '\(progress.label)'"
  }

  /// The screen in front, for messages.
  private var place: String { presentation.path.last.map { "'\($0.title)'" } ?? "the first screen" }

  private var visible: [Element] { presentation.top?.columns.flatMap(\.elements).flattened ?? [] }

  /// The progress that may still end; long work with a known fraction counts only if the user can cancel it.
  private var unfinished: String? {
    let canCancel = cancelButton != nil
    return visible.first {
      $0.kind == .progress && ($0.value == nil || canCancel) && !endless.contains($0.label)
    }?.label
  }

  /// The button that cancels the visible work.
  private var cancelButton: Event.ElementReference? {
    guard presentation.alert == nil, visible.contains(where: { $0.kind == .progress }) else { return nil }
    for pane in presentation.top?.columns ?? [] {
      let button = pane.elements.flattened.first { $0.kind == .button && $0.role == .cancel && $0.isEnabled }
      if let button { return .init(node: pane.node, element: button.id) }
    }
    return nil
  }

  private func pause() async {
    _ = await session.idle(within: .milliseconds(20))
    try? await Task.sleep(for: .milliseconds(2))
  }

  // MARK: Findings

  private func note(_ update: Update) { failures += update.notices.filter { $0.kind == .failure } }

  /// Returns the findings of a check, so that the next one begins without any.
  func takeFindings() -> [String] {
    defer { findings = [] }
    return findings
  }

  /// Forgets the errors so far, which were expected.
  func forgetErrors() { errors = [] }

  func takeFailures(_ what: String) {
    findings += failures.map { "\(what): \($0.developerText)" }
    // The user sees an error of the framework as a refusal, even if the plugin made the mistake.
    findings += errors.filter { $0 is NavigationError && Self.isMistake($0) }.map { "\(what): \($0)" }
    (failures, errors) = ([], [])
  }

  private func noteProblems(_ what: String) {
    // A banner is content of a feature. A problem text replaces content that could not be shown.
    // The answer of a guard is no mistake.
    let problems = (presentation.top?.elements ?? []).filter {
      $0.kind == .text && $0.role == .problem && !Presentation.guardTexts.contains($0.id)
    }
    findings += problems.map { "\(what): \($0.label)" }
  }

  /// Returns whether an error is the author's mistake. Answers of guards and users are not, nor is the end of an entry.
  private static func isMistake(_ error: any Error) -> Bool {
    guard let error = error as? NavigationError else { return !(error is CancellationError) }
    let ordinary: Set<NavigationError.Code> = [
      .denied, .redirectCancelled, .superseded, .cancelledByPerson, .modalNotDismissible, .detached, .entryGone,
    ]
    return !ordinary.contains(error.code)
  }
}

extension Presentation {
  /// The texts in place of a screen that guards refused, or have not allowed yet.
  static let guardTexts: Set<ElementID> = ["gangway.refused", "gangway.asking"]

  /// Whether a guard's answer stands in place of the screen in front.
  var isBehindGuards: Bool { top?.elements.contains { Self.guardTexts.contains($0.id) } == true }
}
