@_spi(FrontEnd) import Gangway
@_spi(FrontEnd) import GangwayProtocol

/// The check that a new host shows the same. Data in memory is lost with the host.
///
/// It creates the services again in the same process, so it does not find global variables.
extension PluginValidation {
  /// The most screens to compare.
  private static let maximumSights = 30

  /// A way to a screen, the same in both hosts.
  private struct Sight {
    let what: String
    let show: @MainActor (WatchedSession) async -> WatchedSession.Arrival
  }

  /// A way in from outside: the sample of a link or place.
  typealias Entrance = (what: String, open: @MainActor (Session) async throws -> Void)

  /// The samples of links and places.
  ///
  /// A walk opens the next one after each 20 steps, and wherever nothing can be pressed.
  var entrances: [Entrance] {
    let urls = ((try? catalog.registry.links.samples(of: plugin)) ?? []).flatMap(\.urls)
    let places = ((try? catalog.registry.placeSamples(of: plugin)) ?? []).flatMap(\.places)
    return urls.map { url in ("opening \(url)", { try await $0.open(url) }) }
      + places.map { place in ("showing \(place.id)", { try await $0.show(place) }) }
  }

  /// Starts the session again as in a new host, and compares its screens with those of the old one.
  ///
  /// The old session stays open. A value from outside, such as the load of the machine, may have changed meanwhile.
  /// Both sessions then show the new value.
  func restart(_ old: WatchedSession) async {
    defer { old.session.close() }
    guard !isSilent else { return }
    guard losses.isEmpty else { return report("comes back in a new host", losses, "") }
    send(.doing("starting it in a new host"))
    // An open question is not stored, so it is answered with no.
    for _ in 0..<3 where old.presentation.alert != nil { await old.perform(.back, "back from a question") }
    let sights = sights(old)
    guard !sights.isEmpty else {
      return report("comes back in a new host", ["no screen could be compared: a question is open at the end"], "")
    }
    let new: WatchedSession
    do {
      let checkpoint = old.session.checkpoint
      try await beginAgain()
      new = try WatchedSession(makeSession(), from: checkpoint)
    } catch {
      return report("comes back in a new host", ["\(error)"], "")
    }
    defer { new.session.close() }
    var problems: [String] = []
    var count = 0
    var heldBack: [String] = []
    for sight in sights where problems.isEmpty {
      send(.doing("showing \(sight.what) before and after a restart"))
      let arrivals = (await sight.show(old), await sight.show(new))
      if arrivals.0 != arrivals.1 {
        problems.append("\(sight.what): \(arrivals.0.words) before the restart, but \(arrivals.1.words) after it")
      } else if arrivals.0 == .shown {
        count += 1
        if let found = await difference(new, from: old) { problems.append("\(sight.what): \(found)") }
      } else {
        heldBack.append(sight.what)
      }
    }
    let known = Set(old.takeFindings())
    problems += new.takeFindings().filter { !known.contains($0) }.map { "in the new host: \($0)" }
    if count == 0, problems.isEmpty {
      problems.append("no screen was compared, because guards refused or held back every screen")
    }
    report(
      "comes back in a new host", problems,
      Self.restartText(count, of: sights.count, heldBack: heldBack) + Self.midwayText(midwayComparisons, steps: steps))
  }

  /// Compares the screen in the middle of a walk with the one of a new host.
  ///
  /// At the end, a later step may hide a loss. A refresh reads the stored data again, and a later change may store an
  /// earlier one, too.
  ///
  /// - Returns: whether the screen was compared. A question, a guard or running work prevents it.
  func compareWithNewHost(_ old: WatchedSession, _ what: String) async -> Bool {
    let presentation = old.presentation
    guard presentation.alert == nil, !presentation.isBehindGuards, !old.session.isHandling else { return false }
    let before = catalog
    defer { catalog = before }
    do {
      let checkpoint = old.session.checkpoint
      try await beginAgain()
      let new = try WatchedSession(makeSession(), from: checkpoint)
      defer { new.session.close() }
      await new.load()
      if let found = await difference(new, from: old) { losses.append("after \(what), \(found)") }
    } catch {
      losses.append("after \(what): \(error)")
    }
    return true
  }

  /// Returns the screen at the end, the tabs, and the samples of links and places.
  private func sights(_ watched: WatchedSession) -> [Sight] {
    let tabs = (watched.presentation.tabBars.first ?? []).map { tab in
      Sight(what: "the tab '\(tab.title)'") {
        await $0.perform(.tab(tab.node), "the tab '\(tab.title)'")
        return $0.shows(tab.node) ? .shown : .refused
      }
    }
    let samples = entrances.prefix(Self.maximumSights).map { entrance in
      Sight(what: entrance.what) { await $0.navigate(entrance.what, entrance.open) }
    }
    let lastScreen = Sight(what: "the last screen") {
      await $0.load()
      return $0.presentation.isBehindGuards ? .refused : .shown
    }
    // A question that stays open is not stored, so the screen behind it may be another one.
    let end = watched.presentation.alert == nil ? [lastScreen] : []
    return end + tabs + samples
  }

  /// Waits until a session shows the same as an old one, apart from elements that change by themselves.
  ///
  /// - Returns: the difference, if the time passes; nil otherwise.
  private func difference(_ new: WatchedSession, from old: WatchedSession) async -> String? {
    // A clock or a meter changes once in a second or two, and two changes show that it does.
    let end = ContinuousClock.now + .seconds(5)
    live.begin()
    var before = [old, new].map { LiveElements.contents($0.presentation) }
    while true {
      let now = [old, new].map { LiveElements.contents($0.presentation) }
      for (before, now) in zip(before, now) { live.note(before, now) }
      before = now
      let texts = (live.text(old.presentation), live.text(new.presentation))
      if texts.0 == texts.1 { return nil }
      guard ContinuousClock.now < end else { return Self.difference(texts.0, texts.1) }
      for watched in [old, new] { _ = await watched.session.idle(within: .milliseconds(20)) }
      try? await Task.sleep(for: .milliseconds(5))
    }
  }
}
