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
    let show: @MainActor (WatchedSession) async -> Void
  }

  /// Ends the session, starts it again as in a new host, and compares its screens.
  func restart(_ watched: WatchedSession) async {
    guard !isSilent else { return watched.session.close() }
    send(.doing("starting it in a new host"))
    let checkpoint = watched.session.checkpoint
    let sights = sights(watched)
    if sights.isEmpty {
      watched.session.close()
      return report("comes back in a new host", ["no screen could be compared: a question is open at the end"], "")
    }
    var before: [Presentation] = []
    for sight in sights {
      send(.doing("showing \(sight.what) before a restart"))
      await sight.show(watched)
      before.append(watched.presentation)
    }
    watched.session.close()
    let other: WatchedSession
    do {
      try await beginAgain()
      other = try WatchedSession(makeSession(), from: checkpoint)
    } catch {
      return report("comes back in a new host", ["\(error)"], "")
    }
    var problems: [String] = []
    for (sight, presentation) in zip(sights, before) where problems.isEmpty {
      send(.doing("showing \(sight.what) after a restart"))
      await sight.show(other)
      if let found = await difference(other, from: presentation) { problems.append("\(sight.what): \(found)") }
    }
    other.session.close()
    report("comes back in a new host", problems, "\(sights.count) of \(sights.count) screens")
  }

  /// Returns the screen at the end, the tabs, and the samples of links and places.
  private func sights(_ watched: WatchedSession) -> [Sight] {
    let tabs = (watched.presentation.tabBars.first ?? []).map { tab in
      Sight(what: "the tab '\(tab.title)'") { await $0.perform(.tab(tab.node), "the tab '\(tab.title)'") }
    }
    let samples = entrances.prefix(Self.maximumSights).map { entrance in
      Sight(what: entrance.what) { _ = await $0.navigate(entrance.what, entrance.open) }
    }
    // An open question is not stored, so the screen behind it may be another one.
    let end = watched.presentation.alert == nil ? [Sight(what: "the last screen") { await $0.load() }] : []
    return end + tabs + samples
  }

  /// Waits until a session shows the same, apart from elements that change by themselves.
  ///
  /// - Returns: the difference, if the time passes; nil otherwise.
  private func difference(_ watched: WatchedSession, from presentation: Presentation) async -> String? {
    // A clock or a meter changes once in a second, and two changes show that it does.
    let end = ContinuousClock.now + .seconds(4)
    live.begin()
    var before = LiveElements.contents(watched.presentation)
    while true {
      let now = LiveElements.contents(watched.presentation)
      live.note(before, now)
      before = now
      let texts = (live.text(presentation), live.text(watched.presentation))
      if texts.0 == texts.1 { return nil }
      guard ContinuousClock.now < end else { return Self.difference(texts.0, texts.1) }
      _ = await watched.session.idle(within: .milliseconds(20))
      try? await Task.sleep(for: .milliseconds(5))
    }
  }
}
