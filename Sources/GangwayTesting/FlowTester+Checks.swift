@_spi(FrontEnd) import Gangway
@_spi(FrontEnd) import GangwayProtocol

/// The checks after every step.
extension FlowTester {
  func check(_ place: SourcePlace) async throws {
    try checkNotices(place)
    if let mistake = session.labelMistakes.first { throw FlowFailure("In this step, \(mistake).", at: place) }
    guard session.pending.isEmpty else { return }
    if checksLeaks { try await checkLeaks(place) }
    let stranded = session.strandedResults
    guard stranded.isEmpty else {
      throw FlowFailure(
        "Flows have ended, but tasks still await their results. The nodes of these flows: \(stranded).", at: place)
    }
    if checksRestoration { try await checkRestoration(place) }
  }

  private func checkLeaks(_ place: SourcePlace) async throws {
    var leaked = session.leakedCoordinators
    // Work of the flow that was cancelled may still need a few turns to end.
    let patience = ContinuousClock.now + quietLimit
    while !leaked.isEmpty, ContinuousClock.now < patience {
      try? await Task.sleep(for: .milliseconds(1))
      leaked = session.leakedCoordinators
    }
    guard leaked.isEmpty else {
      throw FlowFailure(
        "Still in memory after the end of their entries: \(leaked.joined(separator: ", ")). A closure captures the "
          + "coordinator, or a model, a task or the test holds it. Capture it weakly, or set checksLeaks to false.",
        at: place)
    }
  }

  /// Restores the stored state in a second session, and compares the state that the second session stores.
  ///
  /// The second session runs no work of screens, so a test's counters count once. The exception is an input that is not
  /// restored, because its element may come with loaded data.
  private func checkRestoration(_ place: SourcePlace) async throws {
    let stored = session.checkpoint
    let twin = twin()
    log.isComparing = true
    defer {
      twin.abandon()
      log.isComparing = false
    }
    do {
      let text = try Line.encode(stored)
      _ = try twin.start(from: try Line.decode(Checkpoint.self, from: text))
    } catch {
      throw FlowFailure("The stored state could not be restored: \(error)", at: place)
    }
    // A test that passes in a particular coordinator cannot be restored in a second session.
    guard twin.rootCoordinator != nil else { return }
    var difference = stored.firstDifference(from: twin.checkpoint)
    var missing = missingInputs(in: twin)
    if !missing.isEmpty {
      twin.startWork()
      _ = await twin.idle(within: timeLimit, quiet: quietLimit)
      difference = stored.firstDifference(from: twin.checkpoint)
      // Work that still loads or observes may bring more.
      missing = twin.isWorking ? [] : missingInputs(in: twin)
    }
    if let difference {
      throw FlowFailure(
        "The restored flow differs: \(difference). Make screens and coordinators depend on routes and state alone. "
          + "If that is not possible, set checksRestoration to false.", at: place)
    }
    guard let lost = missing.first else { return }
    throw FlowFailure(
      "Input would be lost: after a restart, '\(lost.screen)' has no element #\(lost.element), or the element "
        + "does not have the chosen option or row. Give the element a stable id, and load its data in the screen's "
        + "task; or set checksRestoration to false.", at: place)
  }

  /// Returns the user's inputs that are on the screen here, and missing in a restored session.
  private func missingInputs(in twin: Session) -> [(screen: String, element: ElementID)] {
    let awaited = twin.awaitedInputs
    guard !awaited.isEmpty else { return [] }
    return presentation.layers.flatMap(\.columns).flatMap { screen in
      let here = Set(screen.elements.flattened.map(\.id))
      return (awaited[screen.node] ?? []).intersection(here).sorted().map { (screen.title, $0) }
    }
  }
}

extension Checkpoint {
  /// Returns the first record that differs, with both versions; nil if all are equal.
  ///
  /// Titles and badges are skipped: they may come from loaded data, and are made again.
  func firstDifference(from other: Checkpoint) -> String? {
    func untitled(_ record: Record?) -> Record? {
      var record = record
      record?.forgetLabels()
      return record
    }
    for id in Set(records.keys).union(other.records.keys).sorted()
    where untitled(records[id]) != untitled(other.records[id]) {
      let first = records[id].flatMap { try? Line.encode($0) }.map { String(decoding: $0, as: UTF8.self) } ?? "nothing"
      let second =
        other.records[id].flatMap { try? Line.encode($0) }.map { String(decoding: $0, as: UTF8.self) } ?? "nothing"
      return "node \(id) was \(first.trimmedEnd), and was restored as \(second.trimmedEnd)"
    }
    return nil
  }
}

extension String {
  fileprivate var trimmedEnd: Substring { last == "\n" ? dropLast() : self[...] }
}
