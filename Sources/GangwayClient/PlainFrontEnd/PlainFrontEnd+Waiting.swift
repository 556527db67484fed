@_spi(FrontEnd) import GangwayProtocol

/// Waiting for loading, for the end of work, and for texts.
extension PlainFrontEnd {
  /// The longest wait of `expect` for its text, of `refuse` for work to end, and of screen commands for loading.
  static let patience: Duration = .seconds(5)
  /// The longest wait for the work of a command.
  static let workLimit: Duration = .seconds(10)
  /// The longest wait for the work of screens and flows, which may show its progress for a long time.
  static let screenLimit: Duration = .seconds(2)
  /// The time without an update after which the work of screens counts as observing.
  static let quietLimit: Duration = .milliseconds(300)

  /// Waits while a feature loads or guards run, and then reports their errors.
  func settle() async throws {
    guard connection.presentation.isUnsettled else { return }
    try await collecting { _ in _ = await waitUntil(Self.patience) { !connection.presentation.isUnsettled } }
  }

  /// Waits for the end of work, except for work that is meant to go on or waits for the user.
  ///
  /// Work of screens that does nothing visible for a while counts as observing.
  func finish() async throws {
    let begin = ContinuousClock.now
    let deadline = begin + Self.workLimit
    try await collecting { lastUpdate in
      // Loading and guards are awaited by the next command that reads the screen.
      while !unfinished.isEmpty, !connection.presentation.isUnsettled {
        if unfinished.allSatisfy({ $0.event == nil }),
          ContinuousClock.now - lastUpdate() >= Self.quietLimit || ContinuousClock.now - begin >= Self.screenLimit
        {
          return
        }
        guard ContinuousClock.now < deadline else {
          throw PlainFailure(
            "The work of this step did not end within \(Self.workLimit). If it may go on in the background, use "
              + "'start LABEL'.")
        }
        let known = lastUpdate()
        _ = await waitUntil(.milliseconds(50)) { lastUpdate() != known }
      }
    }
  }

  /// The work to wait for.
  private var unfinished: [Update.Pending] {
    connection.pending.filter { $0.isWaiting != true && $0.event.map(released.contains) != true }
  }

  /// Waits, and then reports the messages that arrived in the meantime.
  ///
  /// - Parameter wait: waits. Its argument returns the time of the last update.
  private func collecting(_ wait: @MainActor (@MainActor () -> ContinuousClock.Instant) async throws -> Void)
    async throws
  {
    var notices: [Update.Notice] = []
    var last = ContinuousClock.now
    let before = connection.onUpdate
    connection.onUpdate = { [weak self] update in
      notices += update.notices
      last = .now
      self?.wake()
    }
    defer { connection.onUpdate = before }
    try await wait { last }
    try judge(notices)
  }

  func expect(_ text: String) async throws {
    // Unfinished work of a command may still bring the text, but the wait has a limit.
    func isThere() -> Bool {
      connection.presentation.plainText.contains(text) || recent.contains { $0.contains(text) }
    }
    for _ in 0..<12 {
      if await waitUntil(Self.patience, isThere) { return }
      guard connection.pending.contains(where: { $0.event != nil && $0.isWaiting != true }) else { break }
    }
    guard isThere() else {
      throw PlainFailure(
        "'\(text)' is not on the screen, but the script expects it. The screen is:\n"
          + connection.presentation.plainText)
    }
  }

  func refuse(_ text: String) async throws {
    _ = await waitUntil(Self.patience) { connection.pending.allSatisfy { $0.event == nil } }
    guard !connection.presentation.plainText.contains(text) else {
      throw PlainFailure(
        "'\(text)' is on the screen, but must not be. The screen is:\n\(connection.presentation.plainText)")
    }
  }

  /// Waits for updates until a condition holds or the time is up.
  func waitUntil(_ limit: Duration, _ condition: () -> Bool) async -> Bool {
    let deadline = ContinuousClock.now + limit
    while !condition() {
      guard ContinuousClock.now < deadline else { return false }
      let alarm = Task { [weak self] in
        try await Task.sleep(until: deadline, clock: .continuous)
        self?.wake()
      }
      await withCheckedContinuation { arrivals.append($0) }
      alarm.cancel()
    }
    return true
  }

  func wake() {
    let waiting = arrivals
    arrivals = []
    for continuation in waiting { continuation.resume() }
  }
}

extension Presentation {
  /// Whether the front screen or a navigation waits for a plugin to load, or for guards.
  package var isUnsettled: Bool {
    activity != nil
      || layers.last?.elements.contains { $0.id == "gangway.progress" || $0.id == "gangway.asking" } == true
  }
}
