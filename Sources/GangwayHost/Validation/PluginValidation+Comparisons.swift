@_spi(FrontEnd) import Gangway
@_spi(FrontEnd) import GangwayProtocol

/// Comparisons of a screen with the one that a restart, or its link, would show.
extension PluginValidation {
  /// The comparisons of a walk. A first problem of a kind ends the comparisons of that kind.
  struct Comparisons {
    /// The differences from restored screens, and from the screens that links open.
    var restoring: [String] = [], leading: [String] = []
    /// The numbers of screens that were compared with each.
    var restored = 0, followed = 0
    /// The number of screens with an open question, which are not compared with a restored screen.
    var asking = 0
    /// The number of screens behind a guard's answer.
    var refused = 0
    /// The links that were followed.
    var addresses: Set<String> = []
  }

  /// Compares the screen after a step.
  func compare(_ session: Session, _ what: String, _ found: inout Comparisons) async {
    if session.presentation.alert != nil { found.asking += 1 }
    if session.presentation.isBehindGuards { found.refused += 1 }
    if found.restoring.isEmpty, await restore(session, what, &found.restoring) { found.restored += 1 }
    if found.leading.isEmpty, let problem = session.misleadingURL { found.leading.append("after \(what), \(problem)") }
    guard found.leading.isEmpty, let url = session.url, found.addresses.insert(url).inserted else { return }
    if await follow(url, what, &found.leading) { found.followed += 1 }
  }

  /// Performs a step, and compares the screen after it.
  func perform(
    _ action: Event.Action, _ what: String, on watched: WatchedSession, _ found: inout Comparisons
  ) async {
    let before = watched.presentation
    await watched.perform(action, what)
    if let url = before.url(of: action) { await compare(watched.session, what, url, with: before.url, &found) }
    await compare(watched.session, what, &found)
  }

  /// Compares the screen after the press of an element that has a URL with the screen that the URL opens.
  ///
  /// A press that a guard refused, or that needs another press first, has opened nothing to compare.
  private func compare(
    _ session: Session, _ what: String, _ url: String, with before: String?, _ found: inout Comparisons
  ) async {
    let presentation = session.presentation
    guard found.leading.isEmpty, presentation.alert == nil, !presentation.isBehindGuards,
      let pressed = presentation.url, pressed != before, pressed != url, let other = try? WatchedSession(makeSession())
    else { return }
    defer { other.session.abandon() }
    guard await other.navigate(url, { try await $0.open(url) }) == .shown, let opened = other.presentation.url,
      opened != pressed
    else { return }
    found.leading.append("after \(what), the press opened \(pressed), but the URL of the element is \(url)")
  }

  /// Reports the comparisons of a walk.
  func report(_ found: Comparisons, steps: Int) {
    var restoring = found.restoring
    if steps > 0, found.restored == 0, restoring.isEmpty {
      restoring.append("no screen could be compared in \(steps) \(steps == 1 ? "step" : "steps")")
    }
    report(
      "restores its screens", restoring,
      "after \(found.restored) of \(steps) steps"
        + (found.asking == 0 ? "" : "; \(found.asking) not compared, because a question was open")
        + (found.refused == 0 ? "" : "; \(found.refused) not compared, because a guard refused the screen"))
    // Without a link on the walk, there was nothing to check.
    guard found.followed > 0 || !found.leading.isEmpty else { return }
    let screens = found.followed == 1 ? "screen" : "screens"
    report("the links of screens lead back to them", found.leading, "tried on \(found.followed) \(screens)")
  }

  /// Checks that the link of a screen opens the screen.
  ///
  /// - Returns: whether the screen has a link.
  func leadsBack(_ session: Session, _ what: String, _ problems: inout [String]) async -> Bool {
    if let problem = session.misleadingURL { problems.append("after \(what), \(problem)") }
    guard let url = session.url else { return false }
    _ = await follow(url, what, &problems)
    return true
  }

  /// Checks that the URL of the current screen opens the same screen in a new session.
  ///
  /// - Returns: whether the URL opened a screen to compare.
  func follow(_ url: String, _ what: String, _ problems: inout [String]) async -> Bool {
    let other: WatchedSession
    do {
      other = try WatchedSession(makeSession())
    } catch {
      problems.append("after \(what), no second session started: \(error)")
      return false
    }
    defer { other.session.abandon() }
    guard await other.navigate(url, { try await $0.open(url) }) == .shown else {
      guard let finding = other.findings.first else { return false }
      problems.append("after \(what), the link of the screen does not open: \(finding)")
      return true
    }
    guard other.session.url != url else { return true }
    let opened = other.session.url ?? "a screen without a link"
    problems.append("after \(what), the link of the screen is \(url), but this link opens \(opened)")
    return true
  }

  /// Compares the screen with its restored copy.
  ///
  /// - Returns: whether there was a copy to compare.
  func restore(_ session: Session, _ what: String, _ problems: inout [String]) async -> Bool {
    // A screen with an open question is not compared. The question may appear again, and nothing is lost with it.
    // Neither is a guard's answer, because the copy asks the guard again.
    guard session.presentation.alert == nil, !session.presentation.isBehindGuards, let copy = start(session.checkpoint)
    else { return false }
    defer { copy.abandon() }
    // Content that loads or shows the time may take a moment to match. Elements that change by themselves, such as a
    // meter, are not compared. Running work gets more time.
    let begin = ContinuousClock.now
    live.begin()
    var before = LiveElements.contents(session.presentation)
    while true {
      let now = LiveElements.contents(session.presentation)
      live.note(before, now)
      before = now
      let texts = (live.text(session.presentation), live.text(copy.presentation))
      if texts.0 == texts.1 { return true }
      guard ContinuousClock.now - begin < (session.isWorking ? .seconds(7) : .seconds(2)) else {
        problems.append("after \(what), \(Self.difference(texts.0, texts.1))")
        return true
      }
      _ = await session.idle(within: .milliseconds(20))
      _ = await copy.idle(within: .milliseconds(20))
      try? await Task.sleep(for: .milliseconds(5))
    }
  }
}
